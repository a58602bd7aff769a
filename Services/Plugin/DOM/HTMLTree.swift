import CXML2

/// Reads HTML with libxml2 and writes its elements as JSON, from which the program of the host makes a document.
enum HTMLTree {
  /// The most bytes of a page; what follows is left out.
  private static let sizeLimit = 4 << 20
  /// The most elements and texts of a page.
  private static let nodeLimit = 200_000
  /// The most elements within one another.
  private static let depthLimit = 200

  /// Returns the root element of a page as JSON: an element is a list of its name in lower case, an object of its
  /// attributes, and then its elements and texts. Returns nil for a page without any element.
  static func json(of page: String) -> String? {
    let bytes = Array(page.utf8.prefix(sizeLimit))
    let options = Int32(
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        | HTML_PARSE_NONET.rawValue)
    let document = bytes.withUnsafeBytes { buffer in
      htmlReadMemory(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil, "UTF-8", options)
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    guard let root = xmlDocGetRootElement(document) else { return nil }
    var writer = Writer()
    writer.element(root, depth: 0)
    return writer.text
  }

  private struct Writer {
    var text = ""
    private var count = 0

    mutating func element(_ node: xmlNodePtr, depth: Int) {
      text += "["
      string(node.pointee.name, lowercased: true)
      text += ",{"
      var attribute = node.pointee.properties
      var isFirst = true
      while let next = attribute {
        if !isFirst { text += "," }
        isFirst = false
        string(next.pointee.name, lowercased: true)
        text += ":"
        let value = xmlNodeListGetString(node.pointee.doc, next.pointee.children, 1)
        string(value)
        if let value { lunara_xml_free(value) }
        attribute = next.pointee.next
      }
      text += "}"
      var child = node.pointee.children
      while let next = child, count < HTMLTree.nodeLimit {
        count += 1
        switch next.pointee.type {
        case XML_ELEMENT_NODE where depth < HTMLTree.depthLimit:
          text += ","
          element(next, depth: depth + 1)
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
          text += ","
          string(next.pointee.content)
        default: break
        }
        child = next.pointee.next
      }
      text += "]"
    }

    private mutating func string(_ value: UnsafePointer<xmlChar>?, lowercased: Bool = false) {
      let words = value.map { String(cString: $0) } ?? ""
      text += "\""
      for scalar in (lowercased ? words.lowercased() : words).unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\u{0}"..."\u{1F}": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: text.unicodeScalars.append(scalar)
        }
      }
      text += "\""
    }
  }
}

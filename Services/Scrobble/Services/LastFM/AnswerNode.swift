import CExpat
import Messages

/// A node of an answer in XML or JSON: a name, a text and children. Attributes are stored as children, and names are
/// compared in small letters, as servers differ in both.
final class AnswerNode {
  /// The name in small letters.
  let name: String
  var text: String
  private(set) var children: [AnswerNode] = []

  init(_ name: String, _ text: String = "") {
    self.name = name.lowercased()
    self.text = text
  }

  func add(_ child: AnswerNode) { children.append(child) }

  /// Returns the first child with a name, given in small letters.
  subscript(_ name: String) -> AnswerNode? { children.first { $0.name == name } }

  func all(_ name: String) -> [AnswerNode] { children.filter { $0.name == name } }

  /// The text without white space at its ends, and with single spaces inside.
  var plainText: String { text.split { $0.isWhitespace }.joined(separator: " ") }

  var integer: Int? { Int(plainText) }

  /// Reads JSON; nil for bytes that are not a JSON object. `#text` becomes the node's text, and the members of `@attr`
  /// become its children.
  static func json(_ bytes: [UInt8]) -> AnswerNode? {
    guard let view = JSONView(bytes), view.isObject else { return nil }
    return AnswerNode("answer").filled(from: view)
  }

  private func filled(from view: JSONView) -> AnswerNode {
    for (name, value) in view.members {
      switch name {
      case "#text": text = value.string ?? ""
      case "@attr": _ = filled(from: value)
      default:
        for each in value.isObject || !value.elements.isEmpty ? value.elements : [value] {
          let child = AnswerNode(name, each.string ?? "")
          add(each.isObject ? child.filled(from: each) : child)
        }
      }
    }
    return self
  }

  /// Reads XML with expat; nil for XML that is not well formed, is nested too deeply, has a DOCTYPE or is over 1 MiB.
  static func xml(_ bytes: [UInt8]) -> AnswerNode? {
    guard bytes.count <= 1 << 20, let parser = XML_ParserCreate(nil) else { return nil }
    defer { XML_ParserFree(parser) }
    let builder = Builder()
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    XML_SetElementHandler(
      parser, { Builder.at($0)?.begin($1, $2) }, { context, _ in Builder.at(context)?.end() })
    XML_SetCharacterDataHandler(parser) { Builder.at($0)?.add($1, $2) }
    // An answer needs no DOCTYPE, and its entities could expand a small answer to a very large one.
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in Builder.at(context)?.isRefused = true }
    let status = bytes.withUnsafeBytes { bytes in
      XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
    }
    return withExtendedLifetime(builder) {
      status == XML_STATUS_OK && !builder.isRefused ? builder.root.children.first : nil
    }
  }

  private final class Builder {
    let root = AnswerNode("")
    var isRefused = false
    private lazy var open = [root]

    static func at(_ context: UnsafeMutableRawPointer?) -> Builder? {
      context.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
    }

    func begin(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
      guard let name, let parent = open.last, open.count < 64 else {
        isRefused = true
        return
      }
      let node = AnswerNode(String(cString: name))
      parent.add(node)
      open.append(node)
      var place = 0
      while let attributes, let name = attributes[place], let value = attributes[place + 1] {
        node.add(AnswerNode(String(cString: name), String(cString: value)))
        place += 2
      }
    }

    func end() { if open.count > 1 { open.removeLast() } }

    func add(_ text: UnsafePointer<CChar>?, _ count: Int32) {
      guard let text, let node = open.last else { return }
      node.text += String(
        decoding: UnsafeRawBufferPointer(start: text, count: Int(count)), as: UTF8.self)
    }
  }
}

import FoundationEssentials
import Messages
import TestSupport
import Testing

/// Answers of real servers, which contain other people's data and lie outside of the project. `LUNARA_RECORDINGS` names
/// their folder. Without it the tests that replay them are reported as left out.
enum Recordings {
  /// The folder; nil where none is named.
  static var folder: String? { RecordedAnswers.folder }

  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(folder)
    return Array(try Data(contentsOf: URL(filePath: "\(folder)/plex/\(name)")))
  }

  /// A recorded XML answer in the form that servers give it as JSON, but with every number as a text.
  static func json(ofXML name: String) throws -> [UInt8] {
    var reader = XMLReader(text: String(decoding: try bytes(name), as: UTF8.self))
    let element = reader.element()
    let root = try #require(element, "\(name) is no XML")
    return Array("{\(XMLReader.quoted(root.name)):\(root.json(isContainer: true))}".utf8)
  }
}

/// Parses the subset of XML that the recordings use: elements, attributes, the five entities.
private struct XMLReader {
  struct Element {
    var name: String
    var attributes: [(String, String)] = []
    var children: [Element] = []

    func json(isContainer: Bool = false) -> String {
      var members = attributes.map { "\(XMLReader.quoted($0.0)):\(XMLReader.quoted($0.1))" }
      var lists: [(String, [String])] = []
      for child in children {
        // In JSON, items are called `Metadata`, for which XML has two names; sections and tags are `Directory` in both.
        let isItem = isContainer && child.attributes.contains { $0.0 == "ratingKey" }
        let name = isItem ? "Metadata" : child.name
        if let place = lists.firstIndex(where: { $0.0 == name }) {
          lists[place].1.append(child.json())
        } else {
          lists.append((name, [child.json()]))
        }
      }
      members += lists.map { "\(XMLReader.quoted($0.0)):[\($0.1.joined(separator: ","))]" }
      return "{\(members.joined(separator: ","))}"
    }
  }

  private let text: [Character]
  private var at = 0

  init(text: String) { self.text = Array(text) }

  mutating func element() -> Element? {
    while at < text.count {
      guard let open = text[at...].firstIndex(of: "<") else { return nil }
      at = open + 1
      guard at < text.count, text[at] != "?", text[at] != "!" else { continue }
      guard text[at] != "/" else { return nil }
      var element = Element(name: word())
      while at < text.count {
        skipSpace()
        if text[at] == "/" {
          at += 2
          return element
        }
        if text[at] == ">" {
          at += 1
          break
        }
        let name = word()
        at += 2  // Skips the equals sign and the quote.
        let start = at
        while at < text.count, text[at] != "\"" { at += 1 }
        element.attributes.append((name, Self.plain(String(text[start..<at]))))
        at += 1
      }
      while let child = self.element() { element.children.append(child) }
      while at < text.count, text[at] != ">" { at += 1 }
      at += 1
      return element
    }
    return nil
  }

  private mutating func skipSpace() { while at < text.count, text[at].isWhitespace { at += 1 } }

  private mutating func word() -> String {
    let start = at
    while at < text.count, !text[at].isWhitespace, !"=/>".contains(text[at]) { at += 1 }
    return String(text[start..<at])
  }

  private static func plain(_ text: String) -> String {
    var text = text
    for (entity, sign) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&"),
    ] {
      text = text.replacing(entity, with: sign)
    }
    return text
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..<" ": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

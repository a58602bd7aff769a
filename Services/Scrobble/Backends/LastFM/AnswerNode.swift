import Messages

/// A part of an answer in XML or JSON, as a tree of names and texts. Attributes are children: servers differ in what they
/// make the one or the other. Names are compared without regard to case, as servers differ in that, too.
final class AnswerNode {
  /// In small letters.
  let name: String
  var text: String
  private(set) var children: [AnswerNode] = []

  init(_ name: String, _ text: String = "") {
    self.name = name.lowercased()
    self.text = text
  }

  /// Adds a child.
  func add(_ child: AnswerNode) { children.append(child) }

  /// The first child of a name, given in small letters.
  subscript(_ name: String) -> AnswerNode? { children.first { $0.name == name } }

  /// All children of a name.
  func all(_ name: String) -> [AnswerNode] { children.filter { $0.name == name } }

  /// The text without what surrounds it.
  var words: String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }

  /// The text as a whole number.
  var integer: Int? { Int(words) }
}

extension AnswerNode {
  /// Reads JSON; nil for what is none. `#text` is a node's own text, and the members of `@attr` are its children.
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
}

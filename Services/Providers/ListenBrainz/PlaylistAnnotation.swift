import Text

/// The description of a list, which ListenBrainz keeps as HTML.
enum PlaylistAnnotation {
  /// Returns a text as HTML.
  static func html(_ text: String) -> String {
    var html = ""
    for character in text {
      switch character {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      default: html.append(character)
      }
    }
    return html
  }

  /// Returns the text of HTML: without tags, and with characters in place of their names.
  static func text(_ html: String) -> String {
    var text = ""
    var rest = html[...]
    while let first = rest.first {
      if first == "<", let tag = tag(rest) {
        if ["br", "br/", "/p", "/li", "/div"].contains(name(of: tag)) { text += "\n" }
        rest = rest[tag.endIndex...]
      } else if first == "&", let (character, end) = named(rest) {
        text.append(character)
        rest = rest[end...]
      } else {
        text.append(first)
        rest = rest.dropFirst()
      }
    }
    return text.trimmed
  }

  /// Returns the tag with which a text begins; nil if its sign is only a sign.
  private static func tag(_ text: Substring) -> Substring? {
    guard let next = text.dropFirst().first, next.isLetter || next == "/" || next == "!",
      let end = text.prefix(4096).firstIndex(of: ">")
    else { return nil }
    return text[...end]
  }

  private static func name(of tag: Substring) -> String {
    String(tag.dropFirst().prefix { $0.isLetter || $0 == "/" }).lowercased()
  }

  /// Returns the character whose name or number a text begins with, and the end of the name.
  private static func named(_ text: Substring) -> (Character, String.Index)? {
    guard let end = text.prefix(12).firstIndex(of: ";") else { return nil }
    let name = text[..<end].dropFirst()
    let after = text.index(after: end)
    switch name {
    case "amp": return ("&", after)
    case "lt": return ("<", after)
    case "gt": return (">", after)
    case "quot": return ("\"", after)
    case "apos": return ("'", after)
    case "nbsp": return (" ", after)
    default: break
    }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { Unicode.Scalar($0) }.map { (Character($0), after) }
  }
}

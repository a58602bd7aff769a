/// One command of a client with its arguments.
struct ClientCommand: Equatable {
  /// The most arguments of a command.
  static let argumentLimit = 68

  var name: String
  var arguments: [String]

  /// Reads a line: words between spaces, each plain or in double quotes with `\"` and `\\`.
  ///
  /// - Throws: `CommandError` with the code `unknown` for wrong quoting, and with `argument` for too many words.
  init(line: [UInt8]) throws(CommandError) {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw CommandError(.unknown, "Malformed UTF-8")
    }
    var rest = Substring(text).unicodeScalars[...]
    var name = ""
    while let scalar = rest.first, scalar.isASCII,
      scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9" ~= scalar)
    {
      name.unicodeScalars.append(scalar)
      rest.removeFirst()
    }
    guard !name.isEmpty else { throw CommandError(.unknown, "Letter expected") }
    if let scalar = rest.first, !Self.isSpace(scalar) { throw CommandError(.unknown, "Invalid word character") }
    var arguments: [String] = []
    while true {
      rest = rest.drop(while: Self.isSpace)
      guard let first = rest.first else { break }
      guard arguments.count < Self.argumentLimit else { throw CommandError(.argument, "Too many arguments") }
      arguments.append(first == "\"" ? try Self.quoted(&rest) : try Self.plain(&rest))
    }
    self.name = name
    self.arguments = arguments
  }

  init(_ name: String, _ arguments: [String] = []) {
    self.name = name
    self.arguments = arguments
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.value <= 32 }

  private static func plain(_ rest: inout Substring.UnicodeScalarView) throws(CommandError) -> String {
    var word = ""
    while let scalar = rest.first, !isSpace(scalar) {
      guard scalar != "\"", scalar != "'" else { throw CommandError(.unknown, "Invalid unquoted character") }
      word.unicodeScalars.append(scalar)
      rest.removeFirst()
    }
    return word
  }

  private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(CommandError) -> String {
    var word = ""
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"":
        if let next = rest.first, !isSpace(next) { throw CommandError(.unknown, "Space expected after closing '\"'") }
        return word
      case "\\":
        guard let next = rest.popFirst() else { throw CommandError(.unknown, "Missing closing '\"'") }
        word.unicodeScalars.append(next)
      default: word.unicodeScalars.append(scalar)
      }
    }
    throw CommandError(.unknown, "Missing closing '\"'")
  }
}

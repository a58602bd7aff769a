import Model

struct Arguments: Sendable {
  /// The names of the command and its parents, such as `["queue", "move"]`.
  var path: [String] = []
  /// The values of each given option, by its name; an empty string for each use of an option without a value.
  private(set) var options: [String: [String]] = [:]
  /// The words that are neither options nor values of options, in order.
  var operands: [String] = []
  /// All options that the command has.
  var known: [Option] = []

  mutating func add(_ option: Option, _ value: String) { options[option.name, default: []].append(value) }

  func has(_ option: Option) -> Bool { has(option.name) }
  func has(_ option: String) -> Bool { options[option] != nil }
  func value(_ option: Option) -> String? { options[option.name]?.last }
  /// Returns the values of an option that may be given several times, in order.
  func values(_ option: Option) -> [String] { options[option.name] ?? [] }

  /// Returns the command line that is the same but for one option, quoted for a shell.
  func commandLine(with option: Option, _ value: String) -> String {
    var words = ["lunara"] + path + operands.map(Self.quoted)
    for other in known where other.name != option.name {
      for value in values(other) { words += other.value == nil ? [other.name] : [Self.text(of: other, value)] }
    }
    return (words + [Self.text(of: option, value)]).joined(separator: " ")
  }

  /// Returns what narrows a list, as it was given: these options and the operands; nil if there are none.
  func filter(_ options: [Option]) -> String? {
    let given = options.flatMap { option in
      values(option).map { option.value == nil ? option.name : Self.text(of: option, $0) }
    }
    let words = operands.isEmpty ? [] : ["“\(operands.joined(separator: " "))”"]
    let all = words + given
    return all.isEmpty ? nil : all.joined(separator: " ")
  }

  private static func text(of option: Option, _ value: String) -> String {
    // A value that begins with a dash would be taken for an option.
    "\(option.name)\(value.hasPrefix("-") ? "=" : " ")\(quoted(value))"
  }

  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 48...57: true
        default: "-_./:,@%+=".utf8.contains(byte)
        }
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  func integer(_ option: Option, in range: ClosedRange<Int>) throws -> Int? {
    try value(option).map { try Self.integer($0, in: range, named: option.name) }
  }

  func integer(_ index: Int, _ name: String, in range: ClosedRange<Int>) throws -> Int {
    try Self.integer(operands[index], in: range, named: name)
  }

  /// Returns the number by which a person names a thing, such as a note.
  static func number(_ word: String, _ thing: String) throws -> Int64 {
    guard let number = Int64(word), number > 0 else {
      throw UsageError("A \(thing) is named by its number, not “\(word)”.")
    }
    return number
  }

  func word<Value>(_ index: Int, _ name: String, _ words: [String: Value]) throws -> Value {
    try words[operands[index]].orUsage(
      "\(name) is \(words.keys.sorted().joined(separator: ", ")), not “\(operands[index])”.")
  }

  func word<Value>(_ option: Option, _ words: [String: Value]) throws -> Value? {
    try value(option).map { text in
      try words[text].orUsage(
        "\(option.name) takes one of \(words.keys.sorted().joined(separator: ", ")), not “\(text)”.")
    }
  }

  func duration(_ option: Option) throws -> Milliseconds? {
    try value(option).map { text in
      try Milliseconds(duration: text).orUsage(
        "\(option.name) takes a length of time such as 30s, 10m, 2h or 7d, not “\(text)”.")
    }
  }

  private static func integer(_ text: String, in range: ClosedRange<Int>, named name: String) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      let bounds =
        range.upperBound == .max ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError("\(name) takes a whole number \(bounds), not “\(text)”.")
    }
    return number
  }
}

import Model

/// The options and operands that were given to a command.
struct Arguments: Sendable, Equatable {
  /// The values of each option that was given; empty strings for those that take none.
  private(set) var options: [String: [String]] = [:]
  /// The words that are no options, in order.
  var operands: [String] = []

  /// Notes an option.
  mutating func add(_ option: Option, _ value: String) { options[option.name, default: []].append(value) }

  /// True if an option was given.
  func has(_ option: Option) -> Bool { options[option.name] != nil }
  /// The value of an option.
  func value(_ option: Option) -> String? { options[option.name]?.last }
  /// All values of an option that repeats.
  func values(_ option: Option) -> [String] { options[option.name] ?? [] }

  /// The value of an option as a whole number within a range.
  func integer(_ option: Option, in range: ClosedRange<Int>) throws -> Int? {
    try value(option).map { try Self.integer($0, in: range, named: option.name) }
  }

  /// A word as a whole number within a range.
  func integer(_ index: Int, _ name: String, in range: ClosedRange<Int>) throws -> Int {
    try Self.integer(operands[index], in: range, named: name)
  }

  /// A word as one of those that there are.
  func word<Value>(_ index: Int, _ name: String, _ words: [String: Value]) throws -> Value {
    guard let value = words[operands[index]] else {
      throw UsageError("\(name) is \(Self.list(words.keys)), not “\(operands[index])”.")
    }
    return value
  }

  /// The value of an option as one of the words that there are.
  func word<Value>(_ option: Option, _ words: [String: Value]) throws -> Value? {
    guard let text = value(option) else { return nil }
    guard let value = words[text] else {
      throw UsageError("\(option.name) takes one of \(Self.list(words.keys)), not “\(text)”.")
    }
    return value
  }

  private static func list(_ words: some Sequence<String>) -> String { words.sorted().joined(separator: ", ") }

  /// The value of an option as one of the names of an enumeration.
  func choice<Choice: RawRepresentable<String>>(_ option: Option, of choices: [Choice]) throws -> Choice? {
    try word(option, Dictionary(uniqueKeysWithValues: choices.map { ($0.rawValue, $0) }))
  }

  /// The value of an option as a length of time.
  func duration(_ option: Option) throws -> Milliseconds? {
    guard let text = value(option) else { return nil }
    guard let length = Milliseconds(duration: text) else {
      throw UsageError("\(option.name) takes a length of time such as 30s, 10m, 2h or 7d, not “\(text)”.")
    }
    return length
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

/// The words of a command that are no options, such as the ids of `lunara play ID…`.
struct Operand: Sendable, Hashable {
  /// What stands for them in the help, in capitals.
  let name: String
  /// How many there may be.
  let count: ClosedRange<Int>
  /// One line for the help.
  let help: String

  /// Exactly one word.
  static func one(_ name: String, help: String) -> Operand { Operand(name: name, count: 1...1, help: help) }
  /// A number of words, all needed.
  static func exactly(_ count: Int, _ name: String, help: String) -> Operand {
    Operand(name: name, count: count...count, help: help)
  }
  /// One word or more.
  static func some(_ name: String, help: String) -> Operand { Operand(name: name, count: 1...10_000, help: help) }

  /// As it is written in the help.
  var usage: String { count.upperBound > 1 && count.lowerBound == 1 ? "\(name)…" : name }
}

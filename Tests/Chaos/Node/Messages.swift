import Messages
import Model

/// A fact that survives `kill -9`.
struct Appended: Fact {
  static let kind = "chaos.appended"
  static let survives = Durability.process
  var number: Int
}

/// A fact that survives a power cut.
struct PowerSafeFact: Fact {
  static let kind = "chaos.engraved"
  static let survives = Durability.power
  var number: Int
}

/// Published by a relay for each fact that it applied.
struct Relayed: Fact {
  static let kind = "relay.relayed"
  static let survives = Durability.process
  /// The id of that fact.
  var fact: String
}

/// Appends a number, as one appends a track to a queue.
struct Append: CommandRequest {
  static let kind = "chaos.append"
  typealias Answer = Int
  var number: Int
}

/// Increments a counter, as one skips to the next track. The answer is the counter's value.
struct Next: CommandRequest {
  static let kind = "chaos.next"
  typealias Answer = Int
}

/// Sets a value, as one rates a track; its fact survives a power cut.
struct Rate: CommandRequest {
  static let kind = "chaos.rate"
  typealias Answer = Int
  var value: Int
}

/// Asks how often a command took effect, as a client does when the outcome is unknown.
struct CountEffects: ReadRequest {
  static let kind = "chaos.look"
  typealias Answer = Int
  var command: String
}

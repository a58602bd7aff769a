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

/// Said by a relay for each fact that it took in.
struct Relayed: Fact {
  static let kind = "relay.relayed"
  static let survives = Durability.process
  /// The id of that fact.
  var fact: String
}

/// Puts a number at the end, as one puts a track into a queue.
struct Append: CommandRequest {
  static let kind = "chaos.append"
  typealias Answer = Int
  var number: Int
}

/// Counts on, as one goes on to the next track. The answer is the count.
struct Next: CommandRequest {
  static let kind = "chaos.next"
  typealias Answer = Int
}

/// Sets a value, as one rates a track; its fact is of the higher grade.
struct Rate: CommandRequest {
  static let kind = "chaos.rate"
  typealias Answer = Int
  var value: Int
}

/// Asks how often a command took effect: how one looks when the outcome is unknown.
struct CountEffects: ReadRequest {
  static let kind = "chaos.look"
  typealias Answer = Int
  var command: String
}

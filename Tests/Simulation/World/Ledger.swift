import Model

@testable import Bus

/// What really happened, as nobody in the world can know it.
struct Ledger {
  /// A command that somebody asks for.
  struct Asked {
    var command: Command
    /// Whether its asker was told that it was done.
    var isDone = false
  }

  /// How often a place had lost power and its disk when something was committed there.
  struct Losses: Equatable {
    var place: Int
    var powerCuts: Int
    var wipes: Int
  }

  /// The ids of facts that a power cut took.
  var lost: Set<String> = []
  /// The ids of facts that survive all once they were told.
  var safe: Set<String> = []
  var asked: [String: Asked] = [:]
  /// Which commands of memory took effect, by run and id and by asking.
  var effects: Set<String> = []
  /// When the effects of commands were committed.
  var committed: [String: Losses] = [:]
  /// The commands of memory that were carried out at all.
  var carriedOut: Set<String> = []
  /// How many times things happened, for the report of a run.
  var counts: [String: Int] = [:]

  mutating func count(_ what: String) { counts[what, default: 0] += 1 }
}

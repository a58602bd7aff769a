import Model

@testable import Bus

/// A fake clock for tests of pure types.
struct Clock {
  private(set) var now = ContinuousClock.now
  /// Advances the clock.
  mutating func pass(_ length: Duration) { now += length }
}

/// Invented nodes and messages.
enum Invented {
  static let kitchen = NodeID.playback(RoomName(from: "kitchen"))
  static let den = NodeID.playback(RoomName(from: "den"))
  static let moment = Timestamp(microseconds: 1_795_185_000_123_456)

  static func presence(
    _ node: NodeID = kitchen, epoch: Int64 = 1, startedAt: Int64? = nil, journal: String? = "j", seq: Int64 = 0,
    states: [String: Int64] = [:]
  ) -> NodePresence {
    NodePresence(
      id: node, pid: 42, epoch: epoch, version: "0.1.0", startedAt: Timestamp(seconds: startedAt ?? epoch),
      saidAt: moment, journal: journal.map { JournalPosition(journal: $0, epoch: epoch, seq: seq) }, states: states)
  }

  static let busMetrics = BusMetrics(
    counts: BusMeter(), openRequests: 0, handling: 0, lag: 0, journalHead: 7, statesHeld: 2, peers: 1, peersAway: 0)

  static func envelope(
    _ node: NodeID = kitchen, epoch: Int64 = 1, seq: Int64? = nil, version: Int64? = nil, journal: String? = nil,
    kind: String = "playback.state", payload: String = "{}"
  ) -> Envelope {
    Envelope(
      id: "id", node: node, epoch: epoch, seq: seq, version: version, time: moment, kind: kind, journal: journal,
      payload: Array(payload.utf8))
  }

  static func fact(_ seq: Int64, epoch: Int64 = 1, journal: String = "j", size: Int = 2) -> ReceivedFact {
    ReceivedFact(
      envelope: envelope(
        epoch: epoch, seq: seq, journal: journal, kind: "playback.struck",
        payload: "{" + String(repeating: " ", count: max(0, size - 2)) + "}"))
  }

  static func place(_ seq: Int64, epoch: Int64 = 1, journal: String = "j") -> JournalPosition {
    JournalPosition(journal: journal, epoch: epoch, seq: seq)
  }
}

/// Holds a state machine in a reference, so that `#expect` can call its mutating functions.
final class Machine<State> {
  var state: State
  init(_ state: State) { self.state = state }
  /// Calls a mutating function of the machine.
  func callAsFunction<Result>(_ body: (inout State) -> Result) -> Result { body(&state) }
}

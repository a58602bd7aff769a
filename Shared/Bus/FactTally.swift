import Model
import Synchronization

/// What the readers of a node have taken in, told by whichever task they run on.
final class FactTally: Sendable {
  private struct Key: Hashable {
    var subscription: Int
    var node: NodeID
  }

  private struct State {
    var applied = 0
    var standings: [Key: ReadCursors.Progress] = [:]
  }

  private let state = Mutex(State())

  /// How many facts took effect.
  var applied: Int { state.withLock { $0.applied } }

  /// How far each reader is in each journal that it has met.
  var standings: [ReadCursors.Progress] {
    state.withLock { Array($0.standings.values) }.sorted { ($0.node, $0.reader) < ($1.node, $1.reader) }
  }

  /// A reader stands here now, after so many more facts took effect.
  func note(_ standing: ReadCursors.Progress, of subscription: Int, applied count: Int = 0) {
    state.withLock { state in
      state.applied += count
      state.standings[Key(subscription: subscription, node: standing.node)] = standing
    }
  }

  /// Drops what is kept of a node's journal.
  func forget(_ node: NodeID) {
    state.withLock { state in state.standings = state.standings.filter { $0.key.node != node } }
  }
}

/// Takes note of what goes through to another sink.
struct FactIntake: FactSink {
  let sink: any FactSink
  let tally: FactTally
  let subscription: Int
  /// The only domain whose facts go through, as a replay says those of all; nil for any.
  let domain: String?

  var reader: String? { sink.reader }
  var mayRunOnIOThread: Bool { sink.mayRunOnIOThread }
  var start: ReplayStart { sink.start }

  func place(in node: NodeID, journal: String) async throws -> FactPlace {
    let place = try await sink.place(in: node, journal: journal)
    note(place.here ?? JournalPosition(journal: journal, epoch: 0, seq: 0), in: node)
    return place
  }

  func apply(_ facts: [ReceivedFact], through position: JournalPosition, of node: NodeID) async throws {
    let wanted = domain.map { domain in facts.filter { $0.kind.hasPrefix(domain + ".") } } ?? facts
    try await sink.apply(wanted, through: position, of: node)
    note(position, in: node, applied: wanted.count)
  }

  private func note(_ position: JournalPosition, in node: NodeID, applied count: Int = 0) {
    let standing = ReadCursors.Progress(reader: sink.name, node: node, position: position)
    tally.note(standing, of: subscription, applied: count)
  }
}

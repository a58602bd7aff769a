import Model
import Storage
import Synchronization

/// A reader of facts, which applies them and may store its place.
protocol FactSink: Sendable {
  /// The name under which the place is stored; nil if the reader stores none.
  var reader: String? { get }
  /// True if applying does not block, so that it may run on the I/O thread and no other thread has to be woken.
  var mayRunOnIOThread: Bool { get }
  /// The start to use at the first contact with a node.
  var start: ReplayStart { get }
  /// Returns the stored place in this journal of a node, and that in another journal of the node.
  func place(in node: NodeID, journal: String) async throws -> FactPlace
  /// Applies facts in order and moves the place.
  func apply(_ facts: [ReceivedFact], through position: JournalPosition, of node: NodeID) async throws
}

extension FactSink {
  var name: String { reader.map { "The reader \($0)" } ?? "A reader that keeps no place" }
}

/// Applies facts in the reader's database, in the transaction that moves its cursor.
struct DurableSink: FactSink {
  let cursor: String
  let database: Database
  let body: @Sendable (ReceivedFact, Transaction) throws -> Void

  var reader: String? { cursor }
  /// The database does the work on a thread of its own.
  var mayRunOnIOThread: Bool { true }
  var start: ReplayStart { .oldest }

  /// Looks up the place by the journal's identity and not by the node's name, as a renamed room keeps its journal.
  func place(in node: NodeID, journal: String) async throws -> FactPlace {
    let reader = cursor
    return try await database.read { transaction in
      let here = try transaction.row(
        """
        SELECT journal, epoch, seq FROM bus_cursors WHERE reader = ? AND journal = ?
        ORDER BY epoch DESC, seq DESC LIMIT 1
        """, reader, journal, as: JournalPosition.init)
      let elsewhere = try transaction.row(
        """
        SELECT journal, epoch, seq FROM bus_cursors WHERE reader = ? AND node = ? AND journal <> ?
        ORDER BY moved DESC LIMIT 1
        """, reader, node.description, journal, as: JournalPosition.init)
      return FactPlace(here: here, elsewhere: elsewhere)
    }
  }

  func apply(_ facts: [ReceivedFact], through position: JournalPosition, of node: NodeID) async throws {
    let (reader, body) = (cursor, body)
    try await database.write { transaction in
      for fact in facts { try body(fact, transaction) }
      try transaction.execute(
        """
        INSERT INTO bus_cursors (reader, node, journal, epoch, seq, moved) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq, moved = excluded.moved
        """, reader, node.description, position.journal, position.epoch, position.seq, Timestamp.now().microseconds)
    }
  }
}

/// Passes facts to a function and keeps no place.
struct EphemeralSink: FactSink {
  let start: ReplayStart
  let body: @Sendable (ReceivedFact) async -> Void

  var reader: String? { nil }
  /// The body may block.
  var mayRunOnIOThread: Bool { false }
  func place(in node: NodeID, journal: String) async throws -> FactPlace { FactPlace() }

  func apply(_ facts: [ReceivedFact], through position: JournalPosition, of node: NodeID) async throws {
    for fact in facts { await body(fact) }
  }
}

/// Passes facts on to another sink, and counts them.
struct CountingSink: FactSink {
  /// The progress of all readers of a node. The tasks of all readers update it.
  final class Progress: Sendable {
    private struct State {
      var applied = 0
      /// By subscription and node.
      var readers: [Int: [NodeID: ReadCursors.Progress]] = [:]
    }

    private let state = Mutex(State())

    var applied: Int { state.withLock { $0.applied } }

    var readers: [ReadCursors.Progress] {
      state.withLock { $0.readers.values.flatMap(\.values) }.sorted { ($0.node, $0.reader) < ($1.node, $1.reader) }
    }

    func record(_ progress: ReadCursors.Progress, of subscription: Int, applied count: Int = 0) {
      state.withLock { state in
        state.applied += count
        state.readers[subscription, default: [:]][progress.node] = progress
      }
    }

    func forget(_ node: NodeID) {
      state.withLock { state in for key in state.readers.keys { state.readers[key]?[node] = nil } }
    }
  }

  let sink: any FactSink
  let progress: Progress
  let subscription: Int
  /// The only domain whose facts are passed on, as a replay sends facts of all domains; nil for all of them.
  let domain: String?

  var reader: String? { sink.reader }
  var mayRunOnIOThread: Bool { sink.mayRunOnIOThread }
  var start: ReplayStart { sink.start }

  func place(in node: NodeID, journal: String) async throws -> FactPlace {
    let place = try await sink.place(in: node, journal: journal)
    record(place.here ?? JournalPosition(journal: journal, epoch: 0, seq: 0), in: node)
    return place
  }

  func apply(_ facts: [ReceivedFact], through position: JournalPosition, of node: NodeID) async throws {
    let wanted = domain.map { domain in facts.filter { $0.kind.hasPrefix(domain + ".") } } ?? facts
    try await sink.apply(wanted, through: position, of: node)
    record(position, in: node, applied: wanted.count)
  }

  private func record(_ position: JournalPosition, in node: NodeID, applied count: Int = 0) {
    progress.record(
      ReadCursors.Progress(reader: sink.name, node: node, position: position), of: subscription, applied: count)
  }
}

import Messages
import Model
import Storage

/// Where a reader's facts go and where its place is kept.
protocol FactSink: Sendable {
  /// The name under which the place is kept; nil for one that keeps none.
  var reader: String? { get }
  /// Whether what it does blocks nothing, so that no other thread need be woken for it.
  var mayRunOnIOThread: Bool { get }
  /// Where to begin at the first contact.
  var start: ReplayStart { get }
  /// The place reached before in a journal of a node, or in another of its journals.
  func place(in node: NodeID, journal: String) async throws -> FactPlace
  /// Applies facts in order and moves the place.
  func apply(_ facts: [ReceivedFact], through position: JournalPosition, of node: NodeID) async throws
}

extension FactSink {
  /// Who reads, in words for a person.
  var name: String { reader.map { "The reader \($0)" } ?? "A reader that keeps no place" }
}

/// Facts take effect in the reader's database, in the transaction that moves its cursor.
struct DurableSink: FactSink {
  /// The cursor's name.
  let cursor: String
  let database: Database
  let body: @Sendable (ReceivedFact, Transaction) throws -> Void

  var reader: String? { cursor }
  /// The database has a thread of its own.
  var mayRunOnIOThread: Bool { true }
  var start: ReplayStart { .oldest }

  /// The journal counts, not the name: a room that was renamed keeps its journal.
  func place(in node: NodeID, journal: String) async throws -> FactPlace {
    let reader = cursor
    return try await database.read { transaction in
      let here = try transaction.row(
        "SELECT epoch, seq FROM bus_cursors WHERE reader = ? AND journal = ? ORDER BY epoch DESC, seq DESC LIMIT 1",
        reader, journal
      ) { JournalPosition(journal: journal, epoch: try $0.value(0), seq: try $0.value(1)) }
      let elsewhere = try transaction.row(
        """
        SELECT journal, epoch, seq FROM bus_cursors WHERE reader = ? AND node = ? AND journal <> ?
        ORDER BY moved DESC LIMIT 1
        """, reader, node.description, journal
      ) { JournalPosition(journal: try $0.value(0), epoch: try $0.value(1), seq: try $0.value(2)) }
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

/// Facts are shown and forgotten.
struct EphemeralSink: FactSink {
  let start: ReplayStart
  let body: @Sendable (ReceivedFact) async -> Void

  var reader: String? { nil }
  /// What its body does is not known.
  var mayRunOnIOThread: Bool { false }
  func place(in node: NodeID, journal: String) async throws -> FactPlace { FactPlace() }

  func apply(_ facts: [ReceivedFact], through position: JournalPosition, of node: NodeID) async throws {
    for fact in facts { await body(fact) }
  }
}

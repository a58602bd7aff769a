import Model
import Storage

/// Reading facts in pages.
extension Journal {
  /// The number of bytes that a fact takes in a page besides its payload: about the size of its envelope.
  private static let envelopeSize = 250
  private static let pageLength = 512

  /// Returns the facts that follow a start, oldest first: at most `sizeLimit` bytes as they are sent, but at least one
  /// fact.
  ///
  /// Facts that are not yet committed with their durability are left out, as they may still be lost.
  ///
  /// - Throws: `bus.journalDamaged` if they cannot be read; the next start of the service then salvages the database.
  func page(from start: ReplayStart, sizeLimit: Int = 48 * 1024) async throws -> JournalPage {
    do {
      return try await read(start, sizeLimit)
    } catch let error as LunaraError where error.code == "storage.corrupt" {
      Salvage.request(for: database.path)
      throw LunaraError(
        "bus.journalDamaged",
        "A part of the journal in \(database.path) is damaged. Restart the service: it saves all that can be read.",
        cause: error.cause)
    }
  }

  private func read(_ start: ReplayStart, _ sizeLimit: Int) async throws -> JournalPage {
    let current = current
    return try await database.read { reader in
      var index = current
      // The oldest number is read again, so that facts that were pruned meanwhile are counted as missed.
      index.oldest = min(try reader.number("SELECT min(seq) FROM bus_facts") ?? .max, index.head + 1)
      let beginning = try index.beginning(of: start) { moment in
        try index.first(since: moment) { seq in
          try reader.row("SELECT time FROM bus_facts WHERE seq >= ? ORDER BY seq LIMIT 1", seq) { try $0.value(0) }
        }
      }
      let (first, head) = (beginning.first, index.head)
      let sizes: [(seq: Int64, size: Int)] = try reader.rows(
        "SELECT seq, length(payload) FROM bus_facts WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?", first, head,
        Self.pageLength
      ) { (try $0.value(0), try $0.value(1)) }
      var size = 0
      var last: Int64?
      for row in sizes {
        size += row.size + Self.envelopeSize
        // A fact that does not fit ends the page, so that no later fact comes before it.
        if size > sizeLimit, last != nil { break }
        last = row.seq
      }
      let facts: [JournaledFact] =
        try last.map { last in
          try reader.rows(
            "SELECT seq, epoch, id, kind, time, payload FROM bus_facts WHERE seq BETWEEN ? AND ? ORDER BY seq", first,
            last, as: JournaledFact.init(row:))
        } ?? []
      return JournalPage(
        facts: facts, through: index.place(through: facts.last.map { ($0.seq, $0.epoch) }), head: head,
        oldest: index.oldest, missed: beginning.missed)
    }
  }
}

struct JournalPage: Sendable {
  var facts: [JournaledFact]
  var through: JournalPosition
  var head: Int64
  /// The smallest sequence number that is kept.
  var oldest: Int64 = 1
  /// The number of facts that the reader has yet to read but that are no longer kept.
  var missed: Int64 = 0
}

/// A fact as the journal stores it.
struct JournaledFact: Sendable {
  var seq: Int64
  var epoch: Int64
  var id: String
  var kind: String
  var time: Timestamp
  var payload: [UInt8]
  /// The node from which a replay recorded the fact.
  var recordedOf: NodeID?
}

extension JournaledFact {
  init(row: borrowing Row) throws {
    self.init(
      seq: try row.value(0), epoch: try row.value(1), id: try row.value(2), kind: try row.value(3),
      time: try row.value(4), payload: try row.value(5))
  }

  func envelope(from node: NodeID, journal: String) -> Envelope {
    Envelope(
      id: id, node: node, epoch: epoch, seq: seq, time: time, kind: kind, journal: journal,
      recordedOf: recordedOf, payload: payload)
  }
}

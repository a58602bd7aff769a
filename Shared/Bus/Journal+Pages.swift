import Model
import Storage

/// Reading facts back, a page at a time.
extension Journal {
  /// How much of a page is spent on a fact besides its payload, in bytes: about what its envelope takes.
  private static let envelopeSize = 250
  private static let pageLength = 512

  /// The facts that follow a starting point, oldest first: at most `sizeLimit` bytes as they are sent, but at least
  /// one fact.
  ///
  /// Facts whose commit is not yet acknowledged at its grade are left out: what nobody was told of may still be lost.
  func page(from start: ReplayStart, sizeLimit: Int = 48 * 1024) async throws -> JournalPage {
    let (identity, current, head) = (identity, epoch, head)
    return try await database.read { reader in
      let first = try Self.resolve(start, identity: identity, head: head, in: reader)
      let sizes: [(seq: Int64, size: Int)] = try reader.rows(
        "SELECT seq, length(payload) FROM bus_facts WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?", first, head,
        Self.pageLength
      ) { (try $0.value(0), try $0.value(1)) }
      var size = 0
      var last: Int64?
      for row in sizes {
        size += row.size + Self.envelopeSize
        // What does not fit ends the page: a smaller fact behind it must not overtake it.
        if size > sizeLimit, last != nil { break }
        last = row.seq
      }
      let facts: [JournaledFact] =
        try last.map { last in
          try reader.rows(
            "SELECT seq, epoch, id, kind, time, payload FROM bus_facts WHERE seq BETWEEN ? AND ? ORDER BY seq", first,
            last, as: JournaledFact.init(row:))
        } ?? []
      let through: JournalPosition
      if let end = facts.last, end.seq < head {
        through = JournalPosition(journal: identity, epoch: end.epoch, seq: end.seq)
      } else {
        // A reader that has all of them stands in this epoch, whichever wrote the last one.
        through = JournalPosition(journal: identity, epoch: current, seq: head)
      }
      return JournalPage(facts: facts, through: through, head: head)
    }
  }

  /// The first sequence number to send for a start.
  private static func resolve(_ start: ReplayStart, identity: String, head: Int64, in reader: ReadTransaction) throws
    -> Int64
  {
    switch start {
    case .oldest: return 1
    case .head: return head + 1
    case .since(let time): return try first(since: time, head: head, in: reader)
    case .after(let position):
      guard position.journal == identity else { return 1 }
      // A fact of a later epoch may bear a number that one lost in a power cut had before.
      let later: Int64 =
        try reader.row("SELECT min(first) FROM bus_epochs WHERE epoch > ?", position.epoch) { row -> Int64? in
          try row.value(0)
        }.flatMap { $0 } ?? .max
      return min(max(0, position.seq) &+ 1 > 0 ? max(0, position.seq) &+ 1 : .max, later)
    }
  }

  /// The first fact at or after a moment, found by halving: times grow with the numbers, but for steps of the clock.
  private static func first(since time: Timestamp, head: Int64, in reader: ReadTransaction) throws -> Int64 {
    var low: Int64 = 1
    var high = head + 1
    while low < high {
      let middle = low + (high - low) / 2
      let found: Int64? = try reader.row(
        "SELECT time FROM bus_facts WHERE seq >= ? ORDER BY seq LIMIT 1", middle
      ) { try $0.value(0) }
      if let found, found < time.microseconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A run of facts.
struct JournalPage: Sendable {
  var facts: [JournaledFact]
  /// Where the reader stands after it.
  var through: JournalPosition
  /// The last sequence number there is.
  var head: Int64
}

/// Where a replay begins.
enum ReplayStart: Hashable, Sendable {
  /// With the oldest fact kept.
  case oldest
  /// With what is yet to come.
  case head
  /// With the first fact at or after a moment of the publisher's clock.
  case since(Timestamp)
  /// Behind a cursor, as the publisher resolves it.
  case after(JournalPosition)
}

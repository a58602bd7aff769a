import Bus
package import Messages
package import Model
package import Records
import ServiceKit
package import Storage

/// The queue of plays that are still to be sent to the servers that have their tracks.
///
/// A play is added, once for each server, in the transaction that records the counted listen, and ends when the server
/// has counted it. Before it is sent, the server's own count of the track is stored: after a crash that count shows
/// whether the server got the play, so it is neither lost nor counted twice.
package enum PlayOutbox {
  package enum Stage: Int, SQLBindable {
    /// No request was sent to the server yet.
    case waiting
    /// The server's count is stored, and the play may have been sent.
    case sending
    /// The server has counted it.
    case sent
    /// The server no longer has the track, or refuses the play.
    case parked
  }

  package struct Entry: OutboxItem, Hashable {
    package var id: Int64
    package var source: String
    var track: Int64
    /// The start of the listen; for a play that an earlier version added, the time when it counted.
    package var startedAt: Timestamp
    /// The server's count before the play was sent; nil if it was not asked yet, or cannot say.
    package var before: Int?
    package var isSending: Bool
    /// The number of times that the server has refused it.
    package var failures: Int
    /// The server's own id of the track now; nil if it no longer has it.
    package var native: String?

    package var destination: String { source }
  }

  /// The number of refusals after which a play is parked; errors while a server is unreachable do not count.
  package static let mostFailures = 10

  /// The days for which sent plays are kept, so that a fact that comes once more changes nothing.
  private static let keptDays: Int64 = 400
  /// The days for which parked plays are reported.
  private static let parkedDays: Int64 = 30

  /// Adds a counted listen, once for each server that has its track and receives plays. Returns true if any was added.
  package static func enqueue(
    _ counted: Scrobble.ListenCounted, at time: Timestamp, _ kinds: SourceKinds, _ transaction: Transaction
  ) throws -> Bool {
    // Servers may pass plays on to others, so private ones are not sent.
    guard !counted.isPrivate else { return false }
    let stage = try PlayRestoreReconciliation.isInDoubt(counted.subject.startedAt, transaction) ? Stage.sent : .waiting
    var isAdded = false
    let heard = try Catalogue.heardTrack(of: counted.subject.item, transaction).id
    var copies = try copies(of: heard, transaction).map(\.id)
    // A track that is no longer listed is known by its own id alone; its server may have it again.
    if copies.isEmpty { copies = [heard] }
    for copy in copies where try receivesPlays(copy.source, kinds, transaction) {
      guard let number = CatalogueID.number(of: copy, .track) else { continue }
      isAdded =
        try transaction.execute(
          """
          INSERT OR IGNORE INTO play_outbox (listen, source, track, counted_at, stage, started_at)
          VALUES (?, ?, ?, ?, ?, ?)
          """, counted.subject.listen, copy.source, number, time, stage, counted.subject.startedAt) > 0 || isAdded
    }
    return isAdded
  }

  /// Returns one copy of a track for each server that has it: the copy that was played, else the server's best one.
  /// Returns none for a track that is no longer listed.
  package static func copies(
    of track: TrackID, _ transaction: ReadTransaction
  ) throws -> [(id: TrackID, native: String)] {
    guard try Catalogue.find(.track, track, transaction) != nil else { return [] }
    var copies: [(id: TrackID, native: String)] = []
    for copy in try Catalogue.copies(of: track, transaction) {
      guard let native = copy.native else { continue }
      if let index = copies.firstIndex(where: { $0.id.source == copy.id.source }) {
        if copy.id == track { copies[index] = (copy.id, native) }
      } else {
        copies.append((copy.id, native))
      }
    }
    return copies
  }

  private static func receivesPlays(_ source: String, _ kinds: SourceKinds, _ transaction: ReadTransaction) throws
    -> Bool
  {
    try transaction.row("SELECT kind, settings FROM sources WHERE name = ?", source) {
      kinds[try $0.value(0) as String]?.receivesPlays(try $0.value(1)) ?? false
    } ?? false
  }

  /// Returns the play of each source that must be sent next: the oldest of those with the fewest refusals. Plays of
  /// one track keep their order, as the server's count would say nothing otherwise.
  package static func next(_ transaction: ReadTransaction) throws -> [Entry] {
    let sources: [String] = try transaction.values("SELECT DISTINCT source FROM play_outbox WHERE stage < 2")
    return try sources.compactMap { source in
      let entry = try transaction.row(
        """
        SELECT id, source, track, ifnull(started_at, counted_at), count_before, stage, failures FROM play_outbox o
        WHERE source = ? AND stage < 2 AND NOT EXISTS (SELECT 1 FROM play_outbox q
          WHERE q.source = o.source AND q.track = o.track AND q.stage < 2 AND q.id < o.id)
        ORDER BY failures, id LIMIT 1
        """, source
      ) { row in
        Entry(
          id: try row.value(0), source: try row.value(1), track: try row.value(2), startedAt: try row.value(3),
          before: try row.value(4), isSending: (try row.value(5) as Int) == Stage.sending.rawValue,
          failures: try row.value(6))
      }
      guard var entry else { return nil }
      entry.native = try native(of: entry.track, at: source, transaction)
      return entry
    }.sorted { $0.id < $1.id }
  }

  /// Returns the server's own id of a track; for one that is gone, that of another copy at the server.
  private static func native(of track: Int64, at source: String, _ transaction: ReadTransaction) throws -> String? {
    try transaction.value("SELECT native FROM tracks WHERE id = ? AND source = ?", track, source)
      ?? copies(of: TrackID(source: source, native: "t\(track)"), transaction).first { $0.id.source == source }?.native
  }

  /// Stores that a play is about to be sent, and how often the server has counted the track so far.
  package static func storeSending(_ id: Int64, before: Int?, _ transaction: Transaction) throws {
    // After a power cut the server must not have a play that this row does not know of.
    transaction.requireDurability(.power)
    try transaction.execute(
      "UPDATE play_outbox SET stage = ?, count_before = ? WHERE id = ?", Stage.sending, before, id)
  }

  /// Stores that sending a play failed. `isRefused` counts a refusal; `wasNotSent` makes the play a waiting one again.
  package static func fail(_ id: Int64, isRefused: Bool, wasNotSent: Bool, _ transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE play_outbox SET failures = failures + ?, stage = CASE WHEN ? THEN 0 ELSE stage END WHERE id = ?",
      isRefused ? 1 : 0, wasNotSent, id)
  }

  package static func end(_ id: Int64, _ stage: Stage, problem: LunaraError? = nil, _ transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE play_outbox SET stage = ?, problem = ? WHERE id = ?", stage, problem?.code, id)
    for (stage, days) in [(Stage.sent, keptDays), (.parked, parkedDays)] {
      try transaction.execute(
        """
        DELETE FROM play_outbox WHERE stage = ?1
        AND counted_at < (SELECT counted_at FROM play_outbox WHERE id = ?2) - ?3
        """, stage, id, days * 86_400_000_000)
    }
  }

  /// Returns true if a server has counted a play, by its counts before and now. Returns true if a count is missing:
  /// a lost play is less wrong than one that is counted twice.
  package static func wasCounted(before: Int?, now: Int?) -> Bool {
    guard let before, let now else { return true }
    return now > before
  }

  /// Returns the problem that a person should know about a source's plays; nil if there is none.
  static func problem(of source: String, _ transaction: ReadTransaction) throws -> LunaraError? {
    let count: Int? = try transaction.value("SELECT count(*) FROM play_outbox WHERE source = ? AND stage = 3", source)
    guard let count, count > 0 else { return nil }
    return LunaraError(
      "library.playsNotTaken",
      "\(source) has not taken \(count == 1 ? "a play" : "\(count) plays") of the last 30 days: it refused them, or no longer has the tracks. They stay in the history here; see the server's log."
    )
  }
}

/// Decides after a restore which plays are still to be sent: a database from a backup, or saved from damage, does not
/// know which plays were sent since. A play that is sent twice is worse than a lost one.
package enum PlayRestoreReconciliation {
  /// Returns true if a play that comes from a journal may have been sent before the restore.
  static func isInDoubt(_ startedAt: Timestamp, _ transaction: ReadTransaction) throws -> Bool {
    guard let restoredAt = try Journal.restoredAt(transaction) else { return false }
    return startedAt < restoredAt
  }

  /// Handles all waiting plays once after each restore, before a server is read. They become `sending`, with the count
  /// that the catalogue has of the server: as after a crash, the server's count now shows whether a play was sent.
  /// Plays of tracks without such a count become `sent`.
  package static func resolveWaiting(_ transaction: Transaction) throws {
    guard let restoredAt = try Journal.restoredAt(transaction) else { return }
    let settledAt: Timestamp? = try transaction.value("SELECT settled_at FROM play_restores")
    if let settledAt, settledAt >= restoredAt {
      // `settledAt` is later only where the clock was ahead then and was corrected since.
      try transaction.execute("UPDATE play_restores SET settled_at = ?", restoredAt)
      return
    }
    try transaction.execute("INSERT OR REPLACE INTO play_restores (one, settled_at) VALUES (1, ?)", restoredAt)
    // The count before a play includes the plays of the same track that are sent before it.
    try transaction.execute(
      """
      UPDATE play_outbox SET stage = 1, count_before =
        (SELECT server_plays FROM tracks t WHERE t.id = play_outbox.track AND t.source = play_outbox.source)
        + (SELECT count(*) FROM play_outbox q WHERE q.source = play_outbox.source AND q.track = play_outbox.track
            AND q.stage < 2 AND q.id < play_outbox.id)
      WHERE stage = 0
      """)
    try transaction.execute("UPDATE play_outbox SET stage = 2 WHERE stage = 1 AND count_before IS NULL")
  }
}

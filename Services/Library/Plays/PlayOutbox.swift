import Bus
import Messages
import Model
import Storage

/// Plays that are on their way to the servers their tracks come from.
///
/// A play enters in the transaction that takes in that it counted, and leaves when the server has counted it. Before a
/// server is told, its own count is noted: after a crash the count says whether it was told, so a play is neither lost
/// nor counted twice.
enum PlayOutbox {
  static let migration = Migration(
    "plex-outbox-1",
    """
    CREATE TABLE play_outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, listen TEXT NOT NULL UNIQUE, source TEXT NOT NULL,
      track INTEGER NOT NULL, counted_at INTEGER NOT NULL, stage INTEGER NOT NULL DEFAULT 0, count_before INTEGER,
      problem TEXT)
    """,
    "CREATE INDEX plays_to_send ON play_outbox (id) WHERE stage < 2")

  /// How far a play is.
  enum Stage: Int {
    /// Nothing was asked of the server.
    case waiting
    /// The server's count is noted; it may have been told.
    case telling
    /// The server has counted it.
    case told
    /// The server no longer has the track.
    case parked
  }

  /// A play that is to be sent.
  struct Entry: Hashable, Sendable {
    var id: Int64
    var source: String
    var track: Int64
    var countedAt: Timestamp
    /// The server's count before it was told; nil where nothing was asked yet.
    var before: Int?
    var isTelling: Bool
    /// The server's own id of the track now; nil where it no longer has it.
    var native: String?
  }

  /// How long plays that are done are kept, so that a fact that comes once more changes nothing.
  private static let keptDays: Int64 = 400

  /// Takes in a fact; whether a play was added. Other facts than a counted listen of a server's track are passed over.
  @discardableResult
  static func take(_ fact: ReceivedFact, _ transaction: Transaction) throws -> Bool {
    guard let counted = try fact.decode(Scrobble.ListenCounted.self) else { return false }
    return try take(counted, at: fact.time, transaction)
  }

  static func take(_ counted: Scrobble.ListenCounted, at time: Timestamp, _ transaction: Transaction) throws -> Bool {
    let track = counted.subject.item.track.id
    guard case .track(let number) = CatalogueID(track) else { return false }
    let kind: String? = try transaction.row("SELECT kind FROM sources WHERE name = ?", track.source) { try $0.value(0) }
    guard kind == PlexServer.kind else { return false }
    return try transaction.execute(
      "INSERT OR IGNORE INTO play_outbox (listen, source, track, counted_at) VALUES (?, ?, ?, ?)",
      counted.subject.listen, track.source, number, time) > 0
  }

  /// The oldest play that is still to be sent, of each source one.
  static func next(_ transaction: ReadTransaction) throws -> [Entry] {
    try transaction.rows(
      """
      SELECT o.id, o.source, o.track, o.counted_at, o.count_before, o.stage,
        (SELECT native FROM tracks t WHERE t.id = o.track AND t.source = o.source)
      FROM play_outbox o
      WHERE o.id IN (SELECT min(id) FROM play_outbox WHERE stage < 2 GROUP BY source) ORDER BY o.id
      """
    ) { row in
      Entry(
        id: try row.value(0), source: try row.value(1), track: try row.value(2), countedAt: try row.value(3),
        before: try row.value(4), isTelling: (try row.value(5) as Int) == Stage.telling.rawValue,
        native: try row.value(6))
    }
  }

  /// Notes that the server is about to be told, and how often it has counted the track so far.
  static func note(_ id: Int64, before: Int?, _ transaction: Transaction) throws {
    // The server must not know more than the disk does after a power cut.
    transaction.requireSurvival(.power)
    try transaction.execute(
      "UPDATE play_outbox SET stage = ?, count_before = ? WHERE id = ?", Stage.telling.rawValue, before, id)
  }

  /// Notes how a play ended.
  static func end(_ id: Int64, _ stage: Stage, problem: LunaraError? = nil, _ transaction: Transaction) throws {
    try transaction.execute(
      "UPDATE play_outbox SET stage = ?, problem = ? WHERE id = ?", stage.rawValue, problem?.code, id)
    try transaction.execute(
      """
      DELETE FROM play_outbox WHERE stage = ?1
      AND counted_at < (SELECT counted_at FROM play_outbox WHERE id = ?2) - ?3
      """, Stage.told.rawValue, id, keptDays * 86_400_000_000)
  }
}

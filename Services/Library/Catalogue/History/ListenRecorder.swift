import Bus
import Messages
import Model
import Records
import ServiceKit
import Storage

/// Records the facts that playback and scrobble publish about listens, by the listen's id: a fact that comes twice
/// changes nothing, and the facts of one listen may come in any order.
struct ListenRecorder: Sendable {
  /// The reader's name, under which the position in each journal is kept.
  static let reader = "library"

  let log: Log
  /// The journal for reports of played albums; nil for none.
  var journal: Journal?
  var counted: @Sendable (ReceivedFact, Transaction) throws -> Void = { _, _ in }

  /// Handles a fact; all but the end of a listen and a listen that counted are ignored.
  ///
  /// A fact that cannot be decoded is stored apart and logged, as it would otherwise hold up all facts behind it.
  func handle(_ fact: ReceivedFact, in transaction: Transaction) throws {
    let counted: Scrobble.ListenCounted?
    let ended: Playback.ListenEnded?
    do {
      counted = try fact.decode(Scrobble.ListenCounted.self)
      ended = try fact.decode(Playback.ListenEnded.self)
    } catch {
      return try UnreadableFacts.keep(
        fact, LunaraError(error), as: "library.unreadableFact", log: log, in: transaction)
    }
    if let counted {
      try record(counted, at: fact.time, transaction)
      try self.counted(fact, transaction)
    }
    if let ended { try ListenRows.record(ended, transaction) }
  }

  /// Stores a listen that counted, and reports the album that has one play more.
  func record(_ counted: Scrobble.ListenCounted, at time: Timestamp, _ transaction: Transaction) throws {
    guard let album = try ListenRows.record(counted, at: time, transaction) else { return }
    try journal?.append(Library.AlbumPlayed(album: album, at: time), in: transaction)
  }
}

enum ListenRows {
  /// Stores a listen that counted, and the time when its track and album were played last. Returns the album that
  /// has one play more; nil if the listen had counted already, or if its track is not in the library.
  @discardableResult static func record(
    _ counted: Scrobble.ListenCounted, at time: Timestamp, _ transaction: Transaction
  ) throws -> AlbumID? {
    try keep(counted.subject, heard: counted.heard, transaction)
    let isNew = try transaction.execute(
      "UPDATE listens SET outcome = ?, counted_at = ?, is_shareable = ? WHERE listen = ? AND outcome <> ?1",
      ListenOutcome.counted, time, counted.withheld == nil, counted.subject.listen)
    guard isNew > 0 else { return nil }
    let track = try Catalogue.heardTrack(of: counted.subject.item, transaction)
    try removeImported(counted.subject, track, transaction)
    return try mark(track.id, heardAt: time, transaction)
  }

  /// Removes the imported copy of the same listen: a service may report it before the room does.
  private static func removeImported(
    _ subject: Playback.ListenSubject, _ track: Track, _ transaction: Transaction
  ) throws {
    guard let row: Int64 = try transaction.value("SELECT track FROM listens WHERE listen = ?", subject.listen),
      let double = try ListenDoubles(transaction).find(
        at: subject.startedAt,
        .init(row: row, shown: try Catalogue.find(.track, track.id, transaction), track: track), areOnlyImported: true)
    else { return }
    try transaction.execute("DELETE FROM listens WHERE id = ?", double)
  }

  /// Stores a listen that has ended. One that a person left early is a skip, unless it counted.
  static func record(_ ended: Playback.ListenEnded, _ transaction: Transaction) throws {
    // A listen in which nothing was played is stored only if a person skipped the track, not if it could not be played.
    guard ended.heard > .zero || ended.reason == .skipped else { return }
    try keep(ended.subject, heard: ended.heard, transaction)
    if ended.reason == .finished { try learnLength(of: ended.subject.item, transaction) }
    guard ended.reason == .skipped else { return }
    try transaction.execute(
      "UPDATE listens SET outcome = ? WHERE listen = ? AND outcome = ?", ListenOutcome.skipped,
      ended.subject.listen, ListenOutcome.heard)
  }

  /// Stores the length that a room found for a track whose source gives none.
  private static func learnLength(of item: QueueItem, _ transaction: Transaction) throws {
    guard item.described == nil, item.track.duration > .zero, item.track.duration <= longestLearned,
      let number = CatalogueID.number(of: item.track.id, .track)
    else { return }
    let changed = try transaction.execute(
      "UPDATE tracks SET duration = ? WHERE id = ? AND duration <= 0", item.track.duration, number)
    guard changed > 0 else { return }
    try transaction.execute(
      "UPDATE albums SET duration = duration + ? WHERE id = (SELECT shelf FROM tracks WHERE id = ?)",
      item.track.duration, number)
  }

  private static let longestLearned = Milliseconds(24 * 3_600_000)

  /// Adds the row of a listen, or raises the heard time of its row; the heard time never becomes less.
  private static func keep(
    _ subject: Playback.ListenSubject, heard: Milliseconds, _ transaction: Transaction
  ) throws {
    let known = try transaction.execute(
      "UPDATE listens SET heard = max(heard, ?) WHERE listen = ?", heard, subject.listen)
    guard known == 0 else { return }
    try transaction.execute(
      """
      INSERT INTO listens (listen, track, room, started_at, day, heard, outcome)
      VALUES (?1, ?2, ?3, ?4, \(History.day("?4")), ?5, ?6)
      """, subject.listen, try row(of: Catalogue.heardTrack(of: subject.item, transaction), transaction), subject.room,
      subject.startedAt, heard, ListenOutcome.heard)
  }

  /// Returns the id of the row for a track with these tags, and adds the row where there is none.
  private static func row(of track: Track, _ transaction: Transaction) throws -> Int64 {
    var track = track
    // Rating and loudness do not tell one played track from another.
    track.rating = nil
    track.levels = nil
    let body = String(decoding: try MessageCoding.encode(track), as: UTF8.self)
    let known: Int64? = try transaction.value(
      "SELECT id FROM listen_tracks WHERE track = ? AND body = ?", track.id, body)
    if let known { return known }
    let identity = TrackIdentity(
      artist: track.albumArtist, album: track.album, disc: track.disc, number: track.number, title: track.title)
    let keys = track.id.isDescribed ? DescribedListenTracks.keys(of: track) : nil
    try transaction.execute(
      """
      INSERT INTO listen_tracks (track, number, album, identity, body, title_key, artist_key)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, track.id, CatalogueID.number(of: track.id, .track), CatalogueID.number(of: track.albumID, .album),
      identity.hash64, body, keys?.title, keys?.artist)
    return transaction.lastInsertedRowID
  }

  /// Stores when a track was played last, and returns the album that is shown for it; nil for an unknown track.
  @discardableResult static func mark(
    _ id: TrackID, heardAt time: Timestamp, _ transaction: Transaction
  ) throws -> AlbumID? {
    guard let shown = try Catalogue.find(.track, id, transaction) else { return nil }
    // The copy that was played and the one that is shown may be two rows: both are marked.
    if let number = CatalogueID.number(of: id, .track) {
      try transaction.execute("UPDATE tracks SET heard_at = max(heard_at, ?) WHERE id IN (?, ?)", time, number, shown)
    }
    try transaction.execute("UPDATE tracks SET played_at = max(played_at, ?) WHERE id = ?", time, shown)
    try transaction.execute(
      "UPDATE albums SET played_at = max(played_at, ?) WHERE id = (SELECT shelf FROM tracks WHERE id = ?)", time, shown)
    return try transaction.value(
      "SELECT a.source || ':a' || a.id FROM albums a WHERE a.id = (SELECT shelf FROM tracks WHERE id = ?)", shown)
  }
}

extension Catalogue {
  /// Returns the track that was played: for a described one the track of the library that it means, where there is one.
  static func heardTrack(of item: QueueItem, _ transaction: ReadTransaction) throws -> Track {
    guard let described = item.described else { return item.track }
    return try TrackMatcher(roots: [], transaction: transaction).track(described) ?? item.track
  }
}

extension ListenRows {
  /// Assigns the listens of removed tracks to tracks that came back under new numbers, such as those of a source that
  /// was removed and added again: by artist, album, position and title. Called when a refresh brought new tracks.
  static func restore(_ transaction: Transaction) throws {
    let lost = """
      SELECT h.id, h.identity FROM listen_tracks h WHERE h.identity <> 0
        AND NOT EXISTS (SELECT 1 FROM tracks WHERE id = h.number)
        AND \(Successors.of(.track, "h.number")) IS NULL
      """
    // Mostly nothing is lost, and the tracks are not read at all.
    guard try transaction.value("\(lost) LIMIT 1") as Int64? != nil else { return }
    let found = try transaction.rows(
      """
      WITH lost AS MATERIALIZED (\(lost))
      SELECT lost.id, min(t.id) FROM tracks t CROSS JOIN lost ON lost.identity = t.identity GROUP BY lost.id
      """
    ) { (heard: try $0.value(0) as Int64, track: try $0.value(1) as Int64) }
    for (heard, track) in found {
      try transaction.execute(
        "UPDATE listen_tracks SET number = ?1, album = (SELECT album FROM tracks WHERE id = ?1) WHERE id = ?2", track,
        heard)
      let last = try transaction.row(
        """
        SELECT t.source || ':t' || t.id, (SELECT max(counted_at) FROM listens WHERE track = ?) FROM tracks t WHERE t.id = ?
        """, heard, track
      ) { (id: try $0.value(0) as TrackID, time: try $0.value(1) as Timestamp?) }
      guard let last, let time = last.time else { continue }
      try mark(last.id, heardAt: time, transaction)
    }
  }
}

package enum ListenOutcome: Int, SQLBindable, SQLReadable {
  /// It neither counted nor was skipped: it was too short, failed, or has not ended.
  case heard = 0
  /// Enough of it was played.
  case counted = 1
  /// A person left it early.
  case skipped = 2
}

import Messages
import Model
import Storage

/// Writes the rows of listens.
enum Plays {
  /// Keeps a listen that counted, and when its track and album were heard last.
  ///
  /// - Returns: whether it had not counted before.
  @discardableResult
  static func record(_ counted: Scrobble.ListenCounted, at time: Timestamp, _ transaction: Transaction) throws -> Bool {
    try keep(counted.subject, heard: counted.heard, transaction)
    let isNew = try transaction.execute(
      "UPDATE listens SET outcome = ?, counted_at = ? WHERE listen = ? AND outcome <> ?1",
      ListenOutcome.counted.rawValue, time, counted.subject.listen)
    guard isNew > 0 else { return false }
    try mark(counted.subject.item.track.id, heardAt: time, transaction)
    return true
  }

  /// Keeps a listen that is over. One that a person left early is a skip, unless it counted.
  static func record(_ ended: Playback.ListenEnded, _ transaction: Transaction) throws {
    // What could not be played at all was not heard.
    guard ended.heard > .zero || ended.reason == .skipped else { return }
    try keep(ended.subject, heard: ended.heard, transaction)
    guard ended.reason == .skipped else { return }
    try transaction.execute(
      "UPDATE listens SET outcome = ? WHERE listen = ? AND outcome = ?", ListenOutcome.skipped.rawValue,
      ended.subject.listen, ListenOutcome.heard.rawValue)
  }

  /// Makes the row where there is none yet; what was heard of it only grows.
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
      """, subject.listen, try row(of: subject.item.track, transaction), subject.room, subject.startedAt, heard,
      ListenOutcome.heard.rawValue)
  }

  /// The row of a track as it is known now.
  private static func row(of track: Track, _ transaction: Transaction) throws -> Int64 {
    var track = track
    // What a person thinks of it, and how loud it is, is no part of what was heard.
    (track.rating, track.levels) = (nil, nil)
    let body = String(decoding: try MessageCoding.encode(track), as: UTF8.self)
    let known = try transaction.row(
      "SELECT id FROM listen_tracks WHERE track = ? AND body = ?", track.id, body, as: { try $0.value(0) as Int64 })
    if let known { return known }
    var (number, album): (Int64?, Int64?)
    if case .track(let own) = CatalogueID(track.id) { number = own }
    if case .album(let own) = CatalogueID(track.albumID) { album = own }
    let identity = TrackIdentity(
      artist: track.albumArtist, album: track.album, disc: track.disc, number: track.number, title: track.title)
    try transaction.execute(
      "INSERT INTO listen_tracks (track, number, album, identity, body) VALUES (?, ?, ?, ?, ?)", track.id, number,
      album, identity.hash64, body)
    return transaction.lastInsertedRowID
  }

  /// Notes when a track was heard last.
  static func mark(_ id: TrackID, heardAt time: Timestamp, _ transaction: Transaction) throws {
    guard case .track(let shown)? = try Catalogue.resolve(id, transaction) else { return }
    // Both rows where the copy that was heard is not the one that is shown.
    if case .track(let number)? = CatalogueID(id) {
      try transaction.execute("UPDATE tracks SET heard_at = max(heard_at, ?) WHERE id IN (?, ?)", time, number, shown)
    }
    try transaction.execute("UPDATE tracks SET played_at = max(played_at, ?) WHERE id = ?", time, shown)
    try transaction.execute(
      "UPDATE albums SET played_at = max(played_at, ?) WHERE id = (SELECT shelf FROM tracks WHERE id = ?)", time, shown)
  }
}

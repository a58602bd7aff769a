import Bus
import Messages
import Model
import Storage

/// What was heard, kept by the listen's id: a fact that comes twice changes nothing.
enum Plays {
  /// The name under which the library reads the facts of `lunara-scrobble`.
  static let reader = "library"

  /// Takes in a fact; other kinds than a counted listen are passed over.
  static func apply(_ fact: ReceivedFact, _ transaction: Transaction) throws {
    guard let counted = try fact.decode(Scrobble.ListenCounted.self) else { return }
    try record(counted, at: fact.time, transaction)
  }

  /// Keeps a listen that counted, and when its track and album were heard last.
  static func record(_ counted: Scrobble.ListenCounted, at time: Timestamp, _ transaction: Transaction) throws {
    let (subject, track) = (counted.subject, counted.subject.item.track)
    let isNew = try transaction.execute(
      """
      INSERT OR IGNORE INTO plays (listen, track, album_id, title, artist, album, room, started_at, counted_at, heard)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, subject.listen, track.id, track.albumID, track.title, track.artist, track.album, subject.room,
      subject.startedAt, time, counted.heard)
    guard isNew > 0, case .track(let shown)? = try Catalogue.shown(track.id, transaction) else { return }
    // Both rows where the copy that was heard is not the one that is shown.
    if case .track(let number)? = CatalogueID(track.id) {
      try transaction.execute("UPDATE tracks SET heard_at = max(heard_at, ?) WHERE id IN (?, ?)", time, number, shown)
    }
    try transaction.execute("UPDATE tracks SET played_at = max(played_at, ?) WHERE id = ?", time, shown)
    try transaction.execute(
      "UPDATE albums SET played_at = max(played_at, ?) WHERE id = (SELECT shelf FROM tracks WHERE id = ?)", time, shown)
  }
}

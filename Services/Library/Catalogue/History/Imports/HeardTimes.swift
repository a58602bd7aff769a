import Messages
import Model
import Storage

/// The times when tracks and albums were last played, as far as imports of listens set them.
enum HeardTimes {
  /// Makes the time of a shown track and its album later, and remembers the time that the track had before its first
  /// import.
  static func raise(of track: Int64, to time: Timestamp, _ transaction: Transaction) throws {
    try transaction.execute(
      """
      INSERT OR IGNORE INTO heard_before_imports SELECT id, heard_at FROM tracks WHERE id = ? AND heard_at < ?
      """, track, time)
    try transaction.execute("UPDATE tracks SET heard_at = ?2 WHERE id = ?1 AND heard_at < ?2", track, time)
    try transaction.execute("UPDATE tracks SET played_at = ?2 WHERE id = ?1 AND played_at < ?2", track, time)
    try transaction.execute(
      """
      UPDATE albums SET played_at = ?2 WHERE id = (SELECT shelf FROM tracks WHERE id = ?1) AND played_at < ?2
      """, track, time)
  }

  /// Gives a shown track and its album the times that they have without listens that were removed.
  ///
  /// - Parameter removed: the time of the last removed listen. A later time does not come from the import.
  static func lower(of track: Int64, from removed: Timestamp, _ transaction: Transaction) throws {
    let former: Timestamp? = try transaction.value(
      "SELECT heard_at FROM heard_before_imports WHERE track = ?", track)
    guard let former,
      let id: TrackID = try transaction.value("SELECT source || ':t' || id FROM tracks WHERE id = ?", track),
      let heard = try PlayScope(Library.PlayFilter(track: id), transaction).tracks
    else { return }
    let last: Timestamp? = try transaction.value(
      """
      SELECT max(l.counted_at) FROM (\(heard)) f CROSS JOIN listens l INDEXED BY listens_of_track ON l.track = f.id
      WHERE l.outcome = 1
      """, track)
    try transaction.execute(
      "UPDATE tracks SET heard_at = ?2 WHERE id = ?1 AND heard_at > ?2 AND heard_at <= ?3", track,
      max(former, last ?? former), removed)
    try transaction.execute(
      """
      UPDATE tracks SET played_at = (SELECT max(heard_at) FROM tracks c
        WHERE c.id = ?1 OR (c.shown = ?1 AND c.shown <> c.id)) WHERE id = ?1
      """, track)
    // The same sum as that of `AlbumMerger`.
    try transaction.execute(
      """
      UPDATE albums SET played_at = (SELECT max(max(m.heard_at), ifnull(max(t.heard_at), 0)) FROM albums m
        LEFT JOIN tracks t ON t.album = m.id WHERE m.shelf = albums.id)
      WHERE id = (SELECT shelf FROM tracks WHERE id = ?)
      """, track)
  }
}

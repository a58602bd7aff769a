import Bus
import Messages
import Model
import Storage

/// Taking a source out of the catalogue: a portion at a time, so that who writes a rating or a play meanwhile waits for
/// one of them only. What is left after each is a whole catalogue; a start goes on with what was begun.
extension Catalogue {
  /// Which sources are being taken out.
  static let leaving = Migration(
    "catalogue-leaving-5", "ALTER TABLE sources ADD COLUMN is_leaving INTEGER NOT NULL DEFAULT 0")

  /// How many albums a portion has, with some two thousand tracks.
  private static let portion = 200

  /// Begins to take a source out.
  static func beginRemoval(of source: String, _ transaction: Transaction) throws {
    // Should it be read again after all, then as a whole.
    try transaction.execute("UPDATE sources SET is_leaving = 1, mark = NULL WHERE name = ?", source)
  }

  /// Takes a portion of a source's albums out; false where no more than that is left, which goes with the source.
  ///
  /// Nothing is counted and told before the end: to count goes through all tracks there are.
  static func removePortion(of source: String, now: Timestamp, _ transaction: Transaction) throws -> Bool {
    let albums = try transaction.rows("SELECT id FROM albums WHERE source = ? LIMIT ?", source, portion) {
      try $0.value(0) as Int64
    }
    guard albums.count == portion else { return false }
    try transaction.expectManyRows()
    let writer = try CatalogueWriter(source: source, now: now, transaction)
    for album in albums {
      let tracks = try transaction.rows("SELECT id FROM tracks WHERE album = ?", album) { try $0.value(0) as Int64 }
      for track in tracks { try writer.delete(track: track) }
      try writer.delete(album: album)
    }
    try writer.finish()
    return true
  }

  /// Takes all that a source has out of the catalogue, and the source itself. What people did with it stays.
  static func remove(source: String, now: Timestamp, journal: Journal?, _ transaction: Transaction) throws {
    try transaction.expectManyRows()
    let writer = try CatalogueWriter(source: source, now: now, transaction)
    func numbers(_ sql: String) throws -> [Int64] { try transaction.rows(sql, source) { try $0.value(0) } }
    for track in try numbers("SELECT id FROM tracks WHERE source = ?") { try writer.delete(track: track) }
    for album in try numbers("SELECT id FROM albums WHERE source = ?") { try writer.delete(album: album) }
    for artist in try numbers(
      "SELECT r.id FROM artist_members m JOIN artists r ON r.key = m.key WHERE m.source = ?")
    {
      writer.artists.touch(artist)
    }
    for place in try numbers("SELECT search_row FROM collections WHERE source = ? AND search_row IS NOT NULL") {
      writer.search.remove(place)
    }
    for sql in [
      "DELETE FROM collection_items WHERE collection IN (SELECT id FROM collections WHERE source = ?)",
      "DELETE FROM playlist_items WHERE playlist IN (SELECT id FROM playlists WHERE source = ?)",
      "DELETE FROM collections WHERE source = ?", "DELETE FROM playlists WHERE source = ?",
      "DELETE FROM artist_members WHERE source = ?", "DELETE FROM sections WHERE source = ?",
      "DELETE FROM staged WHERE source = ?", "DELETE FROM runs WHERE source = ?",
      "DELETE FROM sources WHERE name = ?",
    ] { try transaction.execute(sql, source) }
    try writer.finish()
    // Which albums went in portions before is not known here.
    try countAndPublish(writer.changes, journal, transaction, isWide: true)
  }
}

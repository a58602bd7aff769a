package import Model
import Records
package import Storage

/// Playlists and collections that were deleted: by a person, at their server, or with their file. Each is remembered
/// for 30 days, so that it gets its id back if it returns. The entries of a playlist are kept, so that they follow
/// their tracks meanwhile.
package struct DeletedLists {
  /// The time for which a deleted list is remembered.
  static let memory = Timestamp(seconds: 30 * 86_400)

  let now: Timestamp
  let transaction: Transaction

  package init(now: Timestamp, transaction: Transaction) {
    self.now = now
    self.transaction = transaction
  }

  /// Deletes a playlist. `file` is the path of the list file that it was made of.
  package func delete(playlist number: Int64, file: [UInt8]? = nil) throws {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO deleted_playlists (id, title, title_sort, summary, revision, created_at, updated_at,
        deleted_at, source, native, rules, art, file)
      SELECT id, title, title_sort, summary, revision, ifnull(created_at, ?2), ifnull(updated_at, ?2), ?2, source,
        native, rules, art, ?3
      FROM playlists WHERE id = ?1
      """, number, now, file)
    try transaction.execute("DELETE FROM playlists WHERE id = ?", number)
  }

  /// Deletes a collection. Its items are read again when it comes back.
  func delete(collection number: Int64) throws {
    try transaction.execute(
      """
      INSERT OR REPLACE INTO deleted_collections (id, source, native, title, deleted_at)
      SELECT id, source, native, title, ?2 FROM collections WHERE id = ?1
      """, number, now)
    try transaction.execute("DELETE FROM collection_items WHERE collection = ?", number)
    try transaction.execute("DELETE FROM collections WHERE id = ?", number)
  }

  /// Restores the deleted list that a server has again: by the server's own id of it, or else by its title. Returns its
  /// number; nil if none is remembered.
  func restore(_ kind: CatalogueID.Kind, native: String, title: String, of source: String) throws -> Int64? {
    // A playlist whose deletion is still to be sent is another one.
    let found: Int64? = try transaction.value(
      """
      SELECT id FROM deleted_\(kind.rows.table) WHERE source = ?1 AND (native = ?2 OR title = ?3)
        AND (\(kind == .collection ? "TRUE" : "id NOT IN (SELECT playlist FROM playlist_outbox)"))
      ORDER BY native = ?2 DESC, deleted_at DESC, id LIMIT 1
      """, source, native, title)
    guard let found else { return nil }
    if kind == .collection {
      try transaction.execute("DELETE FROM deleted_collections WHERE id = ?", found)
    } else {
      try restore(playlist: found, as: native)
    }
    return found
  }

  /// Restores the playlist of a list file that is there again. Returns its number; nil if none is remembered.
  func restore(file: [UInt8]) throws -> Int64? {
    let found: Int64? = try transaction.value(
      "SELECT id FROM deleted_playlists WHERE file = ? ORDER BY deleted_at DESC, id LIMIT 1", file)
    if let found { try restore(playlist: found) }
    return found
  }

  /// Restores a deleted playlist as it was, with a new revision.
  ///
  /// - Parameter native: the server's own id of it; nil for the former one, unless another list has that by now.
  package func restore(playlist number: Int64, as native: String? = nil) throws {
    try transaction.execute(
      """
      INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest, summary, revision, created_at,
        updated_at, rules, art)
      SELECT id, source, coalesce(?2, (SELECT 'former:' || p.native FROM playlists p WHERE p.source = d.source
        AND p.native = d.native), native, id), title, title_sort, rules IS NOT NULL, 0, summary, revision + 1,
        created_at, updated_at, rules, art
      FROM deleted_playlists d WHERE id = ?1
      """, number, native)
    try transaction.execute("DELETE FROM deleted_playlists WHERE id = ?", number)
  }

  /// Forgets the lists that were deleted more than 30 days ago.
  package func prune() throws {
    let limit = Timestamp(microseconds: now.microseconds - Self.memory.microseconds)
    for number: Int64 in try transaction.values("SELECT id FROM deleted_playlists WHERE deleted_at < ?", limit) {
      for table in ["playlist_entries", "playlist_undo", "playlist_covers"] {
        try transaction.execute("DELETE FROM \(table) WHERE playlist = ?", number)
      }
      try transaction.execute("DELETE FROM deleted_playlists WHERE id = ?", number)
    }
    try transaction.execute("DELETE FROM deleted_collections WHERE deleted_at < ?", limit)
  }
}

/// Decides whether a person has to agree to the removal of lists that are gone: where a quarter of them or more are,
/// which a single list of fewer than five always is.
enum ListDeletionRule {
  static func asks(losing lost: Int, of count: Int) -> Bool {
    lost > 0 && lost * DeletionGuard.shareDivisor >= count
  }
}

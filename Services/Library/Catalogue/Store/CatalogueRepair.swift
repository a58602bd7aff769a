import Records

/// The repair of a database that was damaged.
extension Catalogue {
  /// The tables whose readable rows are saved: data of people, numbers of rows, and data of sources, each table after
  /// those that it refers to. Pictures, the search index and staged records are made again.
  static let tablesOfCatalogue = [
    "catalogue", "sources", "sections", "music_folders", "ratings", "imported_plays", "import_changes", "pins",
    "preferred_editions", "listen_imports", "listen_tracks", "listens", "heard_before_imports", "play_outbox",
    "play_restores", "unreadable_facts", "runs", "heirs", "artists", "artist_names", "artist_members", "albums",
    "album_artists", "album_tags", "album_details", "tracks", "credits", "works", "track_works", "track_details",
    "folders", "files", "tag_settings", "departed_tracks", "departed_keys", "collections",
    "deleted_collections", "collection_items",
    "playlists", "deleted_playlists", "playlist_entries", "playlist_undo", "playlist_covers", "list_files",
    "playlist_outbox", "providers", "provider_reports", "wishes", "opinion_outbox", "opinion_sharing", "themes",
    "deleted_themes",
  ]

  /// The statements that make the saved rows consistent: no number is assigned twice, no row refers to a lost one, and
  /// the next refresh reads each source completely, and keeps the numbers of the saved rows.
  static let repairsOfCatalogue = [
    next("artist", "artists.id", "heirs.number", "subjects.item", "subjects.last_shown", "garden_subjects.item"),
    next(
      "album", "albums.id", "listen_tracks.album", "heirs.number", "departed_tracks.album", "subjects.item",
      "subjects.last_shown", "subject_witnesses.item", "opinions.album", "opinions.shown", "former_opinions.shown",
      "garden_subjects.item", "garden_witnesses.item", "theme_albums.album"),
    next(
      "track", "tracks.id", "listen_tracks.number", "heirs.number", "departed_tracks.track", "import_changes.track",
      "subjects.item", "subjects.last_shown", "subject_witnesses.item", "garden_subjects.item",
      "garden_witnesses.item"),
    next("collection", "collections.id", "deleted_collections.id"),
    next("playlist", "playlists.id", "deleted_playlists.id", "playlist_entries.playlist"),
    // A deleted theme may come back, so no new one gets its number.
    "INSERT INTO sqlite_sequence (name, seq) SELECT 'themes', 0 WHERE 'themes' NOT IN (SELECT name FROM sqlite_sequence)",
    """
    UPDATE sqlite_sequence SET seq = max(seq, ifnull((SELECT max(id) FROM deleted_themes), 0)) WHERE name = 'themes'
    """,
    // The next scan adds a file whose row was lost as a new track, so its old track is deleted.
    """
    DELETE FROM tracks WHERE source = '\(MusicFolders.source)'
      AND id NOT IN (SELECT track FROM files WHERE track IS NOT NULL)
    """,
    "DELETE FROM albums WHERE id NOT IN (SELECT album FROM tracks)",
    """
    DELETE FROM artists WHERE id NOT IN (SELECT artist_id FROM albums) AND id NOT IN (SELECT artist FROM album_artists)
      AND id NOT IN (SELECT artist FROM credits)
    """,
    "UPDATE albums SET shelf = id WHERE shelf NOT IN (SELECT id FROM albums)",
    "UPDATE tracks SET shown = id, shelf = album WHERE shown NOT IN (SELECT id FROM tracks)",
    "UPDATE tracks SET shelf = album WHERE shelf IS NOT NULL AND shelf NOT IN (SELECT id FROM albums WHERE shelf = id)",
    "UPDATE albums SET listed = (shelf = id), editions = 1",
    "DELETE FROM album_tags WHERE album NOT IN (SELECT id FROM albums)",
    "DELETE FROM album_artists WHERE album NOT IN (SELECT id FROM albums)",
    "DELETE FROM album_details WHERE album NOT IN (SELECT id FROM albums)",
    "DELETE FROM album_artists WHERE artist NOT IN (SELECT id FROM artists)",
    "INSERT OR IGNORE INTO album_artists SELECT id, 0, artist_id, artist FROM albums",
    "DELETE FROM artist_names WHERE artist NOT IN (SELECT id FROM artists)",
    "INSERT OR IGNORE INTO artist_names SELECT key, id, name, 0 FROM artists",
    """
    DELETE FROM credits WHERE track NOT IN (SELECT id FROM tracks) OR artist NOT IN (SELECT id FROM artists)
    """,
    """
    DELETE FROM track_works WHERE track NOT IN (SELECT id FROM tracks) OR work NOT IN (SELECT id FROM works)
    """,
    "DELETE FROM works WHERE id NOT IN (SELECT work FROM track_works)",
    "DELETE FROM departed_tracks WHERE track IN (SELECT id FROM tracks)",
    "DELETE FROM departed_keys WHERE track NOT IN (SELECT track FROM departed_tracks)",
    "DELETE FROM track_details WHERE track NOT IN (SELECT id FROM tracks)",
    "DELETE FROM collection_items WHERE collection NOT IN (SELECT id FROM collections)",
    // Entries that were lost must not be taken for entries that a person removed, so lists are compared with providers'
    // as if they never had been.
    "UPDATE providers SET state = json_set(state, '$.directory', json('\(emptyProviderDirectory)'))",
    // Playlists of list files are read again, and those whose file is not known are left out.
    "DELETE FROM list_files WHERE folder NOT IN (SELECT id FROM folders)",
    """
    DELETE FROM playlist_entries WHERE playlist IN (SELECT playlist FROM list_files)
      AND playlist NOT IN (SELECT id FROM playlists)
    """,
    "UPDATE list_files SET inode = 0, playlist = (SELECT id FROM playlists WHERE id = playlist)",
    """
    DELETE FROM playlist_entries WHERE playlist IN (SELECT id FROM playlists WHERE source = '\(MusicFolders.source)'
      AND id NOT IN (SELECT playlist FROM list_files WHERE playlist IS NOT NULL))
    """,
    """
    DELETE FROM playlists WHERE source = '\(MusicFolders.source)'
      AND id NOT IN (SELECT playlist FROM list_files WHERE playlist IS NOT NULL)
    """,
    // People's choices are kept: entries whose playlist was lost are in one of their own again.
    """
    INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest, created_at, updated_at)
    SELECT DISTINCT playlist, '\(ownPlaylists)', playlist, 'Playlist ' || playlist, 'playlist ' || playlist, 0, 0, 0, 0
    FROM playlist_entries WHERE described IS NOT NULL AND playlist NOT IN (SELECT id FROM playlists)
      AND playlist NOT IN (SELECT id FROM deleted_playlists)
    """,
    """
    DELETE FROM playlist_entries WHERE playlist NOT IN (SELECT id FROM playlists)
      AND playlist NOT IN (SELECT id FROM deleted_playlists)
    """,
    """
    DELETE FROM playlist_undo WHERE playlist NOT IN (SELECT id FROM playlists)
      AND playlist NOT IN (SELECT id FROM deleted_playlists)
    """,
    """
    UPDATE albums SET tracks = (SELECT count(*) FROM tracks t WHERE t.shelf = albums.id),
      duration = (SELECT ifnull(sum(duration), 0) FROM tracks t WHERE t.shelf = albums.id) WHERE shelf = id
    """,
    """
    UPDATE artists SET albums = (SELECT count(DISTINCT a.id) FROM album_artists x JOIN albums a ON a.id = x.album
        WHERE x.artist = artists.id AND a.listed = 1),
      credits = (SELECT count(DISTINCT t.shown) FROM credits c JOIN tracks t ON t.id = c.track
        WHERE c.artist = artists.id)
    """,
    everyItemIsPending, "UPDATE albums SET digest = 0 WHERE digest IS NOT NULL",
    "UPDATE tracks SET digest = 0 WHERE digest IS NOT NULL", "UPDATE artist_members SET digest = 0",
    "UPDATE collections SET digest = 0", "UPDATE playlists SET digest = 0",
    "UPDATE files SET inode = 0", "UPDATE folders SET digest = 0",
    """
    UPDATE sources SET mark = NULL, refreshed_at = NULL, albums = (SELECT count(*) FROM albums WHERE source = name),
      tracks = (SELECT count(*) FROM tracks WHERE source = name)
    """,
    """
    UPDATE catalogue SET generation = generation + 1000, lists_revision = lists_revision + 1000, albums = (SELECT count(*) FROM albums WHERE listed = 1),
      tracks = (SELECT count(*) FROM tracks WHERE shelf IS NOT NULL)
    """,
  ]

  /// The playlists of a provider, none, as its state has them.
  package static let emptyProviderDirectory = #"{"deleted":{},"links":{}}"#

  /// The statement that has the next refresh index everything again.
  static let everyItemIsPending =
    "INSERT OR IGNORE INTO search_pending "
    + CatalogueID.Kind.searched.map { "SELECT \($0.first) | id FROM \($0.rows.table)" }.joined(separator: " UNION ALL ")

  /// Returns the statement that sets the next number of a kind above all numbers in these columns.
  private static func next(_ kind: String, _ columns: String...) -> String {
    let numbers = columns.map { "(SELECT ifnull(max(\($0)), 0) + 1 FROM \($0.prefix { $0 != "." }))" }
    return "UPDATE catalogue SET next_\(kind) = max(next_\(kind), \(numbers.joined(separator: ", ")))"
  }
}

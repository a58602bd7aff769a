import Storage

/// Inserts rows as the refresh of a server leaves them, which is quicker than a refresh.
extension TestCatalogue {
  func write(_ statements: String...) async throws {
    try await database.write { for statement in statements { try $0.execute(statement) } }
  }

  /// Inserts albums 1001 and following of a server, each with that many tracks of three minutes; each artist has ten
  /// albums.
  func stock(_ source: String = "plex", albums: Int, tracks: Int = 1, from first: Int = 1001) async throws {
    let numbers = "WITH n(n) AS (SELECT \(first) UNION ALL SELECT n + 1 FROM n WHERE n + 1 < \(first + albums))"
    try await write(
      """
      INSERT OR IGNORE INTO sources (name, kind, problem_count, problems, position)
      VALUES ('\(source)', '\(source)', 0, '[]', 2)
      """,
      """
      \(numbers) INSERT OR IGNORE INTO artists (id, source, key, name, sort, albums)
      SELECT n / 10 * 10, '\(source)', 'artist ' || (n / 10), 'Artist ' || (n / 10), 'artist ' || (n / 10), 10 FROM n
      """,
      """
      \(numbers) INSERT INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, year, genres,
        tracks, duration, added_at, played_at, shelf, listed, merge_key, arrived_at)
      SELECT n, '\(source)', n || '', 'Album ' || n, 'album ' || n, 'Artist ' || (n / 10), 'artist ' || (n / 10),
        n / 10 * 10, CASE WHEN n % 7 > 0 THEN 1950 + n % 70 END, '', \(tracks), 180000 * \(tracks), n / 3, n % 5, n,
        1, 'album ' || n, n / 3 FROM n
      """,
      """
      \(numbers), k(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM k WHERE k < \(tracks))
      INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, number, year, genres, duration, added_at,
        played_at, shelf, shown, native, identity, format)
      SELECT n * 100 + k, '\(source)', n, 'Track ' || (n * 37 % 1000), 'track ' || (n * 37 % 1000), 'Artist ' || (n / 10), 1, k,
        CASE WHEN n % 7 > 0 THEN 1950 + n % 70 END, '', 180000, n / 3, n % 5, n, n * 100 + k, 't' || (n * 100 + k),
        n * 100 + k, 'mp3' FROM n, k
      """)
  }
}

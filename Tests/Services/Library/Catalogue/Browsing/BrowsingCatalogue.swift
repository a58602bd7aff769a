import Messages
import Model
import Storage
import Testing

@testable import Catalogue

/// A small catalogue with a row for every kind of tag, as a scan leaves them.
///
/// Six albums by two artists: A1 to A3 by Ann, B1 to B3 by Ben, each with two tracks. Albums have the numbers 1 to 6,
/// artists 11 (Ann), 12 (Ben) and 13 (Cyn, who has no albums), tracks ten times the album's number and 1 or 2.
struct BrowsingCatalogue {
  let catalogue: TestCatalogue

  init() async throws {
    catalogue = try TestCatalogue()
    try await catalogue.write(
      "INSERT INTO sources (name, kind, problem_count, problems, position) VALUES ('plex', 'plex', 0, '[]', 2)",
      """
      INSERT INTO artists (id, source, key, name, sort, albums, roles, credits) VALUES
        (11, 'plex', 'ann', 'Ann', 'ann', 3, 1, 2), (12, 'plex', 'ben', 'Ben', 'ben', 3, 64, 1),
        (13, 'plex', 'cyn', 'Cyn', 'cyn', 0, 4 + 64, 3)
      """,
      """
      INSERT INTO artist_names (key, artist, name, is_whole) VALUES ('ann', 11, 'Ann', 0), ('ben', 12, 'Ben', 0),
        ('cyn', 13, 'Cyn', 0), ('cynthia', 13, 'Cynthia', 0)
      """,
      """
      WITH n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 6)
      INSERT INTO albums (id, source, key, title, title_sort, artist, artist_sort, artist_id, year, genres, tracks,
        duration, added_at, played_at, shelf, listed, merge_key, arrived_at, rating)
      SELECT n, 'plex', n || '', iif(n < 4, 'A', 'B') || (n - iif(n < 4, 0, 3)), 't' || n, iif(n < 4, 'Ann', 'Ben'),
        iif(n < 4, 'ann', 'ben'), iif(n < 4, 11, 12), 1968 + n, '', 2, 1000, (unixepoch() - n * 5 * 86400 - 3600) * 1000000,
        (n % 2) * 1700000000000000, n, 1, 'k' || n, 1, iif(n < 5, n * 2, NULL) FROM n
      """,
      "INSERT INTO album_artists (album, place, artist, name) SELECT id, 0, artist_id, artist FROM albums",
      """
      INSERT INTO tracks (id, source, album, title, title_sort, artist, disc, number, year, genres, duration, added_at,
        played_at, shelf, shown, native, codec, sample_rate, bit_depth, rating)
      SELECT a.id * 10 + k, 'plex', a.id, a.title || '-' || k, 't' || a.id || k, a.artist, 1, k, a.year, '', 500,
        a.added_at, a.played_at, a.id, a.id * 10 + k, 'n' || a.id || k, iif(a.id < 3, 'flac', 'mp3'),
        iif(a.id < 3, 96000, 44100), iif(a.id < 3, 24, NULL), a.rating
      FROM albums a, (SELECT 1 AS k UNION SELECT 2)
      """,
      // Cyn composed tracks on A1, A2 and B1 and plays the oboe on B1; Ann sings on B2.
      """
      INSERT INTO credits (track, role, place, artist, name, instrument) VALUES (11, 2, 0, 13, 'Cyn', NULL),
        (21, 2, 0, 13, 'Cynthia', NULL), (41, 2, 0, 13, 'Cyn', NULL), (41, 6, 0, 13, 'Cyn', 'oboe'),
        (51, 0, 0, 12, 'Ben', NULL), (51, 0, 1, 11, 'Ann', NULL), (61, 6, 0, 12, 'Ben', 'harp')
      """,
      "INSERT INTO works (id, key, title, sort, composer) VALUES (1, 'cyn|suite', 'Suite', 'suite', 13)",
      "INSERT INTO track_works (track, work, movement, number) VALUES (11, 1, 'I', 1), (41, 1, 'I', 1)",
      """
      INSERT INTO album_tags (album, kind, folded, name, place) VALUES (1, 0, 'jazz', 'Jazz', 0), (2, 0, 'jazz', 'JAZZ', 0),
        (2, 0, 'folk', 'Folk', 1), (4, 0, 'jazz', 'Jazz', 0), (5, 0, 'rock', 'Rock', 0)
      """)
    for (number, kind) in [Library.Tag.Kind.mood, .style, .label, .type, .media, .country].enumerated() {
      try await word(kind, "W\(number)", of: [1, 4])
    }
    for kind in [Library.Tag.Kind.language, .grouping, .key] { try await word(kind, "X", of: [1, 4]) }
    try await word(.format, "flac", of: [1, 2])
    try await word(.sampleRate, "96000", of: [1, 2])
    try await word(.bitDepth, "24", of: [1, 2])
    try await catalogue.write(
      "INSERT INTO folders (id, path, device) VALUES (1, CAST('/m/A' AS BLOB), 1), (2, CAST('/m/A b' AS BLOB), 1)",
      "UPDATE folders SET sort = path",
      """
      INSERT INTO files (folder, name, inode, size, modified, track, tags)
      SELECT iif(id < 20, 1, 2), CAST('f' || id AS BLOB), id, 1, 1, id, '' FROM tracks WHERE id < 30
      """)
  }

  private func word(_ kind: Library.Tag.Kind, _ name: String, of albums: [Int64]) async throws {
    try await catalogue.database.write { transaction in
      for album in albums { try AlbumTags.write([name], kind, of: album, transaction) }
    }
  }

  func albums(_ tags: [Library.Tag], _ sort: Library.Sort = .name) async throws -> [String] {
    try await catalogue.database.read {
      try Catalogue.albums(.init(sort: sort, seed: 4, tags: tags), randomSeed: 1, $0).items.map(\.title)
    }
  }

  func tracks(_ tags: [Library.Tag], _ sort: Library.Sort = .name, limit: Int = 200) async throws -> [String] {
    var tracks: [String] = []
    var after: String?
    repeat {
      let request = Library.ListTracks(after: after, limit: limit, sort: sort, seed: 4, tags: tags)
      let page = try await catalogue.database.read { try Catalogue.tracks(request, randomSeed: 1, $0) }
      tracks += page.items.map(\.title)
      after = page.next
    } while after != nil
    return tracks
  }

  /// Returns the tags of a list, read in pages of this size, as `name number`.
  func counts(
    _ kind: Library.Tag.Kind, among: [Library.Tag]? = nil, sort: Library.TagSort? = nil, startingAt: String? = nil,
    isReversed: Bool? = nil, limit: Int = 200
  ) async throws -> [String] {
    var found: [String] = []
    var after: String?
    repeat {
      let request = Library.ListTags(
        of: kind, after: after, limit: limit, among: among, sort: sort, startingAt: startingAt,
        isReversed: isReversed)
      let page = try await catalogue.database.read { try Catalogue.tags(request, $0) }
      #expect(page.items.count <= limit)
      found += page.items.map { "\($0.name) \($0.albums)" }
      after = page.next
    } while after != nil
    return found
  }
}

import Bus
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Media
@testable import Records
@testable import Sources

/// A music folder and the catalogue that a refresh makes of it.
final class TestCatalogue: Sendable {
  let tree: MusicTree
  let database: Database
  private let home = TemporaryDirectory()
  var secrets: SourceSecrets { SourceSecrets(store: CredentialStore(home: home.path)) }
  private let clock = Mutex(Timestamp(seconds: 1_800_000_000))

  init() throws {
    tree = try MusicTree()
    database = try Database(
      at: "\(home.path)/library.sqlite", migrations: Journal.migrations + Catalogue.migrations)
  }

  /// Makes a catalogue of the same folder with another database, as the service does with a damaged one.
  init(_ other: TestCatalogue, at path: String, report: (LunaraError) -> Void) throws {
    tree = other.tree
    database = try Journal.database(
      at: path, migrations: Journal.migrations + Catalogue.migrations, saving: Catalogue.savedTables,
      finish: Catalogue.repairs, report: report)
    clock.withLock { $0 = other.time }
  }

  /// The current time of the fake clock.
  var time: Timestamp { clock.withLock { $0 } }

  /// Advances the fake clock.
  func wait(seconds: Int64) { clock.withLock { $0.microseconds += seconds * 1_000_000 } }

  /// The tag readers that all catalogues share, so that most refreshes find one that runs.
  static let tagReaders = TagReaders()

  func source(
    _ folders: [[UInt8]]? = nil, tagReaders: TagReaders = TestCatalogue.tagReaders, silent: SilentFolders? = nil
  ) -> FilesSource {
    FilesSource(
      database: database, publisher: .to(nil), folders: MusicFolders(folders ?? [tree.root]), tagReaders: tagReaders,
      silent: silent
    ) { [self] in clock.withLock { $0 } }
  }

  /// Opens the pictures of the tree.
  var pictures: PictureFiles {
    PictureFiles(boundary: FolderBoundary(MusicFolders([tree.root])), tagReaders: Self.tagReaders)
  }

  /// Refreshes and returns the numbers of new, changed, unchanged and deleted tracks.
  @discardableResult
  func refresh(
    _ folders: [[UInt8]]? = nil, accepting: Bool = false, tagReaders: TagReaders = TestCatalogue.tagReaders
  ) async throws -> [Int] {
    let counts = try await source(folders, tagReaders: tagReaders).refresh(
      accepting: accepting ? .all : [], progress: RefreshProgress())
    let found = try #require(counts)
    return [found.new, found.changed, found.unchanged, found.deleted]
  }

  func albums(_ sort: Library.Sort = .name) async throws -> [Album] {
    try await database.read { try Catalogue.albums(.init(limit: 200, sort: sort), randomSeed: 1, $0).items }
  }

  func album(_ title: String) async throws -> Album { try #require(try await albums().first { $0.title == title }) }

  func artists() async throws -> [Artist] { try await database.read { try Catalogue.artists(.init(), $0).items } }

  func tracks(of album: Album) async throws -> [Track] {
    try await database.read { try Catalogue.album(.init(id: album.id), $0).tracks }
  }

  func tracks() async throws -> [Track] {
    var tracks: [Track] = []
    for album in try await albums() { tracks += try await self.tracks(of: album) }
    return tracks
  }

  /// The best copy of the only track.
  func copy() async throws -> Library.TrackDetail.Copy {
    let track = try #require(try await tracks().first)
    return try #require(try await database.read { try Catalogue.track(.init(id: track.id), $0) }.copies.first)
  }

  func search(_ words: String, limit: Int = 50) async throws -> Library.SearchResults {
    try await database.read {
      try Catalogue.search(.init(words: words, limit: limit), keeping: SearchCache(.ofPeople()), $0)
    }
  }

  func status() async throws -> Library.SourceStatus {
    try #require(try await state().sources.first)
  }

  func state() async throws -> Library.CatalogueState {
    try await database.read(Catalogue.state)
  }

  func problems() async throws -> [String] { try await status().problems.map(\.code) }

  /// Expects exactly one row of the index for each artist, album, track, collection and playlist that is shown, in
  /// their order, and no contradiction among the rows that are shown.
  func expectWholeIndex(_ place: SourceLocation = #_sourceLocation) async throws {
    let faults = try await database.read { transaction in
      try transaction.rows(
        """
        WITH entries AS (SELECT r.item >> 56 AS kind, r.item & ((1 << 56) - 1) AS id, position FROM search_rows r
          JOIN search s ON s.rowid = r.position AND s.item = r.item & ((1 << 56) - 1)),
        shown AS (SELECT 1 AS kind, id, sort AS key FROM artists WHERE albums + credits > 0
          UNION ALL SELECT 2, id, artist_sort || char(0) || title_sort FROM albums WHERE shelf = id
          UNION ALL SELECT 3, id, title_sort FROM tracks WHERE shelf IS NOT NULL
          UNION ALL SELECT 4, id, title_sort FROM collections UNION ALL SELECT 5, id, title_sort FROM playlists)
        SELECT 'not in the index: ' || kind || ' ' || id FROM shown WHERE (kind, id) NOT IN (SELECT kind, id FROM entries)
        UNION ALL SELECT 'hidden, yet in the index: ' || kind || ' ' || id FROM entries
          WHERE (kind, id) NOT IN (SELECT kind, id FROM shown)
        UNION ALL SELECT 'rows of the index' WHERE (SELECT count(*) FROM search) <> (SELECT count(*) FROM entries)
          OR (SELECT count(*) FROM search_rows) <> (SELECT count(*) FROM entries)
        UNION ALL SELECT 'not indexed yet: ' || item FROM search_pending
        UNION ALL SELECT 'order of ' || kind || ' ' || id FROM
          (SELECT kind, id, key, lag(key) OVER (PARTITION BY kind ORDER BY position) AS before
          FROM entries JOIN shown USING (kind, id)) WHERE before > key
        UNION ALL SELECT 'album without tracks ' || id FROM albums a WHERE shelf = id AND (tracks = 0 OR tracks <>
          (SELECT count(*) FROM tracks WHERE shelf = a.id))
        UNION ALL SELECT 'artist with other albums ' || id FROM artists r WHERE albums <>
          (SELECT count(*) FROM albums a WHERE listed = 1 AND EXISTS
            (SELECT 1 FROM album_artists WHERE album = a.id AND artist = r.id))
        UNION ALL SELECT 'artist with other credits ' || id FROM artists r WHERE credits <>
          (SELECT count(DISTINCT t.shown) FROM credits c JOIN tracks t ON t.id = c.track WHERE c.artist = r.id)
        UNION ALL SELECT 'artist of nothing ' || id FROM artists r WHERE albums + credits = 0
          AND NOT EXISTS (SELECT 1 FROM album_artists WHERE artist = r.id)
        UNION ALL SELECT 'artist without a name ' || id FROM artists r WHERE NOT EXISTS
          (SELECT 1 FROM artist_names WHERE artist = r.id)
        UNION ALL SELECT 'rows of nothing' WHERE EXISTS
          (SELECT 1 FROM album_artists WHERE album NOT IN (SELECT id FROM albums)
          UNION ALL SELECT 1 FROM credits WHERE track NOT IN (SELECT id FROM tracks)
          UNION ALL SELECT 1 FROM track_works WHERE track NOT IN (SELECT id FROM tracks)
          UNION ALL SELECT 1 FROM artist_names WHERE artist NOT IN (SELECT id FROM artists)
          UNION ALL SELECT 1 FROM works WHERE id NOT IN (SELECT work FROM track_works))
        UNION ALL SELECT 'album without artists ' || id FROM albums a WHERE NOT EXISTS
          (SELECT 1 FROM album_artists WHERE album = a.id AND place = 0 AND artist = a.artist_id)
        UNION ALL SELECT 'shown by none ' || id FROM tracks t WHERE NOT EXISTS
          (SELECT 1 FROM tracks s WHERE s.id = t.shown AND s.shelf IS NOT NULL AND s.shown = s.id)
        UNION ALL SELECT 'counts' FROM catalogue WHERE albums <> (SELECT count(*) FROM albums WHERE listed = 1)
          OR tracks <> (SELECT count(*) FROM tracks WHERE shelf IS NOT NULL)
        UNION ALL SELECT 'listed as part ' || id FROM albums WHERE listed = 1 AND shelf <> id
        UNION ALL SELECT 'not one listed of ' || group_key FROM albums WHERE shelf = id GROUP BY group_key
          HAVING sum(listed) <> 1 OR min(editions) <> count(*) OR max(editions) <> count(*)
        """
      ) { try $0.value(0) as String }
    }
    #expect(faults.isEmpty, sourceLocation: place)
  }
}

extension Catalogue {
  /// Returns the file of a track: its own, else that of the best copy that is a file.
  static func path(of id: TrackID, _ transaction: ReadTransaction) throws -> LocalPath {
    let files = try copies(of: id, transaction).filter { $0.path != nil }
    guard let path = (files.first { $0.id == id } ?? files.first)?.path else { throw CatalogueID.unknown(id) }
    return path
  }
}

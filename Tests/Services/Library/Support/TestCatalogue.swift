import Bus
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_library

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

  func source(_ folders: [[UInt8]]? = nil, tagReaders: TagReaders = TestCatalogue.tagReaders) -> FilesSource {
    FilesSource(
      database: database, journal: nil, folders: MusicFolders(folders ?? [tree.root]), tagReaders: tagReaders
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
    try await database.read { try Catalogue.search(.init(words: words, limit: limit), $0) }
  }

  func status() async throws -> Library.SourceStatus {
    try #require(try await state().sources.first)
  }

  func state() async throws -> Library.CatalogueState {
    try await database.read(Catalogue.state)
  }

  func problems() async throws -> [String] { try await status().problems.map(\.code) }

  /// Expects exactly one row of the index for each artist, album, track and collection that is shown, in their order,
  /// and no contradiction among the rows that are shown.
  func expectWholeIndex(_ place: SourceLocation = #_sourceLocation) async throws {
    let faults = try await database.read { transaction in
      try transaction.rows(
        """
        SELECT 'track ' || id FROM tracks t WHERE shelf IS NOT NULL AND NOT EXISTS
          (SELECT 1 FROM search s WHERE s.rowid = t.search_row AND s.item = t.id)
        UNION ALL SELECT 'album ' || id FROM albums t WHERE shelf = id AND NOT EXISTS
          (SELECT 1 FROM search s WHERE s.rowid = t.search_row AND s.item = t.id)
        UNION ALL SELECT 'artist ' || id FROM artists t WHERE NOT EXISTS
          (SELECT 1 FROM search s WHERE s.rowid = t.search_row AND s.item = t.id)
        UNION ALL SELECT 'collection ' || id FROM collections t WHERE NOT EXISTS
          (SELECT 1 FROM search s WHERE s.rowid = t.search_row AND s.item = t.id)
        UNION ALL SELECT 'too many rows' WHERE (SELECT count(*) FROM search) <>
          (SELECT count(*) FROM tracks WHERE shelf IS NOT NULL) + (SELECT count(*) FROM albums WHERE shelf = id)
          + (SELECT count(*) FROM artists) + (SELECT count(*) FROM collections)
        UNION ALL SELECT 'order of ' || id FROM
          (SELECT id, title_sort, lag(title_sort) OVER (ORDER BY search_row) AS before FROM tracks
          WHERE shelf IS NOT NULL) WHERE before > title_sort
        UNION ALL SELECT 'album without tracks ' || id FROM albums a WHERE shelf = id AND (tracks = 0 OR tracks <>
          (SELECT count(*) FROM tracks WHERE shelf = a.id))
        UNION ALL SELECT 'artist without albums ' || id FROM artists r WHERE albums <>
          (SELECT count(*) FROM albums WHERE artist_id = r.id AND listed = 1)
          OR NOT EXISTS (SELECT 1 FROM albums WHERE artist_id = r.id)
        UNION ALL SELECT 'hidden, yet found ' || id FROM tracks WHERE shelf IS NULL AND search_row IS NOT NULL
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

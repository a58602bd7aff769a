import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records
@testable import Sources

extension TestCatalogue {
  /// A source of a server for this catalogue.
  func source(_ server: FakeServer, _ name: String = "plex") -> ServerSource {
    ServerSource(name: name, kind: "plex", server: server, database: database, publisher: .to(nil)) { [self] in time }
  }

  /// Refreshes from a server and returns the numbers of new, changed, unchanged and deleted tracks.
  @discardableResult
  func refresh(_ server: FakeServer, _ name: String = "plex", accepting: Bool = false) async throws -> [Int] {
    let counts = try await source(server, name).refresh(accepting: accepting ? .all : [], progress: RefreshProgress())
    let found = try #require(counts)
    try await expectWholeIndex()
    try await expectSameFromScratch()
    return [found.new, found.changed, found.unchanged, found.deleted]
  }

  /// Returns everything that is shown, as texts: one for each album with its tracks, and one for each artist.
  func shown() async throws -> [String] {
    try await database.read { try Self.shown($0) }
  }

  private static func shown(_ transaction: ReadTransaction) throws -> [String] {
    let albums = try transaction.rows(
      """
      SELECT a.id, a.title, a.artist, a.genres, a.tracks, a.duration, a.added_at, a.played_at, ifnull(a.art, '-'),
        ifnull(a.rating, -1), ifnull(a.year, -1), ifnull(a.date, '-'), ifnull(a.original_date, '-'),
        ifnull(a.edition, '-'), a.types, ifnull(a.quality, '-'), a.name_key, a.group_key, a.listed, a.editions
      FROM albums a WHERE a.shelf = a.id ORDER BY a.id
      """
    ) { row in
      let number: Int64 = try row.value(0)
      let tracks = try transaction.rows(
        "SELECT id, played_at, ifnull(rating, -1) FROM tracks WHERE shelf = ? ORDER BY id", number
      ) { "\(try $0.value(0) as Int64)/\(try $0.value(1) as Int64)/\(try $0.value(2) as Int64)" }
      let words = try (1...19).map { index in "\(try row.value(index) as SQLValue)" }
      return "album \(number) \(words) \(tracks)"
    }
    let hidden = try transaction.rows(
      "SELECT 'copy ' || id || ' of ' || shown FROM tracks WHERE shelf IS NULL ORDER BY id"
    ) { try $0.value(0) as String }
    let members = try transaction.rows(
      "SELECT 'member ' || id || ' of ' || shelf FROM albums WHERE shelf <> id ORDER BY id"
    ) { try $0.value(0) as String }
    let artists = try transaction.rows(
      "SELECT 'artist ' || name || albums || ifnull(art, '-') || genres FROM artists ORDER BY key"
    ) { try $0.value(0) as String }
    return albums + hidden + members + artists
  }

  /// Expects that merging everything again changes nothing that is shown.
  func expectSameFromScratch(_ place: SourceLocation = #_sourceLocation) async throws {
    struct Undone: Error { var before: [String], after: [String] }
    let now = time
    do {
      try await database.write { transaction in
        let before = try Self.shown(transaction)
        let writer = try CatalogueWriter(
          source: "files", now: now, followers: CatalogueFollowers.all, transaction)
        try transaction.execute(
          """
          UPDATE albums SET shelf = 0, genres = '', tracks = 0, duration = 0, art = NULL, date = NULL, edition = NULL,
            types = '', quality = NULL, name_key = '', group_key = '', listed = 0, editions = 0
          """)
        try transaction.execute("UPDATE tracks SET shelf = album, shown = id, played_at = 0, rating = NULL")
        for key in try transaction.rows("SELECT DISTINCT merge_key FROM albums", as: { try $0.value(0) as String }) {
          writer.touch(key)
        }
        try writer.finish()
        throw Undone(before: before, after: try Self.shown(transaction))
      }
    } catch let undone as Undone {
      #expect(undone.before == undone.after, sourceLocation: place)
    }
  }

  /// The row of a shown track by its title.
  func track(_ title: String) async throws -> Track { try #require(try await tracks().first { $0.title == title }) }

  /// Returns the item that an id resolves to.
  func meant(by id: String) async throws -> CatalogueID? {
    let id = try #require(PlayableID(id))
    return try await database.read { try Catalogue.resolve(id, $0) }
  }
}

import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// How what people say stays with its music.
@Suite(.timeLimit(.minutes(2)))
struct SubjectTests {
  /// A catalogue of a server with albums of these names.
  private func catalogue(_ titles: [String]) async throws -> (TestCatalogue, FakeServer) {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    for (index, title) in titles.enumerated() { contents.album(100 * (index + 1), title) }
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    return (catalogue, server)
  }

  @Test func everyTableThatRefersToSubjectsKeepsThem() async throws {
    let catalogue = try TestCatalogue()
    let tables: [String] = try await catalogue.database.read { transaction in
      try transaction.values(
        """
        SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'subject'
          AND t.name NOT IN ('subject_witnesses', 'garden_witnesses')
        """)
    }
    #expect(Set(tables) == Set(Subjects.referrers))
  }

  @Test func aSubjectOfWhichNothingIsSaidAnyMoreIsDeleted() async throws {
    let (catalogue, _) = try await catalogue(["Blue", "Hejira"])
    let (blue, hejira) = (try await catalogue.album("Blue").id, try await catalogue.album("Hejira").id)
    for album in [blue, hejira] { try await catalogue.opine(album, .like) }
    let note = try await catalogue.garden { try $0.notes.write(.init(id: hejira.playable, text: "rain")) }
    for album in [blue, hejira] { try await catalogue.opine(album, nil) }
    #expect(try await catalogue.notes() == [note])
    let left = try await catalogue.database.read { transaction in
      [
        try transaction.value("SELECT count(*) FROM subjects") as Int?,
        try transaction.value("SELECT count(DISTINCT subject) FROM subject_witnesses") as Int?,
      ]
    }
    #expect(left == [1, 1])
  }

  @Test func whereTracksGoToSeveralAlbumsEverythingGoesWithMostOfThem() async throws {
    let (catalogue, server) = try await catalogue(["Mixed"])
    let mixed = try await catalogue.album("Mixed")
    try await catalogue.opine(mixed.id, .like)
    try await catalogue.garden { _ = try $0.notes.write(.init(id: mixed.id.playable, text: "rain")) }
    server.change { contents in
      contents.albums.removeAll()
      contents.album(2000, "Blue", tracks: 0)
      contents.album(3000, "Court", tracks: 0)
      for index in contents.tracks.indices { contents.tracks[index].album = index == 2 ? "2000" : "3000" }
    }
    try await catalogue.refresh(server, accepting: true)
    #expect(try await catalogue.opinionWords() == ["Court like"])
    #expect(try await catalogue.notes().map(\.on.title) == ["Court"])
  }

  @Test func aChangeOfFewAlbumsConcernsTheirSubjectsAndThoseThatAreAway() async throws {
    let titles = (1...9).map { "Album \($0)" }
    let (catalogue, server) = try await catalogue(titles)
    for title in titles { try await catalogue.opine(try await catalogue.album(title).id, .like) }
    server.change { $0.remove(900) }
    try await catalogue.refresh(server, accepting: true)
    let changed = try #require(CatalogueID.number(of: try await catalogue.album("Album 2").id, .album))
    let concerned = try await catalogue.database.read { transaction in
      try transaction.rows(
        "SELECT title FROM subjects WHERE id IN (\(Subjects.ofAlbums)) ORDER BY title", "[\(changed)]"
      ) { try $0.value(0) as String }
    }
    #expect(concerned == ["Album 2", "Album 9"])
  }
}

import Messages
import Model
import Storage
import Testing

@testable import Catalogue

/// The moods and styles of albums and artists.
@Suite(.timeLimit(.minutes(2)))
struct CatalogueTagsTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 4, tracks: 2)
    try await catalogue.database.write { transaction in
      let albums = try transaction.rows("SELECT id FROM albums ORDER BY id LIMIT 2") { try $0.value(0) as Int64 }
      try AlbumTags.write(["Calm", "Wistful"], .mood, of: albums[0], transaction)
      try AlbumTags.write(["calm", "Bold"], .mood, of: albums[1], transaction)
      try AlbumTags.write(["Cool Jazz"], .style, of: albums[0], transaction)
      try transaction.execute(
        "UPDATE albums SET artist_id = (SELECT artist_id FROM albums WHERE id = ?) WHERE id = ?", albums[0], albums[1])
    }
    return catalogue
  }

  private func id(_ letter: String, of column: String, _ catalogue: TestCatalogue) async throws -> String {
    let number = try await catalogue.database.read {
      try $0.row("SELECT \(column) FROM albums ORDER BY id LIMIT 1") { try $0.value(0) as Int64 }
    }
    return "plex:\(letter)\(try #require(number))"
  }

  @Test func anAlbumListsItsOwnTagsInTheirOrder() async throws {
    let catalogue = try await catalogue()
    let id = try #require(AlbumID(try await id("a", of: "id", catalogue)))
    let page = try await catalogue.database.read { try Catalogue.album(Library.ReadAlbum(id: id), $0) }
    #expect(page.moods == ["Calm", "Wistful"])
    #expect(page.styles == ["Cool Jazz"])
  }

  @Test func aKindOfTagThatOnlyNewerVersionsKnowIsRefused() async throws {
    let catalogue = try await catalogue()
    let tag = Library.Tag(kind: .unknown, name: "ECM")
    try await catalogue.database.read { transaction in
      let requests: [() throws -> Void] = [
        { _ = try Catalogue.albums(.init(tag: tag), randomSeed: 1, transaction) },
        { _ = try Catalogue.albums(.init(sort: .random, tag: tag), randomSeed: 1, transaction) },
        { _ = try Catalogue.tags(.init(of: .unknown), transaction) },
      ]
      for request in requests {
        let error = #expect(throws: LunaraError.self) { try request() }
        #expect(error?.code == "library.unknownTag")
      }
    }
  }

  @Test func tagsOfMergedAlbumsAreAddedWithoutRepeats() async throws {
    let catalogue = try await catalogue()
    try await catalogue.database.write { transaction in
      let albums = try transaction.rows("SELECT id FROM albums ORDER BY id LIMIT 2") { try $0.value(0) as Int64 }
      try transaction.execute(
        "UPDATE albums SET shelf = ?1, merge_key = (SELECT merge_key FROM albums WHERE id = ?1) WHERE id = ?2",
        albums[0], albums[1])
    }
    let id = try #require(AlbumID(try await id("a", of: "id", catalogue)))
    let page = try await catalogue.database.read { try Catalogue.album(Library.ReadAlbum(id: id), $0) }
    #expect(page.moods == ["Calm", "Wistful", "Bold"])
  }

  @Test func anArtistListsTheTagsOfTheAlbumsMostFrequentFirst() async throws {
    let catalogue = try await catalogue()
    let id = try #require(ArtistID(try await id("r", of: "artist_id", catalogue)))
    let page = try await catalogue.database.read { try Catalogue.artist(Library.ReadArtist(id: id), $0) }
    #expect(page.moods?.first?.lowercased() == "calm")
    #expect(Set(page.moods?.map { $0.lowercased() } ?? []) == ["calm", "bold", "wistful"])
    #expect(page.styles == ["Cool Jazz"])
  }
}

import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People

/// People in their roles, their pages, and works.
@Suite(.timeLimit(.minutes(2)))
struct CreditQueriesTests {
  private func artist(_ number: Int) -> ArtistID { ArtistID(source: "plex", native: "r\(number)") }

  @Test func artistsAreListedByRole() async throws {
    let catalogue = try await BrowsingCatalogue().catalogue
    func names(_ role: CreditRole?) async throws -> [String] {
      var names: [String] = []
      var after: String?
      repeat {
        let request = Library.ListArtists(after: after, limit: 1, role: role)
        let page = try await catalogue.database.read { try Catalogue.artists(request, $0) }
        names += page.items.map(\.name)
        after = page.next
      } while after != nil
      return names
    }
    // Somebody without albums is not listed without a role.
    #expect(try await names(nil) == ["Ann", "Ben"])
    #expect(try await names(.artist) == ["Ann", "Ben"])
    #expect(try await names(.composer) == ["Cyn"])
    #expect(try await names(.performer) == ["Ben", "Cyn"])
    #expect(try await names(.lyricist).isEmpty)
  }

  @Test func anArtistsPageHasGroupsByRole() async throws {
    let catalogue = try await BrowsingCatalogue().catalogue
    func page(_ number: Int) async throws -> Library.ArtistPage {
      try await catalogue.database.read { try Catalogue.artist(.init(id: artist(number)), $0) }
    }
    let cyn = try await page(13)
    #expect(cyn.albums.isEmpty)
    #expect(
      cyn.appearances == [
        .init(role: .composer, albums: 3, tracks: 3), .init(role: .performer, albums: 1, tracks: 1),
      ])
    #expect(cyn.artist.roles == [.composer, .performer] && cyn.artist.trackCount == 3)
    #expect(cyn.artist.aliases == ["Cynthia"])
    // A track on one's own album is no appearance.
    #expect(try await page(12).appearances == [.init(role: .performer, albums: 1, tracks: 1)])
    let ann = try await page(11)
    #expect(ann.albums.map(\.title) == ["A1", "A2", "A3"])
    #expect(ann.appearances == [.init(role: .artist, albums: 1, tracks: 1)])
  }

  @Test func anAlbumOfSeveralArtistsIsOnThePageOfEach() async throws {
    let catalogue = try await BrowsingCatalogue().catalogue
    try await catalogue.write("INSERT INTO album_artists (album, place, artist, name) VALUES (4, 1, 11, 'Ann')")
    let page = try await catalogue.database.read { try Catalogue.artist(.init(id: artist(11)), $0) }
    #expect(page.albums.map(\.title) == ["A1", "A2", "A3", "B1"])
    let list = Library.ListNextAlbums(
      list: Library.AlbumList(artist: artist(11)), after: AlbumID(source: "plex", native: "a3"))
    #expect(try await catalogue.database.read { try Catalogue.nextAlbums(list, $0) }.items.map(\.title) == ["B1"])
  }

  @Test func anAlbumNamesEverybodyButItsArtists() async throws {
    let catalogue = try await BrowsingCatalogue().catalogue
    try await catalogue.write(
      "INSERT INTO credits VALUES (42, 2, 0, 12, 'Ben', NULL), (42, 2, 1, 13, 'Cynthia', NULL)",
      "INSERT INTO credits VALUES (42, 0, 0, 11, 'Ann', NULL), (42, 6, 0, 13, 'Cyn', 'flute')")
    func credits(_ album: Int) async throws -> [String]? {
      let request = Library.ReadAlbum(id: AlbumID(source: "plex", native: "a\(album)"))
      let page = try await catalogue.database.read { try Catalogue.album(request, $0) }
      return page.credits?.map { one in
        "\(one.credit.role.rawValue) \(one.credit.name) \(one.credit.instrument ?? "-") \(one.tracks)"
      }
    }
    // Of one role those with the most tracks come first, and the parts on several instruments stand apart.
    #expect(
      try await credits(4) == ["composer Cyn - 2", "composer Ben - 1", "performer Cyn oboe 1", "performer Cyn flute 1"])
    #expect(try await credits(3) == nil)
  }

  @Test func creditsComeInPages() async throws {
    let catalogue = try await BrowsingCatalogue().catalogue
    try await catalogue.write("INSERT INTO credits VALUES (41, 6, 1, 13, 'Cyn', 'flute')")
    func credits(_ number: Int, _ role: CreditRole, limit: Int) async throws -> [Library.CreditedTrack] {
      var found: [Library.CreditedTrack] = []
      var after: String?
      repeat {
        let request = Library.ListCredits(artist: artist(number), role: role, after: after, limit: limit)
        let page = try await catalogue.database.read { try Catalogue.credits(request, $0) }
        found += page.items
        after = page.next
      } while after != nil
      return found
    }
    for limit in [1, 2, 100] {
      let found = try await credits(13, .composer, limit: limit)
      #expect(found.map(\.track.title) == ["A1-1", "A2-1", "B1-1"])
      #expect(found.map(\.credit.name) == ["Cyn", "Cynthia", "Cyn"])
    }
    let performed = try await credits(13, .performer, limit: 100)
    #expect(
      performed.map(\.credit) == [Credit(role: .performer, name: "Cyn", artist: artist(13), instrument: "oboe, flute")])
    #expect(try await credits(12, .artist, limit: 100).isEmpty)
    #expect(try await credits(11, .artist, limit: 100).map(\.track.title) == ["B2-1"])
  }

  @Test func somebodyWithoutAlbumsIsPlayedByTheirTracks() async throws {
    let catalogue = try await BrowsingCatalogue().catalogue
    func titles(_ number: Int) async throws -> [String] {
      let request = Library.ListPlayable(ids: [artist(number).playable])
      return try await catalogue.database.read { try Catalogue.playable(request, host: "h", $0) }.tracks.map(
        \.track.title)
    }
    #expect(try await titles(13) == ["A1-1", "A2-1", "B1-1"])
    #expect(try await titles(11) == ["A1-1", "A1-2", "A2-1", "A2-2", "A3-1", "A3-2"])
  }

  @Test func worksAreListedReadAndPlayed() async throws {
    let catalogue = try await BrowsingCatalogue().catalogue
    try await catalogue.write(
      "INSERT INTO works (id, key, title, sort, composer) VALUES (2, '|air', 'Air', 'air', NULL)",
      "INSERT INTO track_works (track, work) VALUES (62, 2)")
    func works(_ composer: ArtistID?, startingAt: String? = nil) async throws -> [String] {
      var found: [String] = []
      var after: String?
      repeat {
        let request = Library.ListWorks(composer: composer, after: after, limit: 1, startingAt: startingAt)
        let page = try await catalogue.database.read { try Catalogue.works(request, $0) }
        found += page.items.map { "\($0.id) \($0.title) \($0.composer?.name ?? "-") \($0.trackCount)" }
        after = page.next
      } while after != nil
      return found
    }
    #expect(try await works(nil) == ["library:w2 Air - 1", "library:w1 Suite Cyn 2"])
    #expect(try await works(nil, startingAt: "s") == ["library:w1 Suite Cyn 2"])
    #expect(try await works(artist(13)) == ["library:w1 Suite Cyn 2"])
    let id = WorkID(source: "library", native: "w1")
    let page = try await catalogue.database.read { try Catalogue.work(.init(id: id), $0) }
    #expect(page.tracks.map(\.title) == ["A1-1", "B1-1"] && page.work.composer?.id == artist(13))
    let played = try await catalogue.database.read {
      try Catalogue.playable(.init(ids: [id.playable]), host: "h", $0)
    }
    #expect(played.tracks.map(\.track.title) == ["A1-1", "B1-1"])
    for unknown in ["library:w9", "library:x", "plex:w1"] {
      let id = try #require(WorkID(unknown))
      await #expect {
        _ = try await catalogue.database.read { try Catalogue.work(.init(id: id), $0) }
      } throws: {
        ($0 as? LunaraError)?.code == "library.unknownID"
      }
    }
  }
}

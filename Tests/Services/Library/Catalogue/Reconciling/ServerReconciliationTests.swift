import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import Records
@testable import Sources

/// The effects of a server's refresh on the catalogue.
@Suite(.timeLimit(.minutes(2)))
struct ServerReconciliationTests {
  private func server(_ albums: Int = 4) -> FakeServer {
    var contents = FakeServer.Contents()
    for number in 1...albums { contents.album(number * 100, "Album \(number)") }
    return FakeServer(contents)
  }

  @Test func theAudioOfATrackIsThatOfTheServer() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "Blue", tracks: 2, format: "ogg")
    contents.tracks[0].audio = AudioProperties(codec: "flac", bitRate: 900, sampleRate: 48_000, bitDepth: 24)
    // Some servers give lossy audio a depth.
    contents.tracks[1].audio = AudioProperties(codec: "vorbis", bitRate: 192, bitDepth: 16, channels: 2)
    try await catalogue.refresh(FakeServer(contents))
    var copies: [Library.TrackDetail.Copy] = []
    for track in try await catalogue.tracks() {
      copies += try await catalogue.database.read { try Catalogue.track(.init(id: track.id), $0) }.copies
    }
    #expect(copies.map { $0.audio?.summary } == ["FLAC 24/48", "Vorbis 192"])
    #expect(copies.map(\.isLossless) == [true, false])
  }

  @Test func itCountsWhatIsNewChangedUnchangedAndDeleted() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    #expect(try await catalogue.refresh(server) == [12, 0, 0, 0])
    #expect(try await catalogue.refresh(server) == [0, 0, 12, 0])
    #expect(server.readings == [.everything])
    server.change { contents in
      contents.tracks[0].title = "Another"
      contents.tracks.removeAll { $0.native == "203" }
      contents.album(500, "Album 5", tracks: 1)
    }
    #expect(try await catalogue.refresh(server) == [1, 1, 10, 1])
    #expect(try await catalogue.albums().map(\.title) == (1...5).map { "Album \($0)" })
    #expect(try await catalogue.search("another").tracks.map(\.title) == ["Another"])
    let status = try await catalogue.status()
    #expect(status.name == "plex" && status.albums == 5 && status.tracks == 12 && status.method == "full")
    #expect(status.runs?.map(\.counts.new) == [1, 0, 12])
  }

  @Test func numbersFollowTheServersIdsShorterOnesFirst() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(1000, "Later")
    contents.album(90, "Earlier")
    try await catalogue.refresh(FakeServer(contents))
    #expect(try await catalogue.album("Earlier").id.description == "plex:a1")
    #expect(
      try await catalogue.tracks(of: catalogue.album("Earlier")).map(\.id.description) == [
        "plex:t1", "plex:t2", "plex:t3",
      ])
    #expect(try await catalogue.album("Later").id.description == "plex:a2")
  }

  @Test func tracksHaveTheReleaseOfTheirAlbum() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(2))
    server.change { $0.albums[0].releaseID = "one" }
    try await catalogue.refresh(server)
    #expect(try await catalogue.tracks(of: catalogue.album("Album 1")).map(\.releaseID) == ["one", "one", "one"])
    #expect(try await catalogue.tracks(of: catalogue.album("Album 2")).map(\.releaseID) == [nil, nil, nil])
    // First only the album changes, then only a track.
    server.change { $0.albums[0].releaseID = "two" }
    try await catalogue.refresh(server)
    server.change { $0.tracks[0].title = "Another" }
    try await catalogue.refresh(server)
    #expect(try await catalogue.tracks(of: catalogue.album("Album 1")).map(\.releaseID) == ["two", "two", "two"])
  }

  @Test func aServersOwnIdIsAccepted() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server())
    #expect(try await catalogue.meant(by: "plex:200") == CatalogueID(.album, 2))
    #expect(try await catalogue.meant(by: "plex:201") == CatalogueID(.track, 4))
    #expect(try await catalogue.meant(by: "plex:999") == nil)
  }

  @Test(arguments: [(true, true), (false, true), (true, false), (false, false)])
  func aRenumberedLibraryKeepsItsNumbers(_ guids: Bool, _ files: Bool) async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    server.change { contents in
      contents.collections = [ServerList(native: "9000", title: "Vibes", items: ["100", "300"])]
      contents.playlists = [ServerList(native: "9001", title: "List", items: ["101", "302", "101"])]
      if !guids { contents.renumber(by: 0, guids: false) }
    }
    try await catalogue.refresh(server)
    let (albums, tracks) = (try await catalogue.albums(), try await catalogue.tracks())
    // Shifted by 100, most ids name another album or track than before.
    server.change { $0.renumber(by: 100, guids: guids, files: files) }
    let counts = try await catalogue.refresh(server)
    #expect(counts[0] == 0 && counts[3] == 0)
    #expect(try await catalogue.albums().map(\.id) == albums.map(\.id))
    #expect(try await catalogue.tracks().map(\.id) == tracks.map(\.id))
    #expect(try await catalogue.tracks().map(\.title) == tracks.map(\.title))
    let items = try await catalogue.database.read { transaction in
      try transaction.rows("SELECT collection, item FROM collection_items ORDER BY position") {
        [try $0.value(0) as Int64, try $0.value(1)]
      }
    }
    #expect(items == [[1, 1], [1, 3]])
  }

  @Test func anEmptyAnswerDeletesNothing() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { contents in
      contents.albums = []
      contents.tracks = []
    }
    #expect(try await catalogue.refresh(server) == [0, 0, 0, 0])
    #expect(try await catalogue.albums().count == 4)
    #expect(try await catalogue.problems() == ["library.deletionsHeld"])
    #expect(try await catalogue.refresh(server, accepting: true) == [0, 0, 0, 12])
    #expect(try await catalogue.albums().isEmpty)
    #expect(try await catalogue.artists().isEmpty)
  }

  @Test func aShortAnswerStopsAndAsks() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(12))
    try await catalogue.refresh(server)
    server.change { contents in
      for number in 1...5 { contents.remove(number * 100) }
      contents.album(5000, "New", tracks: 1)
    }
    #expect(try await catalogue.refresh(server) == [1, 0, 21, 0])
    let problem = try #require(try await catalogue.status().problems.first)
    #expect(problem.code == "library.deletionsHeld" && problem.message.contains("15 tracks"))
    #expect(try await catalogue.refresh(server, accepting: true)[3] == 15)
    #expect(try await catalogue.problems() == [])
  }

  @Test func aSmallLossIsDeletedAtOnce() async throws {
    let (catalogue, server) = (try TestCatalogue(), server(12))
    try await catalogue.refresh(server)
    server.change { $0.remove(100) }
    #expect(try await catalogue.refresh(server) == [0, 0, 33, 3])
  }

  @Test func aDeltaChangesOnlyWhatItBringsAndDeletesNothing() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { contents in
      contents.tellsDeltas = true
      contents.remove(100)
      contents.tracks[0].title = "Changed"
      contents.album(600, "New", tracks: 2)
      contents.changedItems = [contents.tracks[0].native, "600", "601", "602"]
    }
    #expect(try await catalogue.refresh(server) == [2, 1, 11, 0])
    #expect(server.readings == [.everything, .delta])
    // After a week the ids are compared as a whole.
    catalogue.wait(seconds: 8 * 86400)
    #expect(try await catalogue.refresh(server) == [0, 0, 11, 3])
    #expect(server.readings.last == .keys)
  }

  @Test func anotherCountThanTheServersHasTheIdsCompared() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { contents in
      contents.tellsDeltas = true
      contents.tellsCount = true
      contents.remove(100)
    }
    #expect(try await catalogue.refresh(server) == [0, 0, 9, 3])
    #expect(server.readings == [.everything, .delta, .keys])
  }

  @Test func aSectionSwitchedOffLeavesAndComesBack() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.sections = [
      ServerSection(key: "1", title: "Music", isOnByDefault: true),
      ServerSection(key: "2", title: "Audiobooks", isOnByDefault: false),
    ]
    for number in 1...6 { contents.album(number * 100, "Album \(number)") }
    contents.album(1000, "Book", by: "Author", section: "2")
    let server = FakeServer(contents)
    #expect(try await catalogue.refresh(server) == [18, 0, 0, 0])
    func turn(_ section: String, _ isOn: Bool) async throws {
      let registry = SourceRegistry(
        catalogue.source(), kinds: SourceKinds([FilesSource.descriptor]), secrets: catalogue.secrets,
        database: catalogue.database, publisher: .to(nil), now: { .now() })
      try await registry.switchSection(.init(source: "plex", section: section, isOn: isOn))
    }
    try await turn("2", true)
    #expect(try await catalogue.refresh(server) == [3, 0, 18, 0])
    // No deletion is held, since a person switched the section off.
    try await turn("1", false)
    #expect(try await catalogue.refresh(server) == [0, 0, 3, 18])
    #expect(try await catalogue.albums().map(\.title) == ["Book"])
  }

  @Test func aSectionThatComesBackIsAsAPersonLeftIt() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.sections = ["Music", "Attic"].enumerated().map {
      ServerSection(key: "\($0 + 1)", title: $1, isOnByDefault: true)
    }
    for number in 1...6 { contents.album(number * 100, "Album \(number)") }
    contents.album(1000, "Old", section: "2")
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    let registry = SourceRegistry(
      catalogue.source(), kinds: SourceKinds([FilesSource.descriptor]), secrets: catalogue.secrets,
      database: catalogue.database, publisher: .to(nil), now: { .now() })
    try await registry.switchSection(.init(source: "plex", section: "2", isOn: false))
    func shown() async throws -> [String] {
      let state = try await catalogue.state()
      return try await registry.list(state.sources).sources[0].sections.map { "\($0.title) \($0.isOn)" }
    }
    #expect(try await shown() == ["Music true", "Attic false"])
    server.change { $0.sections.removeLast() }
    try await catalogue.refresh(server)
    #expect(try await shown() == ["Music true"])
    await #expect { try await registry.switchSection(.init(source: "plex", section: "2", isOn: true)) } throws: {
      ($0 as? LunaraError)?.code == "library.unknownSource"
    }
    server.change { $0.sections = contents.sections }
    try await catalogue.refresh(server)
    #expect(try await shown() == ["Music true", "Attic false"])
  }

  @Test func artistsOfOneNameAreOne() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "One", by: "Nirvana")
    contents.album(200, "Two", by: "nirvana ")
    contents.artists = [
      ServerArtist(native: "10", name: "Nirvana", summary: "From London.", genres: ["Psych"], art: "/a/10"),
      ServerArtist(native: "11", name: "Nirvana", summary: "From Aberdeen.", genres: ["Grunge", "psych"]),
    ]
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    let artists = try await catalogue.artists()
    #expect(artists.map(\.albumCount) == [2])
    #expect(artists.first?.art?.description == "plex:/a/10")
    let genres = try await catalogue.database.read { transaction in
      try transaction.row("SELECT summary, genres FROM artists") {
        (try $0.value(0) as String, TextList.unpacked(try $0.value(1)))
      }
    }
    #expect(genres?.0 == "From London." && genres?.1 == ["Psych", "Grunge"])
    server.change { $0.artists.removeFirst() }
    try await catalogue.refresh(server)
    #expect(try await catalogue.artists().first?.art == nil)
  }

  @Test func aTrackHasItsOwnArtistOrThatOfItsAlbum() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "Hits", by: "Various Artists", tracks: 2)
    contents.tracks[0].artist = "Nina"
    contents.album(200, "Blue", by: "Joni", tracks: 1)
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    #expect(try await catalogue.tracks().map(\.artist) == ["Joni", "Nina", "Unknown Artist"])
    #expect(try await catalogue.tracks().map(\.albumArtist) == ["Joni", "Various Artists", "Various Artists"])
    // Only the album's artist changes: the tracks get the new artist, and are found by it.
    server.change { $0.albums[1].artist = "Mitchell" }
    #expect(try await catalogue.refresh(server) == [0, 0, 3, 0])
    #expect(try await catalogue.search("mitchell").tracks.map(\.artist) == ["Mitchell"])
    #expect(try await catalogue.search("joni").tracks.isEmpty)
  }

  @Test func aTrackThatMovesToAnotherAlbumIsThereAndAnEmptyAlbumGoes() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "One", tracks: 1)
    contents.album(200, "Two", tracks: 1)
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    let before = try await catalogue.track("Song 1 of One")
    server.change { $0.tracks[0].album = "200" }
    try await catalogue.refresh(server)
    #expect(try await catalogue.albums().map(\.title) == ["Two"])
    #expect(try await catalogue.track("Song 1 of One").id == before.id)
  }

  @Test func tracksOfAnUnknownAlbumAreReadOnceMore() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { contents in
      contents.tellsDeltas = true
      contents.album(600, "New", tracks: 2)
      contents.changedItems = ["601", "602"]
    }
    #expect(try await catalogue.refresh(server) == [0, 0, 12, 0])
    #expect(try await catalogue.refresh(server) == [2, 0, 12, 0])
    #expect(server.readings == [.everything, .delta, .everything])
  }

  @Test func collectionsAndPlaylistsHoldWhatIsThere() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    server.change { contents in
      contents.collections = [ServerList(native: "70", title: "Key Albums", items: ["200", "900"])]
      contents.playlists = [ServerList(native: "80", title: "Mix", items: ["101", "301", "101"])]
    }
    try await catalogue.refresh(server)
    func items(_ table: String, _ column: String, by order: String = "position") async throws -> [Int64?] {
      try await catalogue.database.read { transaction in
        try transaction.rows("SELECT \(column) FROM \(table) ORDER BY \(order)") { try $0.value(0) }
      }
    }
    #expect(try await items("collection_items", "item") == [2, nil])
    #expect(try await items("playlist_entries", "track", by: "place") == [1, 7, 1])
    // A new item gets its position; a removed one loses it.
    server.change { contents in
      contents.album(900, "Album 9")
      contents.remove(300)
    }
    try await catalogue.refresh(server)
    #expect(try await items("collection_items", "item") == [2, 5])
    #expect(try await items("playlist_entries", "track", by: "place") == [1, nil, 1])
    server.change { contents in
      contents.collections = []
      contents.playlists = []
    }
    // Nobody was asked before the second reading.
    try await catalogue.refresh(server, accepting: true)
    #expect(try await items("collection_items", "item") == [2, 5])
    try await catalogue.refresh(server, accepting: true)
    #expect(try await items("collection_items", "item").isEmpty)
  }

  @Test func anotherServerAtTheAddressIsNotTakenForTheOldOne() async throws {
    let (catalogue, server) = (try TestCatalogue(), server())
    try await catalogue.refresh(server)
    server.change { contents in
      contents.machine = "machine-2"
      contents.albums = []
      contents.tracks = []
    }
    await #expect { try await catalogue.refresh(server) } throws: {
      ($0 as? LunaraError)?.code == "library.otherServer"
    }
    #expect(try await catalogue.albums().count == 4)
  }
}

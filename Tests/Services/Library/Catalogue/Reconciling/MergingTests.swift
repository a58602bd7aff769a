import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import Records

/// The music of several sources is merged into one catalogue.
@Suite(.timeLimit(.minutes(3)))
struct MergingTests {
  private func server(_ machine: String = "m1", _ fill: (inout FakeServer.Contents) -> Void) -> FakeServer {
    var contents = FakeServer.Contents()
    contents.machine = machine
    fill(&contents)
    return FakeServer(contents)
  }

  private func play(_ track: Track, on catalogue: TestCatalogue, listen: String) async throws {
    let counted = try PlaysTests.counted(track, listen: listen)
    let time = catalogue.time
    try await catalogue.database.write { try ListenRows.record(counted, at: time, $0) }
  }

  @Test func aSplitAlbumShowsTheTracksOfAllItsMembers() async throws {
    let catalogue = try TestCatalogue()
    let server = server { contents in
      contents.album(100, "Blue", tracks: 2)
      contents.album(200, "blue ", by: " JONI", tracks: 2, from: 3)
    }
    try await catalogue.refresh(server)
    let album = try await catalogue.album("Blue")
    #expect(try await catalogue.albums().count == 1)
    #expect(album.trackCount == 4 && album.duration == Milliseconds(4 * 180_000))
    #expect(try await catalogue.tracks(of: album).map(\.number) == [1, 2, 3, 4])
    #expect(try await catalogue.tracks(of: album).allSatisfy { $0.albumID == album.id })
    #expect(try await catalogue.artists().map(\.albumCount) == [1])
    // The id of any member leads to the album.
    let member = try #require(AlbumID("plex:a2"))
    let page = try await catalogue.database.read { try Catalogue.album(.init(id: member), $0) }
    #expect(page.album.id == album.id && page.tracks.count == 4)
  }

  @Test func anotherYearIsAnotherAlbum() async throws {
    let catalogue = try TestCatalogue()
    let server = server { contents in
      contents.album(100, "Blue", year: 1971)
      contents.album(200, "Blue", year: 2021)
      contents.album(300, "Blue", year: nil)
    }
    try await catalogue.refresh(server)
    #expect(try await catalogue.albums().count == 3)
  }

  @Test func copiesOfOneAlbumAreOneAndTheBestCopyIsShown() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server { $0.album(100, "Blue", tracks: 4) })
    let other = server("m2") { $0.album(700, "Blue", tracks: 3, format: "flac", seconds: 181) }
    try await catalogue.refresh(other, "plex-2")
    let album = try await catalogue.album("Blue")
    // The member known for longest gives the album its id; lossless copies of tracks are shown before lossy ones.
    #expect(album.id.description == "plex:a1" && album.trackCount == 4)
    #expect(try await catalogue.tracks(of: album).map(\.id.source) == ["plex-2", "plex-2", "plex-2", "plex"])
    #expect(try await catalogue.search("song blue").tracks.count == 4)
    #expect(try await catalogue.meant(by: "plex:t1") == CatalogueID(.track, 5))
    #expect(try await catalogue.tracks(of: album).first?.id.description == "plex-2:t5")
  }

  @Test func folderCopiesGoBeforeRemoteOnesOfTheSameQuality() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server { $0.album(100, "Blue", tracks: 2, format: "flac") })
    for number in 1...2 {
      try catalogue.tree.flac(
        "blue/\(number).flac",
        ["ALBUM=Blue", "ALBUMARTIST=Joni", "DATE=1971", "TITLE=Song \(number) of Blue", "TRACKNUMBER=\(number)"])
    }
    #expect(try await catalogue.refresh() == [2, 0, 0, 0])
    try await catalogue.expectWholeIndex()
    try await catalogue.expectSameFromScratch()
    let album = try await catalogue.album("Blue")
    #expect(album.id.description == "plex:a1" && album.trackCount == 2)
    #expect(try await catalogue.tracks(of: album).map(\.id.source) == ["files", "files"])
    let copy = try #require(PlayableID("plex:t1"))
    let playable = try await catalogue.database.read { try Catalogue.playable(.init(ids: [copy]), host: "here", $0) }
    #expect(playable.tracks.first?.path?.bytes == catalogue.tree.path("blue/1.flac"))
  }

  @Test(arguments: [(182, 1), (183, 2)])
  func lengthsMayDifferByTwoSeconds(_ seconds: Int64, _ albums: Int) async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server { $0.album(100, "Blue", tracks: 1) })
    try await catalogue.refresh(server("m2") { $0.album(700, "Blue", tracks: 1, seconds: seconds) }, "plex-2")
    #expect(try await catalogue.albums().map(\.trackCount) == Array(repeating: 1, count: albums))
  }

  @Test func twoTracksOfOneMemberAreNeverOne() async throws {
    let catalogue = try TestCatalogue()
    let server = server { contents in
      contents.album(100, "Blue", tracks: 2)
      contents.tracks[1].title = contents.tracks[0].title
      contents.tracks[1].number = 1
    }
    try await catalogue.refresh(server)
    try await catalogue.refresh(self.server("m2") { $0.album(700, "Blue", tracks: 1) }, "plex-2")
    #expect(try await catalogue.album("Blue").trackCount == 2)
  }

  @Test func whenTheShownMemberGoesTheNextTakesOverWithPlaysAndRatings() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh(server { $0.album(100, "Blue", tracks: 2, format: "flac") })
    let other = server("m2") { contents in
      contents.album(700, "Blue", tracks: 2)
      contents.tracks[0].rating = Rating(rawValue: 8)
    }
    try await catalogue.refresh(other, "plex-2")
    let track = try await catalogue.track("Song 1 of Blue")
    #expect(track.id.description == "plex:t1" && track.rating?.rawValue == 8)
    try await play(track, on: catalogue, listen: "l1")
    let heard = catalogue.time
    let now = catalogue.time
    try await catalogue.database.write { try Catalogue.remove(source: "plex", now: now, .to(nil), $0) }
    try await catalogue.expectWholeIndex()
    try await catalogue.expectSameFromScratch()
    let after = try await catalogue.album("Blue")
    #expect(after.id.description == "plex-2:a2" && after.lastPlayedAt == heard)
    let successor = try await catalogue.track("Song 1 of Blue")
    #expect(successor.id.description == "plex-2:t3" && successor.rating?.rawValue == 8)
    // Ids of the removed copies, which queues and histories may hold, still resolve.
    #expect(try await catalogue.meant(by: "plex:t1") == CatalogueID(.track, 3))
    #expect(try await catalogue.meant(by: "plex:a1") == CatalogueID(.album, 2))
  }

  @Test func aMemberThatIsRenamedStandsAlone() async throws {
    let catalogue = try TestCatalogue()
    let server = server { contents in
      contents.album(100, "Blue", tracks: 2)
      contents.album(200, "Blue", tracks: 2, from: 3)
    }
    try await catalogue.refresh(server)
    server.change { $0.albums[0].title = "Hejira" }
    try await catalogue.refresh(server)
    #expect(
      try await catalogue.albums().map { "\($0.title) \($0.trackCount) \($0.id)" } == [
        "Blue 2 plex:a2", "Hejira 2 plex:a1",
      ])
    server.change { $0.albums[0].title = "Blue" }
    try await catalogue.refresh(server)
    #expect(try await catalogue.albums().map(\.trackCount) == [4])
  }

  @Test func genresAreTheUnionAndTheFirstSpellingCounts() async throws {
    let catalogue = try TestCatalogue()
    let server = server { contents in
      contents.album(100, "Blue", tracks: 1)
      contents.album(200, "Blue", tracks: 1, from: 2)
      contents.albums[1].genres = ["folk", "Jazz"]
      contents.tracks[1].genres = ["Soul", "JAZZ"]
    }
    try await catalogue.refresh(server)
    #expect(try await catalogue.album("Blue").genres == ["Folk", "Jazz", "Soul"])
  }

  @Test func albumsWithoutATitleAreNotMerged() async throws {
    let catalogue = try TestCatalogue()
    let server = server { contents in
      contents.album(100, " ", by: "", year: nil)
      contents.album(200, "", by: "", year: nil)
    }
    try await catalogue.refresh(server)
    #expect(try await catalogue.albums().count == 2)
  }

  @Test(arguments: 1...12)
  func randomChangesShowTheSameAsARebuild(_ seed: UInt64) async throws {
    var random = Seeded(seed)
    let catalogue = try TestCatalogue()
    let servers = ["plex", "plex-2"].map { ($0, server($0) { _ in }) }
    var next = 100
    for _ in 0..<25 {
      let (name, server) = servers[Int.random(in: 0..<2, using: &random)]
      server.change { contents in
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          change(&contents, &next, &random)
        }
      }
      try await catalogue.refresh(server, name, accepting: true)
      if Int.random(in: 0..<3, using: &random) == 0,
        let track = try await catalogue.tracks().randomElement(using: &random)
      {
        catalogue.wait(seconds: 60)
        try await play(track, on: catalogue, listen: "l\(random.next())")
        try await catalogue.expectSameFromScratch()
      }
    }
    // Every track of a source is shown once, itself or as a copy.
    let model = try await catalogue.database.read { transaction in
      try transaction.row(
        """
        SELECT (SELECT count(*) FROM tracks), (SELECT sum(tracks) FROM albums WHERE shelf = id),
          (SELECT count(*) FROM tracks WHERE shelf IS NULL)
        """
      ) { [try $0.value(0) as Int, try $0.value(1) as Int? ?? 0, try $0.value(2)] }
    }
    #expect(model.map { $0[0] == $0[1] + $0[2] } == true)
  }

  private func change(_ contents: inout FakeServer.Contents, _ next: inout Int, _ random: inout Seeded) {
    let titles = ["Blue", "Hejira", "blue"]
    func some() -> Int? { contents.albums.indices.randomElement(using: &random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2:
      contents.album(
        next, titles.randomElement(using: &random) ?? "", tracks: Int.random(in: 1...3, using: &random),
        from: Int.random(in: 1...2, using: &random), format: Bool.random(using: &random) ? "flac" : "mp3",
        seconds: Int64.random(in: 178...184, using: &random))
      next += 100
    case 3: if let index = some(), let number = Int(contents.albums[index].native) { contents.remove(number) }
    case 4: if let index = some() { contents.albums[index].title = titles.randomElement(using: &random) ?? "" }
    case 5:
      if let index = some() { contents.albums[index].rating = Rating(rawValue: Int.random(in: 0...10, using: &random)) }
    case 6:
      if let index = contents.tracks.indices.randomElement(using: &random),
        let album = contents.albums.randomElement(using: &random)
      {
        contents.tracks[index].album = album.native
      }
    default:
      if let index = contents.tracks.indices.randomElement(using: &random) {
        contents.tracks[index].rating = Rating(rawValue: Int.random(in: 0...10, using: &random))
        contents.tracks[index].duration = Milliseconds(Int64.random(in: 178_000...184_000, using: &random))
      }
    }
  }
}

import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_library

/// What several sources have is one shelf.
@Suite(.timeLimit(.minutes(3)))
struct MergingTests {
  private func server(_ machine: String = "m1", _ fill: (inout FakeServer.Contents) -> Void) -> FakeServer {
    var contents = FakeServer.Contents()
    contents.machine = machine
    fill(&contents)
    return FakeServer(contents)
  }

  private func play(_ track: Track, on shelf: Shelf, listen: String) async throws {
    let counted = try PlaysTests.counted(track, listen: listen)
    let time = shelf.time
    try await shelf.database.write { try Plays.record(counted, at: time, $0) }
  }

  @Test func aSplitAlbumShowsTheTracksOfAllItsMembers() async throws {
    let shelf = try Shelf()
    let server = server { contents in
      contents.album(100, "Blue", tracks: 2)
      contents.album(200, "blue ", by: " JONI", tracks: 2, from: 3)
    }
    try await shelf.refresh(server)
    let album = try await shelf.album("Blue")
    #expect(try await shelf.albums().count == 1)
    #expect(album.trackCount == 4 && album.duration == Milliseconds(4 * 180_000))
    #expect(try await shelf.tracks(of: album).map(\.number) == [1, 2, 3, 4])
    #expect(try await shelf.tracks(of: album).allSatisfy { $0.albumID == album.id })
    #expect(try await shelf.artists().map(\.albumCount) == [1])
    // Any member's id leads to it.
    let member = try #require(AlbumID("plex:a2"))
    let page = try await shelf.database.read { try Catalogue.album(.init(id: member), $0) }
    #expect(page.album.id == album.id && page.tracks.count == 4)
  }

  @Test func anotherYearIsAnotherAlbum() async throws {
    let shelf = try Shelf()
    let server = server { contents in
      contents.album(100, "Blue", year: 1971)
      contents.album(200, "Blue", year: 2021)
      contents.album(300, "Blue", year: nil)
    }
    try await shelf.refresh(server)
    #expect(try await shelf.albums().count == 3)
  }

  @Test func copiesOfOneAlbumAreOneAndTheBestCopyIsShown() async throws {
    let shelf = try Shelf()
    try await shelf.refresh(server { $0.album(100, "Blue", tracks: 4) })
    let other = server("m2") { $0.album(700, "Blue", tracks: 3, format: "flac", seconds: 181) }
    try await shelf.refresh(other, "plex-2")
    let album = try await shelf.album("Blue")
    // The oldest known stays what it is called; lossless copies stand for lossy ones.
    #expect(album.id.description == "plex:a1" && album.trackCount == 4)
    #expect(try await shelf.tracks(of: album).map(\.id.source) == ["plex-2", "plex-2", "plex-2", "plex"])
    #expect(try await shelf.search("song blue").tracks.count == 4)
    #expect(try await shelf.meant(by: "plex:t1") == .track(5))
    #expect(try await shelf.tracks(of: album).first?.id.description == "plex-2:t5")
  }

  @Test func folderCopiesGoBeforeRemoteOnesOfTheSameQuality() async throws {
    let shelf = try Shelf()
    try await shelf.refresh(server { $0.album(100, "Blue", tracks: 2, format: "flac") })
    for number in 1...2 {
      try shelf.tree.flac(
        "blue/\(number).flac",
        ["ALBUM=Blue", "ALBUMARTIST=Joni", "DATE=1971", "TITLE=Song \(number) of Blue", "TRACKNUMBER=\(number)"])
    }
    #expect(try await shelf.refresh() == [2, 0, 0, 0])
    try await shelf.expectWholeIndex()
    try await shelf.expectSameFromScratch()
    let album = try await shelf.album("Blue")
    #expect(album.id.description == "plex:a1" && album.trackCount == 2)
    #expect(try await shelf.tracks(of: album).map(\.id.source) == ["files", "files"])
    let copy = try #require(PlayableID("plex:t1"))
    let playable = try await shelf.database.read { try Catalogue.playable(.init(ids: [copy]), host: "here", $0) }
    #expect(playable.tracks.first?.path?.bytes == shelf.tree.path("blue/1.flac"))
  }

  @Test(arguments: [(182, 1), (183, 2)])
  func lengthsMayDifferByTwoSeconds(_ seconds: Int64, _ shown: Int) async throws {
    let shelf = try Shelf()
    try await shelf.refresh(server { $0.album(100, "Blue", tracks: 1) })
    try await shelf.refresh(server("m2") { $0.album(700, "Blue", tracks: 1, seconds: seconds) }, "plex-2")
    #expect(try await shelf.album("Blue").trackCount == shown)
  }

  @Test func twoTracksOfOneMemberAreNeverOne() async throws {
    let shelf = try Shelf()
    let server = server { contents in
      contents.album(100, "Blue", tracks: 2)
      contents.tracks[1].title = contents.tracks[0].title
      contents.tracks[1].number = 1
    }
    try await shelf.refresh(server)
    try await shelf.refresh(self.server("m2") { $0.album(700, "Blue", tracks: 1) }, "plex-2")
    #expect(try await shelf.album("Blue").trackCount == 2)
  }

  @Test func whenTheShownMemberGoesTheNextTakesOverWithPlaysAndRatings() async throws {
    let shelf = try Shelf()
    try await shelf.refresh(server { $0.album(100, "Blue", tracks: 2, format: "flac") })
    let other = server("m2") { contents in
      contents.album(700, "Blue", tracks: 2)
      contents.tracks[0].rating = Rating(rawValue: 8)
    }
    try await shelf.refresh(other, "plex-2")
    let track = try await shelf.track("Song 1 of Blue")
    #expect(track.id.description == "plex:t1" && track.rating?.rawValue == 8)
    try await play(track, on: shelf, listen: "l1")
    let heard = shelf.time
    let now = shelf.time
    try await shelf.database.write { try Catalogue.remove(source: "plex", now: now, journal: nil, $0) }
    try await shelf.expectWholeIndex()
    try await shelf.expectSameFromScratch()
    let after = try await shelf.album("Blue")
    #expect(after.id.description == "plex-2:a2" && after.lastPlayedAt == heard)
    let successor = try await shelf.track("Song 1 of Blue")
    #expect(successor.id.description == "plex-2:t3" && successor.rating?.rawValue == 8)
    // What queues and histories know by its old id is found.
    #expect(try await shelf.meant(by: "plex:t1") == .track(3))
    #expect(try await shelf.meant(by: "plex:a1") == .album(2))
  }

  @Test func aMemberThatIsRenamedStandsAlone() async throws {
    let shelf = try Shelf()
    let server = server { contents in
      contents.album(100, "Blue", tracks: 2)
      contents.album(200, "Blue", tracks: 2, from: 3)
    }
    try await shelf.refresh(server)
    server.change { $0.albums[0].title = "Hejira" }
    try await shelf.refresh(server)
    #expect(
      try await shelf.albums().map { "\($0.title) \($0.trackCount) \($0.id)" } == [
        "Blue 2 plex:a2", "Hejira 2 plex:a1",
      ])
    server.change { $0.albums[0].title = "Blue" }
    try await shelf.refresh(server)
    #expect(try await shelf.albums().map(\.trackCount) == [4])
  }

  @Test func genresAreTheUnionAndTheFirstSpellingCounts() async throws {
    let shelf = try Shelf()
    let server = server { contents in
      contents.album(100, "Blue", tracks: 1)
      contents.album(200, "Blue", tracks: 1, from: 2)
      contents.albums[1].genres = ["folk", "Jazz"]
      contents.tracks[1].genres = ["Soul", "JAZZ"]
    }
    try await shelf.refresh(server)
    #expect(try await shelf.album("Blue").genres == ["Folk", "Jazz", "Soul"])
  }

  @Test func theTitlelessAreNotOneAlbum() async throws {
    let shelf = try Shelf()
    let server = server { contents in
      contents.album(100, " ", by: "", year: nil)
      contents.album(200, "", by: "", year: nil)
    }
    try await shelf.refresh(server)
    #expect(try await shelf.albums().count == 2)
  }

  @Test(arguments: 1...12)
  func whateverHappensWhatIsShownIsThatOfARebuild(_ seed: UInt64) async throws {
    var random = Seeded(seed)
    let shelf = try Shelf()
    let servers = ["plex", "plex-2"].map { ($0, server($0) { _ in }) }
    var next = 100
    for _ in 0..<25 {
      let (name, server) = servers[Int.random(in: 0..<2, using: &random)]
      server.change { contents in
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          change(&contents, &next, &random)
        }
      }
      try await shelf.refresh(server, name, accepting: true)
      if Int.random(in: 0..<3, using: &random) == 0, let track = try await shelf.tracks().randomElement(using: &random)
      {
        shelf.wait(seconds: 60)
        try await play(track, on: shelf, listen: "l\(random.next())")
        try await shelf.expectSameFromScratch()
      }
    }
    // All that a source has is shown once, in itself or by a copy.
    let model = try await shelf.database.read { transaction in
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

import Messages
import Model
import Storage
import Testing

@testable import People
@testable import Records

/// Ratings that Lunara keeps itself stay with the music when its tags are corrected.
@Suite(.timeLimit(.minutes(2)))
struct RatingMoveTests {
  private let five = Rating(stars: 5)

  private func rate<Kind>(_ id: ItemID<Kind>, _ stars: Double, on catalogue: TestCatalogue) async throws {
    let handler = RatingRequestHandler(
      database: catalogue.database, kinds: .folders, publisher: .to(nil), now: { Timestamp(seconds: 7) }
    ) {
      _, _, _ in
    }
    try await handler.rate(.init(id: PlayableID(source: id.source, native: id.native), rating: Rating(stars: stars)))
  }

  private func artistRatings(_ catalogue: TestCatalogue) async throws -> [Rating?] {
    try await catalogue.database.read { try $0.rows("SELECT rating FROM artists ORDER BY key") { try $0.value(0) } }
  }

  private func kept(_ catalogue: TestCatalogue) async throws -> Int {
    try await catalogue.database.read { try $0.row("SELECT count(*) FROM ratings") { try $0.value(0) } } ?? 0
  }

  @Test func correctedTagsKeepTheRatings() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=Blu", "ARTIST=Jony", "DATE=1970"])
    try await catalogue.refresh()
    let tracks = try await catalogue.tracks()
    try await rate(try await catalogue.album("Blu").id, 4.5, on: catalogue)
    try await rate(tracks[0].id, 5, on: catalogue)
    try await rate(tracks[2].id, 2, on: catalogue)
    try await rate(try #require(try await catalogue.artists().first).id, 3, on: catalogue)
    for (tags, title) in [
      (["ALBUM=Blu", "ARTIST=Jony", "DATE=1971"], "Blu"), (["ALBUM=Blue", "ARTIST=Jony", "DATE=1971"], "Blue"),
      (["ALBUM=Blue", "ARTIST=Joni Mitchell", "DATE=1971"], "Blue"),
    ] {
      try catalogue.tree.album("x", tags)
      try await catalogue.refresh()
      #expect(try await catalogue.album(title).rating == Rating(stars: 4.5), "\(tags)")
      #expect(try await catalogue.tracks().map(\.rating) == [five, nil, Rating(stars: 2)], "\(tags)")
      #expect(try await artistRatings(catalogue) == [Rating(stars: 3)], "\(tags)")
    }
    // No rating stays under the old names, where another album could inherit it.
    #expect(try await kept(catalogue) == 4)
    try await catalogue.expectSameFromScratch()
  }

  @Test func anAlbumThatIsRetaggedFileByFileKeepsItsRating() async throws {
    let catalogue = try TestCatalogue()
    func retag(_ number: Int, _ album: String, _ artist: String) async throws {
      let tags = ["TITLE=Song \(number)", "TRACKNUMBER=\(number)", "ALBUM=\(album)", "ARTIST=\(artist)"]
      try catalogue.tree.flac("x/0\(number).flac", tags)
      try await catalogue.refresh()
    }
    for number in 1...3 { try await retag(number, "Blu", "Jony") }
    try await rate(try await catalogue.album("Blu").id, 4.5, on: catalogue)
    try await rate(try #require(try await catalogue.artists().first).id, 3, on: catalogue)
    try await rate(try await catalogue.track("Song 2").id, 5, on: catalogue)
    for number in 1...2 {
      try await retag(number, "Blue", "Joni")
      // The old album keeps its rating while it has a track left.
      #expect(try await catalogue.album("Blu").rating == Rating(stars: 4.5))
      #expect(try await catalogue.album("Blue").rating == nil)
    }
    try await retag(3, "Blue", "Joni")
    #expect(try await catalogue.albums().map(\.rating) == [Rating(stars: 4.5)])
    #expect(try await artistRatings(catalogue) == [Rating(stars: 3)])
    #expect(try await catalogue.track("Song 2").rating == five)
    #expect(try await kept(catalogue) == 3)
    try await catalogue.expectSameFromScratch()
  }

  @Test func theNewAlbumKeepsItsOwnRating() async throws {
    let catalogue = try TestCatalogue()
    func write(_ number: Int, _ album: String) throws {
      let tags = ["TITLE=Song \(number)", "TRACKNUMBER=\(number)", "ALBUM=\(album)", "ARTIST=Joni"]
      try catalogue.tree.flac("\(number)/0.flac", tags)
    }
    try write(1, "Blu")
    for number in 2...3 { try write(number, "Blue") }
    try await catalogue.refresh()
    try await rate(try await catalogue.album("Blu").id, 1, on: catalogue)
    try await rate(try await catalogue.album("Blue").id, 5, on: catalogue)
    try write(1, "Blue")
    try await catalogue.refresh()
    #expect(try await catalogue.albums().map(\.rating) == [five])
  }

  @Test func titlesThatChangePlacesChangeRatings() async throws {
    let catalogue = try TestCatalogue()
    func write(_ titles: [String]) async throws {
      for (number, title) in titles.enumerated() {
        // Another length each time, so that the scan notices the change.
        try catalogue.tree.flac(
          "x/\(number).flac", ["ALBUM=X", "ARTIST=A", "TITLE=\(title)", "TRACKNUMBER=1", "COMMENT=\(titles)"])
      }
      try await catalogue.refresh()
    }
    try await write(["One", "Two", "Three"])
    let ids = try await catalogue.tracks().map(\.id)
    try await rate(try await catalogue.track("One").id, 5, on: catalogue)
    try await rate(try await catalogue.track("Two").id, 1, on: catalogue)
    try await write(["Two", "One!", "Three"])
    #expect(try await Set(catalogue.tracks().map(\.id)) == Set(ids))
    #expect(try await catalogue.track("Two").rating == five)
    #expect(try await catalogue.track("One!").rating == Rating(stars: 1))
    #expect(try await catalogue.track("Three").rating == nil)
  }

  @Test func aCompilationThatMovesKeepsItsRating() async throws {
    let catalogue = try TestCatalogue()
    for (number, artist) in ["A", "B", "C"].enumerated() {
      try catalogue.tree.flac(
        "mix/\(number).flac", ["ALBUM=Mix", "ARTIST=\(artist)", "TITLE=T\(number)", "TRACKNUMBER=\(number)"])
    }
    try await catalogue.refresh()
    let album = try await catalogue.album("Mix")
    try await rate(album.id, 4, on: catalogue)
    try catalogue.tree.move("mix", to: "elsewhere/mix")
    try await catalogue.refresh()
    #expect(try await catalogue.album("Mix").id == album.id)
    #expect(try await catalogue.album("Mix").rating == Rating(stars: 4))
    #expect(try await kept(catalogue) == 1)
  }

  @Test func namesStillInUseKeepTheirRatings() async throws {
    let catalogue = try TestCatalogue()
    for folder in ["x", "y"] {
      try catalogue.tree.flac("\(folder)/1.flac", ["ALBUM=X", "ARTIST=A", "TITLE=One", "TRACKNUMBER=1"])
    }
    try await catalogue.refresh()
    try await rate(try #require(try await catalogue.tracks().first).id, 5, on: catalogue)
    try catalogue.tree.flac("y/1.flac", ["ALBUM=X", "ARTIST=A", "TITLE=Another", "TRACKNUMBER=1"])
    try await catalogue.refresh()
    #expect(try await catalogue.track("One").rating == five)
    #expect(try await catalogue.track("Another").rating == five)
  }

  @Test func aRatingFollowsWhatAServerRenames() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.album(100, "Blu")
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    // The server keeps no ratings, so these come from a time when the music lay in folders.
    let (album, track) = (try await catalogue.album("Blu"), try await catalogue.track("Song 2 of Blu"))
    try await catalogue.database.write { transaction in
      var plans = try [PlayableID("plex:a1"), PlayableID("plex:t2")].compactMap {
        try $0.map { try RatingPlan($0, .withoutConnections, transaction) }
      }
      for index in plans.indices {
        plans[index].members = []
        try Ratings.write(plans[index], Rating(stars: 5), at: Timestamp(seconds: 7), nil, transaction)
      }
    }
    #expect(album.id.native == "a1" && track.id.native == "t2")
    server.change { $0.albums[0].title = "Blue" }
    try await catalogue.refresh(server)
    #expect(try await catalogue.album("Blue").rating == five)
    #expect(try await catalogue.track("Song 2 of Blu").rating == five)
  }
}

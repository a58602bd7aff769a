import Bus
import Messages
import Model
import Storage
import Synchronization
import Testing

@testable import People
@testable import Records
@testable import Sources

/// Ratings are sent to the source first and stored here afterwards.
@Suite(.timeLimit(.minutes(2)))
struct RatingTests {
  /// Records the ratings that were sent to sources.
  private final class Sources: Sendable {
    let given = Mutex<[String]>([])
    let refusal = Mutex<LunaraError?>(nil)
    /// The sources that keep no ratings.
    let unable = Mutex<Set<String>>([])

    func rate(_ item: RatedItem, _ source: String, _ rating: Rating?) throws {
      if let refusal = refusal.withLock({ $0 }) { throw refusal }
      if unable.withLock({ $0.contains(source) }) { throw SourceError.notRateable(item.native, source) }
      given.withLock { $0.append("\(source) \(item) \(rating.map { "\($0.rawValue)" } ?? "none")") }
    }
  }

  private func handler(_ catalogue: TestCatalogue, _ sources: Sources, journal: Journal? = nil) -> RatingRequestHandler
  {
    RatingRequestHandler(
      database: catalogue.database, kinds: .folders, publisher: .to(journal), now: { Timestamp(seconds: 7) }
    ) {
      try sources.rate($0, $1, $2)
    }
  }

  private func id(_ id: ItemID<some Any>) -> PlayableID { PlayableID(source: id.source, native: id.native) }

  @Test func ratingsOfMusicInFoldersAreKeptByLunara() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"])
    try await catalogue.refresh()
    let sources = Sources()
    let handler = handler(catalogue, sources)
    let (album, track) = (try await catalogue.album("X"), try await catalogue.tracks()[1])
    let artist = try #require(try await catalogue.artists().first)
    try await handler.rate(.init(id: id(album.id), rating: Rating(stars: 4.5)))
    try await handler.rate(.init(id: id(track.id), rating: Rating(stars: 5)))
    try await handler.rate(.init(id: id(artist.id), rating: Rating(stars: 3)))
    #expect(sources.given.withLock { $0 }.isEmpty)
    func check() async throws {
      #expect(try await catalogue.album("X").rating == Rating(stars: 4.5))
      #expect(try await catalogue.tracks().map(\.rating) == [nil, Rating(stars: 5), nil])
      let rating = try await catalogue.database.read {
        try $0.row("SELECT rating FROM artists") { try $0.value(0) as Rating? }
      }
      #expect(rating == Rating(stars: 3))
    }
    try await check()
    // All files are removed and come back in another folder.
    try catalogue.tree.remove("x")
    try await catalogue.refresh(accepting: true)
    for number in 1...3 {
      try catalogue.tree.flac(
        "y/\(number).flac", ["TITLE=Song \(number) of x", "TRACKNUMBER=\(number)", "ALBUM=X", "ARTIST=A"])
    }
    try await catalogue.refresh()
    try await check()
    try await handler.rate(.init(id: id(try await catalogue.tracks()[1].id), rating: nil))
    #expect(try await catalogue.tracks()[1].rating == nil)
  }

  @Test func aServerTakesTheRatingBeforeItIsShown() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 2)
    let sources = Sources()
    let handler = handler(catalogue, sources)
    let album = try #require(PlayableID("plex:a1001"))
    sources.refusal.withLock { $0 = SourceError.away("plex", cause: "ECONNREFUSED") }
    await #expect { try await handler.rate(.init(id: album, rating: Rating(stars: 4))) } throws: {
      LunaraError($0).code == "library.sourceAway"
    }
    #expect(try await catalogue.albums().allSatisfy { $0.rating == nil })
    sources.refusal.withLock { $0 = nil }
    try await handler.rate(.init(id: album, rating: Rating(stars: 4)))
    // The server's own id is accepted as well.
    try await handler.rate(.init(id: try #require(PlayableID("plex:t100101")), rating: Rating(stars: 0.5)))
    #expect(sources.given.withLock { $0 } == [#"plex album("1001") 8"#, #"plex track("t100101") 1"#])
    #expect(try await catalogue.album("Album 1001").rating == Rating(stars: 4))
    let own = try await catalogue.database.read {
      try $0.row("SELECT own_rating FROM albums WHERE id = 1001") { try $0.value(0) as Rating? }
    }
    #expect(own == Rating(stars: 4))
  }

  /// The same album in folders and at two servers: `files:t1`, `plex:t2` and `plex-2:t3` are one track.
  private func merged() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac(
      "x/1.flac", ["ALBUM=X", "ARTIST=A", "DATE=1971", "TITLE=Song 1 of X", "TRACKNUMBER=1"], seconds: 180)
    try await catalogue.refresh()
    for (name, first) in [("plex", 100), ("plex-2", 700)] {
      var contents = FakeServer.Contents()
      contents.machine = name
      contents.album(first, "X", by: "A", tracks: 1)
      try await catalogue.refresh(FakeServer(contents), name)
    }
    try #require(try await catalogue.tracks().map(\.id.description) == ["files:t1"])
    return catalogue
  }

  private func ownRatings(_ catalogue: TestCatalogue) async throws -> [Rating?] {
    try await catalogue.database.read { try $0.rows("SELECT own_rating FROM tracks ORDER BY id") { try $0.value(0) } }
  }

  @Test func halfAStarIsRefusedWhereAServerWouldRoundIt() async throws {
    let catalogue = try await merged()
    let sources = Sources()
    var handler = handler(catalogue, sources)
    handler.kinds = SourceKinds([
      FilesSource.descriptor, SourceDescriptor(PlexServer.sourceKind, keepsHalfStars: false),
    ])
    let copy = try #require(PlayableID("files:t1"))
    for half in [0.5, 3.5] {
      await #expect {
        try await handler.rate(.init(id: copy, rating: Rating(stars: half)))
      } throws: {
        LunaraError($0).code == "library.notRateable"
          && LunaraError($0).message.contains(half == 0.5 ? "1 star." : "3 or 4 stars.")
      }
    }
    #expect(sources.given.withLock { $0 } == [])
    #expect(try await ownRatings(catalogue) == [nil, nil, nil])
    try await handler.rate(.init(id: copy, rating: Rating(stars: 4)))
    try await handler.rate(.init(id: copy, rating: nil))
    #expect(sources.given.withLock { $0.count } == 4)
  }

  @Test func everyCopyAtAServerIsRatedAndTheFactNamesWhatIsShown() async throws {
    let catalogue = try await merged()
    let journal = try await Journal(catalogue.database)
    let sources = Sources()
    let copy = try #require(PlayableID("plex-2:t3"))
    try await handler(catalogue, sources, journal: journal).rate(.init(id: copy, rating: Rating(stars: 2)))
    #expect(sources.given.withLock { $0 } == [#"plex track("101") 4"#, #"plex-2 track("701") 4"#])
    #expect(try await ownRatings(catalogue) == [nil, Rating(stars: 2), Rating(stars: 2)])
    #expect(try await catalogue.tracks().map(\.rating) == [Rating(stars: 2)])
    let payloads = try await catalogue.database.read {
      try $0.rows("SELECT payload FROM bus_facts ORDER BY seq") { try $0.value(0) as [UInt8] }
    }
    let fact = try MessageCoding.decode(Library.RatingChanged.self, from: try #require(payloads.last))
    #expect(fact.id == PlayableID("files:t1") && fact.rating == Rating(stars: 2) && fact.track?.title == "Song 1 of X")
  }

  @Test func aServerThatKeepsNoSuchRatingIsPassedOver() async throws {
    let catalogue = try await merged()
    let sources = Sources()
    let handler = handler(catalogue, sources)
    let (track, album) = (try #require(PlayableID("files:t1")), try #require(PlayableID("files:a1")))
    sources.unable.withLock { $0 = ["plex-2"] }
    try await handler.rate(.init(id: track, rating: Rating(stars: 2)))
    #expect(try await ownRatings(catalogue) == [nil, Rating(stars: 2), nil])
    // Lunara keeps a rating that no server keeps.
    sources.unable.withLock { $0 = ["plex", "plex-2"] }
    try await handler.rate(.init(id: album, rating: Rating(stars: 3)))
    #expect(try await catalogue.album("X").rating == Rating(stars: 3))
    try await catalogue.expectSameFromScratch()
    #expect(try await catalogue.album("X").rating == Rating(stars: 3))
  }

  @Test func whatNoServerRatesAndNoFolderHasIsNotRateable() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 1)
    let sources = Sources()
    sources.unable.withLock { $0 = ["plex"] }
    let album = try #require(PlayableID("plex:a1001"))
    await #expect { try await handler(catalogue, sources).rate(.init(id: album, rating: Rating(stars: 2))) } throws: {
      LunaraError($0).code == "library.notRateable"
    }
  }

  @Test func aRatingThatIsPutBackAtTheServerIsTakenIn() async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.artists = [ServerArtist(native: "9", name: "Joni")]
    contents.album(100, "Blue")
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    let handler = handler(catalogue, Sources())
    for id in ["plex:a1", "plex:t2", "plex:r1"] {
      try await handler.rate(.init(id: try #require(PlayableID(id)), rating: Rating(stars: 2)))
    }
    #expect(try await catalogue.album("Blue").rating == Rating(stars: 2))
    // At the server it is as it was before the rating here.
    server.change { _ in }
    try await catalogue.refresh(server)
    #expect(try await catalogue.album("Blue").rating == nil)
    #expect(try await catalogue.tracks().allSatisfy { $0.rating == nil })
    let artist = try await catalogue.database.read {
      try $0.row("SELECT rating FROM artists") { try $0.value(0) as Rating? }
    }
    #expect(artist == .some(nil))
  }

  @Test(arguments: [Rating(stars: 2), nil]) func aRatingThatIsGivenDuringARefreshStays(_ rating: Rating?) async throws {
    let catalogue = try TestCatalogue()
    var contents = FakeServer.Contents()
    contents.artists = [ServerArtist(native: "9", name: "Joni", rating: Rating(stars: 5))]
    contents.album(100, "Blue")
    contents.albums[0].rating = Rating(stars: 5)
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    #expect(try await catalogue.album("Blue").rating == Rating(stars: 5))
    let handler = handler(catalogue, Sources())
    // The album and its artist were read before they are rated.
    server.duringReading.withLock {
      $0 = {
        for id in ["plex:a1", "plex:r1"] {
          try await handler.rate(.init(id: try #require(PlayableID(id)), rating: rating))
        }
      }
    }
    server.change { $0.albums[0].genres = ["Jazz"] }
    try await catalogue.refresh(server)
    server.duringReading.withLock { $0 = nil }
    #expect(try await catalogue.album("Blue").rating == rating)
    let artist = try await catalogue.database.read {
      try $0.row("SELECT rating FROM artists") { try $0.value(0) as Rating? }
    }
    #expect(artist == .some(rating))
    // The server's later value is newer.
    server.change { $0.albums[0].rating = Rating(stars: 4) }
    try await catalogue.refresh(server)
    #expect(try await catalogue.album("Blue").rating == Rating(stars: 4))
  }

  @Test func aRatingOfTheServersOwnThatVanishesLeavesTheLibrarysOwn() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac(
      "x/1.flac", ["ALBUM=Blue", "ARTIST=Joni", "DATE=1971", "TITLE=Song 1 of Blue", "TRACKNUMBER=1"], seconds: 180)
    try await catalogue.refresh()
    let handler = handler(catalogue, Sources())
    try await handler.rate(.init(id: id(try await catalogue.album("Blue").id), rating: Rating(stars: 3)))
    var contents = FakeServer.Contents()
    contents.album(100, "Blue", tracks: 1)
    contents.albums[0].rating = Rating(stars: 5)
    let server = FakeServer(contents)
    try await catalogue.refresh(server)
    try #require(try await catalogue.albums().count == 1)
    #expect(try await catalogue.album("Blue").rating == Rating(stars: 5))
    server.change { $0.albums[0].rating = nil }
    try await catalogue.refresh(server)
    #expect(try await catalogue.album("Blue").rating == Rating(stars: 3))
    // One that was written to the server goes with it.
    try await handler.rate(.init(id: id(try await catalogue.album("Blue").id), rating: Rating(stars: 2)))
    server.change { _ in }
    try await catalogue.refresh(server)
    #expect(try await catalogue.album("Blue").rating == nil)
  }

  @Test func aCollectionHasNoRating() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 1)
    try await catalogue.write(
      "INSERT INTO collections (id, source, native, title, title_sort, digest) VALUES (1, 'plex', '1', 'C', 'c', 0)")
    for (text, code) in [("plex:c1", "library.notRateable"), ("plex:a77", "library.unknownID")] {
      let id = try #require(PlayableID(text))
      await #expect { try await handler(catalogue, Sources()).rate(.init(id: id, rating: nil)) } throws: {
        LunaraError($0).code == code
      }
    }
  }
}

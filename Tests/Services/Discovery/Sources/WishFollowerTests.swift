import ServiceKit
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Readings of the library's wish list, and of sources, at awkward times.
@Suite(.timeLimit(.minutes(5))) struct WishFollowerTests {
  private let home = TemporaryDirectory()

  private func database() throws -> Database {
    try Database(at: "\(home.path)/discovery.sqlite", migrations: DiscoverySchema.migrations)
  }

  @Test func allPagesOfTheListHaveOneDeadline() async throws {
    let database = try database()
    let patiences = Mutex<[Duration]>([])
    let follower = WishFollower(
      store: WishStore(database: database, coverArt: "https://covers.example"),
      library: .init(
        list: { request, patience in
          let count = patiences.withLock { patiences in
            patiences.append(patience)
            return patiences.count
          }
          return Library.Page(items: [], next: count < 3 ? "\(count)" : nil)
        },
        add: { _ in throw LunaraError("test.unused", "No.") }, remove: { _ in }), log: .quiet,
      now: { Timestamp(seconds: 9) })
    try await follower.refresh(within: .seconds(600))
    let given = patiences.withLock { $0 }
    #expect(given.count == 3 && given[0] <= .seconds(600) && given[0] > given[1] && given[1] > given[2])
    let error = await #expect(throws: LunaraError.self) { try await follower.refresh(within: .zero) }
    let asked = patiences.withLock { $0.count }
    #expect(error?.code == "bus.timeout" && asked == 3)
    await database.close()
  }

  @Test(arguments: [60, WishFollower.mostPages + 5]) func allPagesOfTheListAreReadAsFarAsAListCanGo(
    pages: Int
  ) async throws {
    let database = try database()
    let follower = WishFollower(
      store: WishStore(database: database, coverArt: "https://covers.example"),
      library: .init(
        list: { request, _ in
          let page = request.after.flatMap { Int64($0) } ?? 1
          let wish = Library.Wish(
            id: page, artist: "Ada", album: "Album \(page)", addedAt: Timestamp(seconds: 5), releaseGroup: nil)
          return Library.Page(items: [wish], next: page < pages ? "\(page + 1)" : nil)
        },
        add: { _ in throw LunaraError("test.unused", "No.") }, remove: { _ in }), log: .quiet,
      now: { Timestamp(seconds: 9) })
    try await follower.refresh(within: .seconds(600))
    let count: Int? = try await database.read { try $0.value("SELECT count(*) FROM wished") }
    #expect(count == min(pages, WishFollower.mostPages))
    await database.close()
  }

  @Test func aWishThatIsAddedWhileTheListIsReadStaysWithWhatSourcesSaid() async throws {
    let database = try database()
    try await database.write { transaction in
      try transaction.execute(
        """
        INSERT INTO wishes (release_group, title, artist, match_key, match_artist, date, source, wished_at)
        VALUES (?, 'Blue', 'Ada', ?, ?, '1971-05', 'MusicBrainz', 1)
        """, TestOutside.group(1), MatchKey.album("Ada", "Blue"), MatchKey.artist("Ada"))
    }
    let store = WishStore(database: database, coverArt: "https://covers.example")
    let library = FakeWishLibrary()
    let follower = WishFollower(store: store, library: library.access, log: .quiet, now: { Timestamp(seconds: 9) })
    library.whileListing.withLock { event in
      event = { try await follower.set(.init(releaseGroup: TestOutside.group(1), isWished: true)) }
    }
    try await follower.refresh()
    let listed = try await store.list().wishes
    #expect(listed.map(\.album.title) == ["Blue"] && listed.first?.album.date == "1971-05")
    #expect(try await store.waiting().isEmpty)
    await database.close()
  }

  @Test func aListOfFormerTimesForgetsNothingThatSourcesSaid() async throws {
    let database = try database()
    let store = WishStore(database: database, coverArt: "https://covers.example")
    try await database.write { transaction in
      try transaction.execute(
        """
        INSERT INTO wishes (release_group, title, artist, match_key, match_artist, date, source, wished_at)
        VALUES (?, 'Blue', 'Ada', ?, ?, '1971-05', 'MusicBrainz', 1)
        """, TestOutside.group(1), MatchKey.album("Ada", "Blue"), MatchKey.artist("Ada"))
    }
    let wish = Library.Wish(
      id: 1, artist: "Ada", album: "Blue", addedAt: Timestamp(seconds: 5), releaseGroup: TestOutside.group(1))
    try await store.keep(wish, of: try await store.album(TestOutside.group(1)), at: Timestamp(seconds: 9))
    try await store.replace([])
    #expect(try await store.list().wishes.isEmpty)
    try await store.replace([wish])
    #expect(try await store.list().wishes.first?.album.date == "1971-05")
    await database.close()
  }

  @Test func aSourceThatAWrongClockPlannedFarAheadIsDue() async throws {
    let database = try database()
    let store = OutsideStore(database: database)
    let ahead = TestAlbums.now + 365 * Ages.day
    try await store.set(LastFMArtists.name, isOn: true, at: Timestamp(seconds: ahead))
    let now = Timestamp(seconds: TestAlbums.now)
    #expect(try await store.next(at: now)?.nextAt == now)
    #expect(try await store.next(at: Timestamp(seconds: ahead - 7 * Ages.day))?.nextAt == Timestamp(seconds: ahead))
    await database.close()
  }
}

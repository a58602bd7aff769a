import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_playback

/// A library that tells of ratings.
private struct RatingLibrary {
  let node: Node
  private let database: Database
  private let journal: Journal

  init(_ bus: TestBus) async throws {
    database = try bus.database("library")
    journal = try await Journal(database)
    node = try await Node.start(.library, in: bus.directory, journal: journal)
  }

  func rate(_ track: Track, _ halfStars: Int?) async throws {
    var rated = track
    rated.rating = halfStars.flatMap { Rating(rawValue: $0) }
    let changed = Library.RatingChanged(
      id: PlayableID(source: track.id.source, native: track.id.native), rating: rated.rating, track: rated)
    try await database.write { [journal] in try journal.append(changed, in: $0) }
  }

  func close() async {
    await node.close()
    await database.close()
  }
}

extension RealSound {
  /// Ratings that people give while their tracks are queued: the items of a room are copies.
  @Suite struct QueuedRatingTests {
    @Test func aNewRatingIsShownOfWhatPlaysAndOfWhatIsQueued() async throws {
      try await RoomFixture.with { household in
        let library = try await RatingLibrary(household.bus)
        let items = try await household.album(2, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items + [items[0]])
        #expect(await room.becomes("playing"))
        func published() async throws -> [Rating?]? {
          try await household.client.state(Playback.QueueState.self, of: room.node.id)?.value.items.map(\.track.rating)
        }
        let four = Rating(rawValue: 8)
        try await library.rate(items[0].track, 8)
        #expect(await eventually(equals: four) { await room.watcher.last?.item?.track.rating })
        #expect(try await eventually(equals: [four, nil, four]) { try await published() })
        #expect(try await room.queue().items.map(\.track.rating) == [four, nil, four])
        try await library.rate(items[0].track, nil)
        try await library.rate(items[1].track, 8)
        #expect(try await eventually(equals: [nil, four, nil]) { try await published() })
        #expect(await eventually(equals: items[0]) { await room.watcher.last?.item })
        #expect(try await room.queue().items.first == items[0])
        await room.stop()
        await library.close()
      }
    }

    @Test func newNamesAreShownOfWhatPlaysAndOfWhatIsQueued() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items + [items[0]])
        #expect(await room.becomes("playing"))
        let before = try await room.queue()
        var renamed = items[0].track
        (renamed.title, renamed.albumID) = ("Renamed", AlbumID(source: "files", native: "a99"))
        try await room.edit(.renew([renamed]))
        #expect(await eventually(equals: renamed) { await room.watcher.last?.item?.track })
        let after = try await room.queue()
        #expect(after.items.map(\.track) == [renamed, items[1].track, renamed])
        #expect(after.items.map(\.entry) == before.items.map(\.entry) && after.revision == before.revision)
        #expect(
          try await eventually(equals: renamed) {
            try await household.client.state(Playback.QueueState.self, of: room.node.id)?.value.items.first?.track
          })
        // The current track plays on.
        #expect(try await room.command(.resume).state == .playing)
        await room.stop()
      }
    }

    @Test func tracksThatAreRenamedWhileTheyPlayOrAreQueuedAreListenedToUnderTheirNewNames() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items)
        #expect(await room.becomes("playing"))
        let renamed = items.map { item in
          var track = item.track
          (track.title, track.artist) = ("Renamed \(track.number ?? 0)", "Another")
          return track
        }
        try await room.edit(.renew(renamed))
        try await room.command(.next)
        #expect(try await eventually(equals: "started 2") { try await room.facts().last?.word })
        try await room.command(.stop)
        let facts = try await room.facts()
        #expect(facts.compactMap(\.started).map(\.subject.item.track) == [items[0].track, renamed[1]])
        #expect(facts.compactMap(\.ended).map(\.subject.item.track) == renamed)
        #expect(facts.compactMap(\.heard).allSatisfy { renamed.contains($0.subject.item.track) })
        let played = try await household.client.request(Playback.ReadPlayed(limit: 10), to: room.node.id)
        #expect(played.items.map(\.item.track) == renamed.reversed())
        await room.stop()
      }
    }

    @Test func theListenOfARenamedTrackGoesOnUnderItsNewNamesAfterAKill() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(1, seconds: 60)
        var room = try await household.room(speed: "1")
        try await room.staysPausedAfterACrash()
        try await room.load(items)
        #expect(await room.becomes("playing"))
        var renamed = items[0].track
        renamed.title = "Renamed"
        try await room.edit(.renew([renamed]))
        await room.kill()
        room = try await household.room(speed: "1")
        try await room.command(.stop)
        #expect(try await room.facts().compactMap(\.ended).map(\.subject.item.track) == [renamed])
        await room.stop()
      }
    }

    @Test func aRatingReachesTheQueueBeforeAndWhatWasPlayedAlsoAfterARestart() async throws {
      try await RoomFixture.with { household in
        let library = try await RatingLibrary(household.bus)
        let items = try await household.album(2, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items)
        #expect(await room.becomes("playing"))
        try await room.command(.next)
        try await room.edit(.clear)
        await room.stop()
        try await library.rate(items[0].track, 8)
        let again = try await household.room(speed: "1")
        let four = Rating(rawValue: 8)
        let isPlayedRated = try await eventually {
          let played = try await household.client.request(Playback.ReadPlayed(limit: 10), to: again.node.id).items
          return played.contains { $0.item.entry == items[0].entry && $0.item.track.rating == four }
        }
        #expect(isPlayedRated)
        try await again.edit(.restore)
        #expect(try await again.queue().items.map(\.track.rating) == [four, nil])
        await again.stop()
        await library.close()
      }
    }
  }
}

import Bus
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Files that are damaged or not music: each gives its error, and the next track plays.
  @Suite struct BadInputTests {
    /// A misbehaving server, and a room with a track of it and a good one after it.
    private func with(
      _ place: (_ port: Int) -> Library.Locator, seconds: Double = 2,
      _ body: (_ room: OpenRoom, _ household: RoomFixture) async throws -> Void
    ) async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: seconds)
        let server = try await StandIn("streams", [household.audio.folder.path])
        household.replace(items[0].track.id, with: place(server.port))
        let room = try await household.room()
        try await room.load(items)
        try await body(room, household)
        await room.stop()
        withExtendedLifetime(server) {}
      }
    }

    private func url(_ how: String) -> (Int) -> Library.Locator {
      { .url("http://127.0.0.1:\($0)/\(how)/track.flac", headers: [:]) }
    }

    @Test(arguments: ["", "track.flac", "gopher://host/track", "http://host/a\r\nX: y", "file:///etc/hostname"])
    func aLocatorThatIsNoAddressIsRefused(address: String) async throws {
      try await with({ _ in .url(address, headers: [:]) }) { room, _ in
        #expect(await room.becomes("idle"))
        let words = try await room.facts().map(\.word)
        #expect(words == ["failed 1 playback.badLocator", "started 2", "ended 2 finished"])
      }
    }

    @Test(arguments: ["noise", "nothing"])
    func aFileThatIsNoAudioIsNamed(what: String) async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 2)
        let bytes = what == "noise" ? household.audio.noise(20_000) : []
        household.replace(items[0].track.id, with: try household.audio.file("\(what).flac", bytes))
        let room = try await household.room()
        try await room.load(items)
        #expect(await room.becomes("idle"))
        let facts = try await room.facts()
        #expect(facts.map(\.word) == ["failed 1 playback.notAudio", "started 2", "ended 2 finished"])
        guard case .failed(let fact) = facts[0] else { return #expect(Bool(false), "The first fact is no failure.") }
        #expect(fact.error.message.contains("\(what).flac"))
        await room.stop()
      }
    }

    @Test(arguments: [
      ("empty", "playback.notAudio"), ("page", "playback.notAudio"), ("list", "playback.notAudio"),
      ("401", "playback.streamRefused"), ("403", "playback.streamRefused"), ("404", "playback.streamNotFound"),
      ("410", "playback.streamNotFound"), ("breaks", "playback.cutShort"),
    ])
    func aStreamThatCannotBePlayedIsNamedAndSkipped(how: String, code: String) async throws {
      try await with(url(how), seconds: 30) { room, _ in
        #expect(await room.becomes("idle"))
        let words = try await room.facts().map(\.word)
        #expect(words.filter { $0.hasPrefix("failed") } == ["failed 1 \(code)"])
        #expect(words.suffix(1) == ["ended 2 finished"])
      }
    }

    /// A failure that affects more than one track skips none: the room retries, and people decide meanwhile.
    @Test(arguments: ["500", "503", "stalls", "mute", "nobody"])
    func aServerThatFailsIsToldAndTriedAgain(how: String) async throws {
      let place =
        how == "nobody" ? { (_: Int) in .url("http://127.0.0.1:9/track.flac", headers: [:]) } : url(how)
      try await with(place, seconds: 30) { room, _ in
        #expect(await eventually(equals: "error", within: .seconds(20)) { await room.watcher.last?.state.name })
        let state = try #require(await room.watcher.last)
        guard case .error(let error) = state.state else { return #expect(Bool(false), "The room shows no error.") }
        #expect(["playback.streamUnreachable", "playback.noSound"].contains(error.code), "\(error)")
        #expect(state.retriesAt != nil)
        try await room.command(.next)
        #expect(await room.becomes("idle"))
        #expect(try await room.facts().last?.word == "ended 2 finished")
      }
    }

    @Test func aStreamThatTearsIsHeardWhole() async throws {
      try await with(url("tears"), seconds: 30) { room, _ in
        #expect(await room.becomes("idle"))
        let facts = try await room.facts()
        #expect(facts.map(\.word).filter { $0.hasPrefix("failed") } == [])
        let ended = try #require(facts.compactMap(\.ended).first)
        #expect(ended.reason == .finished)
        #expect(abs(ended.heard.rawValue - 30_000) < 1500, "\(ended.heard)")
      }
    }

    @Test func commandsBeyondAllBoundsAreHeld() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(3, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items)
        #expect(await room.becomes("playing"))
        #expect(try await room.command(.volume(-3)).volume == 0)
        #expect(try await room.command(.volume(.max)).volume == 100)
        #expect(try await room.command(.volume(.min)).volume == 0)
        #expect(try await room.command(.seek(to: Milliseconds(-1))).position.offset == .zero)
        #expect(try await room.command(.skip(by: Milliseconds(.min))).position.offset == .zero)
        // A seek beyond the end plays the next track.
        #expect(try await room.command(.seek(to: Milliseconds(.max))).item == items[1])
        #expect(try await room.command(.skip(by: Milliseconds(.max))).item == items[2])
        #expect(try await room.command(.seek(to: Milliseconds(60_000))).state == .idle)
        for index in [-1, 3, .max, .min] {
          await #expect(throws: LunaraError.self) { try await room.command(.jump(to: index)) }
          await #expect(throws: LunaraError.self) { try await room.edit(.remove(at: index)) }
          await #expect(throws: LunaraError.self) { try await room.edit(.move(from: index, to: 0)) }
          await #expect(throws: LunaraError.self) { try await room.edit(.move(from: 0, to: index)) }
        }
        #expect(try await room.queue(first: .max, limit: .max).items == [])
        #expect(try await room.queue(first: .min, limit: .min).items == [])
        #expect(try await room.queue().items == items)
        await room.stop()
      }
    }

    @Test func aQueueOfAHundredThousandItemsWorks() async throws {
      let (parts, size) = (1000, 100)
      try await RoomFixture.with { household in
        let items = try await household.album(size, seconds: 2)
        var room = try await household.room(speed: "1")
        for part in 0..<parts {
          let named = items.map { item in
            var item = item
            item.entry = EntryID(rawValue: "\(part)-\(item.entry)")
            return item
          }
          let load = Playback.Load(load: "all", part: part, isLast: part == parts - 1, mode: .now, items: named)
          let queue = try await room.service.room.ask { room, reply, _ in try await room.load(load, reply) }
          #expect(queue.count == (part == parts - 1 ? parts * size : 0))
        }
        #expect(await room.becomes("playing"))
        #expect(try await room.edit(.move(from: 99_999, to: 1)).count == 100_000)
        #expect(try await room.edit(.remove(at: 50_000)).count == 99_999)
        #expect(try await room.command(.next).item?.entry.rawValue == "999-entry-100")
        #expect(try await room.queue(first: 99_900).items.count == 99)
        await room.stop()
        room = try await household.room(speed: "1")
        #expect(try await room.queue().count == 99_999)
        #expect(await room.watcher.last?.item?.entry.rawValue == "999-entry-100")
        #expect(try await room.edit(.clear).count == 0)
        await room.stop()
      }
    }
  }
}

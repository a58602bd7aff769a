import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// A whole room on a host that sleeps, with the logind of dbusmock.
  @Suite(.timeLimit(.minutes(1)))
  struct SleepTests {
    @Test func aRoomPausesForTheSleepOfItsHostAndPlaysOnAfterIt() async throws {
      try await TestHousehold.with { household in
        let mock = try await MockLogind.start()
        let room = try await household.room(speed: nil, systemBus: mock.address)
        try await room.load(try await household.album(1, seconds: 60))
        #expect(await room.becomes("playing"))
        #expect(await eventually { await locks(of: mock) == ["idle block", "sleep delay"] })
        try await mock.prepareForSleep(true)
        #expect(await room.becomes("paused"))
        #expect(await household.watcher.last?.interruption == "sleep")
        // The host may sleep, and where the sound held is on disk.
        #expect(await eventually { await locks(of: mock).isEmpty })
        let heard = try await room.facts().compactMap(\.heard).last?.heard
        let stored = try await room.database.read { try QueueStore.checkpoint(in: $0) }
        #expect(stored.listen?.heard == heard && stored.progress.position > .zero)
        #expect(abs((stored.progress.position - (await room.machine.position.anchor.position)).rawValue) <= 50)
        try await mock.prepareForSleep(false)
        #expect(await room.becomes("playing"))
        #expect(await household.watcher.last?.interruption == nil)
        #expect(await eventually { await locks(of: mock) == ["idle block", "sleep delay"] })
        #expect(try await room.facts().filter { $0.started != nil }.count == 1)
        await room.stop()
        #expect(await eventually { await locks(of: mock).isEmpty })
        mock.end()
      }
    }

    @Test func aPersonWhoStopsTheRoomMeanwhileHasItStopped() async throws {
      try await TestHousehold.with { household in
        let mock = try await MockLogind.start()
        let room = try await household.room(speed: nil, systemBus: mock.address)
        try await room.load(try await household.album(1, seconds: 60))
        #expect(await room.becomes("playing"))
        #expect(await eventually { await locks(of: mock).count == 2 })
        try await mock.prepareForSleep(true)
        #expect(await room.becomes("paused"))
        try await room.command(.pause)
        #expect(await eventually { await household.watcher.last?.interruption == nil })
        try await mock.prepareForSleep(false)
        // Whatever came of that would be seen by the next answer.
        _ = try await room.queue()
        #expect(try await room.command(.volume(50)).state == .paused)
        await room.stop()
        mock.end()
      }
    }

    private func locks(of mock: MockLogind) async -> [String] {
      do { return try await mock.locks() } catch { return ["\(error)"] }
    }
  }
}

extension OpenRoom {
  fileprivate var machine: RoomMachine { get async { await service.room.machine } }
}

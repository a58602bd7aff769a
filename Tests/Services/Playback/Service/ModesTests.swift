import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// Orders, edits by entry, continuations and history of a room on the bus, and their state after a restart.
  @Suite struct ModesTests {
    private func entries(_ room: OpenRoom) async throws -> [EntryID] { try await room.queue().items.map(\.entry) }

    @Test func aMixedQueueIsUndoneAfterARestart() async throws {
      try await RoomFixture.with { household in
        let items = (1...30).map { QueueItem.numbered($0) }
        var room = try await household.room(speed: "1")
        try await room.load(items, .later)
        let revision = try await room.edit(.order(.tracks, seed: 4)).revision
        let mixed = try await entries(room)
        #expect(mixed != items.map(\.entry))
        try await room.load([.numbered(99)], .later)
        await room.kill()
        room = try await household.room(speed: "1")
        #expect(try await entries(room) == mixed + [QueueItem.numbered(99).entry])
        #expect(await eventually(equals: .tracks) { await room.watcher.last?.modes?.order })
        let answer = try await room.edit(.order(.queued, seed: 0))
        #expect(answer.revision > revision && answer.count == 31)
        #expect(try await room.queue().items == items + [.numbered(99)])
        await room.kill()
        room = try await household.room(speed: "1")
        #expect(try await room.queue().items == items + [.numbered(99)])
        await #expect(throws: LunaraError.self) { try await room.edit(.order(.unknown, seed: 0)) }
        await room.stop()
      }
    }

    @Test func aLoadInAMixedOrderBeginsWithWhatWasChosen() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(20, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.command(.repeats(.all))
        let load = Playback.Load(load: "mixed", mode: .now, items: items, startAt: 7, order: .tracks, seed: 3)
        let answer = try await household.client.request(load, to: room.node.id)
        #expect(answer.current == 0 && answer.count == 20)
        #expect(await eventually(equals: items[7]) { await room.watcher.last?.item })
        #expect(await room.watcher.last?.modes == Playback.Modes(order: .tracks))
        try await room.edit(.order(.queued, seed: 0))
        #expect(try await room.queue().items == items)
        #expect(try await room.queue().current == 7)
        // The next load is played in its own order.
        try await room.load(items)
        #expect(await eventually(equals: .queued) { await room.watcher.last?.modes?.order })
        await room.stop()
      }
    }

    @Test func commandsFindTheEntryTheyMean() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(6, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items)
        // The queue was changed after the person read it.
        try await room.edit(.remove(at: 1))
        try await room.edit(.remove(at: 2, of: items[2].entry))
        #expect(try await entries(room) == [0, 3, 4, 5].map { items[$0].entry })
        try await room.edit(.move(from: 5, to: 0, of: items[5].entry))
        #expect(try await entries(room) == [5, 0, 3, 4].map { items[$0].entry })
        let state = try await room.command(.jump(to: 3, of: items[3].entry))
        #expect(try await room.queue().current == 2 && state.state != .idle)
        #expect(await eventually(equals: items[3]) { await room.watcher.last?.item })
        for edit in [
          Playback.EditQueue.Edit.remove(at: 0, of: items[1].entry), .move(from: 0, to: 1, of: items[1].entry),
        ] {
          await #expect(throws: LunaraError.self) { try await room.edit(edit) }
        }
        await #expect(throws: LunaraError.self) { try await room.command(.jump(to: 0, of: items[1].entry)) }
        #expect(try await room.queue().count == 4)
        await room.stop()
      }
    }

    @Test func tracksThatAreGoneAreForgottenAndTheNextThatStaysPlays() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(5, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load(items, startAt: 1)
        #expect(await room.becomes("playing"))
        try await room.edit(
          .forget([items[0], items[1], items[2]].map(\.track.id) + [TrackID(source: "x", native: "y")]))
        #expect(await eventually(equals: items[3]) { await room.watcher.last?.item })
        #expect(await room.becomes("playing"))
        #expect(try await room.queue().items == Array(items[3...]))
        try await room.edit(.forget(items.map(\.track.id)))
        #expect(await room.becomes("idle"))
        #expect(try await room.queue().count == 0)
        await room.stop()
      }
    }

    @Test func theHistoryIsKeptNewestFirst() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(3, seconds: 40)
        var room = try await household.room()
        try await room.load(items)
        #expect(try await eventually(equals: "ended 3 finished") { try await room.facts().last?.word })
        await room.kill()
        room = try await household.room()
        let played = try await household.client.request(Playback.ReadPlayed(limit: 2), to: room.node.id).items
        #expect(played.map(\.item) == [items[2], items[1]])
        #expect(played.allSatisfy { $0.reason == .finished && $0.heard == Milliseconds(40_000) })
        #expect(try await household.client.request(Playback.ReadPlayed(limit: -4), to: room.node.id).items.isEmpty)
        await room.stop()
      }
    }

    @Test func anOutputThatNoDeviceHasIsRefusedWithTheListOfThose() async throws {
      try await RoomFixture.with { household in
        let room = try await household.room()
        let error = await #expect(throws: LunaraError.self) {
          try await household.client.request(Playback.SetOutput(device: "bogus"), to: room.node.id)
        }
        #expect(error?.code == "playback.badSetting")
        #expect(error?.message.hasPrefix("kitchen has no output bogus") == true)
        let answer = try await household.client.request(Playback.ReadOutput(), to: room.node.id)
        #expect(answer.chosen == nil)
        await room.stop()
      }
    }

    @Test func howARoomSoundsIsKeptOverARestart() async throws {
      try await RoomFixture.with { household in
        var room = try await household.room(speed: "1")
        let set = Playback.SetOutput(
          levelling: .smart, preamp: -3.5, startVolume: 25, maximumVolume: 60, resumesAfterCrash: true)
        let answer = try await household.client.request(set, to: room.node.id)
        #expect(answer.levelling == .smart && answer.maximumVolume == 60 && answer.resumesAfterCrash)
        #expect(try await room.command(.volume(100)).volume == 60)
        try await room.command(.mute(true))
        try await room.command(.repeats(.one))
        await #expect(throws: LunaraError.self) {
          try await household.client.request(Playback.SetOutput(levelling: .unknown), to: room.node.id)
        }
        await room.kill()
        room = try await household.room(speed: "1")
        #expect(await eventually(equals: 25) { await room.watcher.last?.volume })
        #expect(await room.watcher.last?.modes == Playback.Modes(repeats: .one, isMuted: true, maximumVolume: 60))
        let states = await household.client.states(Playback.OutputState.self)
        for await snapshot in states {
          guard let state = snapshot.first?.value else { continue }
          #expect(state.levelling == .smart && state.preamp == -3.5 && state.startVolume == 25)
          break
        }
        await room.stop()
      }
    }

    @Test func aLongTrackGoesOnWhereItWasLeftAlsoAfterARestart() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 1300)
        var room = try await household.room(speed: "1")
        _ = try await household.client.request(Playback.SetOutput(resumesLongTracks: true), to: room.node.id)
        try await room.load(items)
        #expect(await room.becomes("playing"))
        try await room.command(.seek(to: Milliseconds(700_000)))
        #expect(try await eventually(above: Milliseconds(700_000)) { try await room.position() })
        try await room.command(.next)
        try await room.command(.stop)
        await room.kill()
        room = try await household.room(speed: "1")
        try await room.command(.jump(to: 0))
        #expect(await room.becomes("playing"))
        #expect(try await room.position() >= Milliseconds(700_000))
        await room.stop()
      }
    }

    @Test func aRoomThatWasKilledWhilePlayingPlaysOnAtItsPlace() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(1, seconds: 600)
        var room = try await household.room(speed: "10")
        try await room.load(items)
        #expect(try await eventually(above: Milliseconds(9000)) { try await room.position() })
        await room.kill()
        room = try await household.room(speed: "10")
        #expect(await room.becomes("playing"))
        #expect(try await room.position() > Milliseconds(8000))
        #expect(try await room.facts().filter { $0.word == "started 1" }.count == 1)
        // A room that was stopped in an orderly way starts paused.
        await room.stop()
        room = try await household.room(speed: "10")
        #expect(await room.becomes("paused"))
        await room.stop()
      }
    }
  }
}

extension RealSound {
  /// A whole room on a host that sleeps, with the logind of dbusmock.
  @Suite(.timeLimit(.minutes(1)))
  struct SleepTests {
    @Test func aRoomPausesForTheSleepOfItsHostAndPlaysOnAfterIt() async throws {
      try await RoomFixture.with { household in
        let mock = try await MockLogind.start()
        let room = try await household.room(speed: nil, systemBus: mock.address)
        try await room.load(try await household.album(1, seconds: 60))
        #expect(await room.becomes("playing"))
        #expect(await eventually(equals: ["idle block", "sleep delay"]) { await locks(of: mock) })
        try await mock.prepareForSleep(true)
        #expect(await room.becomes("paused"))
        #expect(await household.watcher.last?.interruption == "sleep")
        // The host may sleep, and the position where the sound held is stored.
        #expect(await eventually(equals: []) { await locks(of: mock) })
        let heard = try await room.facts().compactMap(\.heard).last?.heard
        let stored = try await room.database.read { try QueueStore.checkpoint(in: $0) }
        #expect(stored.listen?.heard == heard && stored.progress.position > .zero)
        #expect(abs((stored.progress.position - (await room.machine.position.anchor.position)).rawValue) <= 50)
        try await mock.prepareForSleep(false)
        #expect(await room.becomes("playing"))
        #expect(await household.watcher.last?.interruption == nil)
        #expect(await eventually(equals: ["idle block", "sleep delay"]) { await locks(of: mock) })
        #expect(try await room.facts().filter { $0.started != nil }.count == 1)
        await room.stop()
        #expect(await eventually(equals: []) { await locks(of: mock) })
        mock.end()
      }
    }

    @Test func aPersonWhoStopsTheRoomMeanwhileHasItStopped() async throws {
      try await RoomFixture.with { household in
        let mock = try await MockLogind.start()
        let room = try await household.room(speed: nil, systemBus: mock.address)
        try await room.load(try await household.album(1, seconds: 60))
        #expect(await room.becomes("playing"))
        #expect(await eventually(equals: 2) { await locks(of: mock).count })
        try await mock.prepareForSleep(true)
        #expect(await room.becomes("paused"))
        try await room.command(.pause)
        #expect(await eventually(equals: nil) { await household.watcher.last?.interruption })
        try await mock.prepareForSleep(false)
        // An effect of waking up would show in the state by the next answer.
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

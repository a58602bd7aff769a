import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// The state of a room after a restart and after a kill.
  @Suite struct RestartTests {
    @Test func aRestartedRoomIsPausedWhereItWasAndGoesOnWithTheSameListen() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 60)
        var room = try await household.room(speed: "10")
        try await room.load(items)
        try await room.command(.volume(40))
        #expect(try await eventually(above: Milliseconds(5000)) { try await room.position() })
        await room.stop()

        room = try await household.room(speed: "max")
        #expect(await room.becomes("paused"))
        let restored = try #require(await room.watcher.last)
        #expect(restored.item == items[0] && restored.volume == 40)
        #expect(await room.watcher.states.allSatisfy { $0.item == items[0] }, "It is never paused without its item.")
        #expect(restored.position.offset > Milliseconds(5000) && restored.position.rate == 0)
        let before = try await room.facts()
        #expect(
          before.map(\.word) == ["started 1", "heard 1"] || before.map(\.word) == ["started 1", "heard 1", "heard 1"])
        #expect(abs((try #require(before.last?.heard).heard - restored.position.offset).rawValue) < 1500)
        try await room.command(.resume)
        #expect(await room.becomes("idle"))
        let facts = try await room.facts()
        #expect(facts.filter { $0.word == "started 1" }.count == 1)
        let ended = try #require(facts.compactMap(\.ended).first)
        #expect(ended.subject == facts[0].started?.subject)
        #expect(ended.reason == .finished)
        #expect(abs(ended.heard.rawValue - 60_000) < 1500)
        await room.stop()
      }
    }

    @Test func aKilledRoomLosesSecondsAtMostAndDoublesNothing() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(1, seconds: 600)
        for round in 1...5 {
          let room = try await household.room(speed: "20")
          if round == 1 {
            try await room.staysPausedAfterACrash()
            try await room.load(items)
          } else {
            try await room.command(.resume)
          }
          #expect(try await eventually(above: Milliseconds(Int64(round) * 25_000)) { try await room.position() })
          await room.kill()
        }
        let room = try await household.room()
        #expect(await room.becomes("paused"))
        let restored = try #require(await room.watcher.last?.position.offset)
        #expect(restored > Milliseconds(110_000))
        try await room.command(.resume)
        #expect(await room.becomes("idle"))
        let facts = try await room.facts()
        #expect(facts.compactMap(\.started).count == 1)
        #expect(facts.compactMap(\.ended).count == 1)
        let ended = try #require(facts.last?.ended)
        #expect(ended.subject == facts[0].started?.subject)
        // Each kill may lose the time heard since the last store, and no more; nothing is counted twice.
        #expect(ended.heard <= Milliseconds(600_500))
        #expect(ended.heard > Milliseconds(580_000))
        let amounts = facts.compactMap(\.heard).map(\.heard)
        #expect(amounts == amounts.sorted() && Set(amounts).count == amounts.count)
        await room.stop()
      }
    }

    @Test func aBackupThatWasMadeWhileMusicPlayedWaitsAfterItsRestore() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(1, seconds: 600)
        var room = try await household.room(speed: "10")
        try await room.load(items)
        #expect(try await eventually(above: Milliseconds(4000)) { try await room.position() })
        let path = room.database.path
        await room.kill()
        try Journal.markRestored(path, replacing: path, at: .now())
        room = try await household.room(speed: "10")
        #expect(await room.becomes("paused"))
        #expect(await room.watcher.states.allSatisfy { $0.state == .paused })
        // Music that a person starts from then on resumes after a crash, as in any other room.
        try await room.command(.resume)
        #expect(try await eventually(above: Milliseconds(10_000)) { try await room.position() })
        await room.kill()
        room = try await household.room(speed: "10")
        #expect(await room.becomes("playing"))
        await room.stop()
      }
    }

    @Test func aListenThatARestartCannotGoOnWithIsClosed() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 60)
        var room = try await household.room(speed: "10")
        try await room.staysPausedAfterACrash()
        try await room.load(items)
        #expect(try await eventually(above: Milliseconds(4000)) { try await room.position() })
        await room.kill()
        room = try await household.room(speed: "10")
        #expect(await room.becomes("paused"))
        try await room.command(.next)
        let facts = try await room.facts()
        #expect(facts.last?.word == "ended 1 skipped")
        #expect(try #require(facts.last?.ended).heard > Milliseconds(1000))
        // The room is still paused, at the next track.
        #expect(await eventually(equals: items[1]) { await room.watcher.last?.item })
        #expect(await room.watcher.last?.state == .paused)
        await room.stop()
      }
    }

    @Test func anEndedQueueIsRestoredIdleWithItsItems() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 2)
        var room = try await household.room()
        try await room.load(items)
        #expect(try await eventually(equals: "ended 2 finished") { try await room.facts().last?.word })
        #expect(await room.becomes("idle"))
        await room.stop()
        room = try await household.room()
        let queue = try await room.queue()
        #expect(queue.items == items && queue.current == nil)
        #expect(await room.becomes("idle"))
        await room.stop()
      }
    }

    @Test func nothingThatIsStoredHoldsAnAddress() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(1, seconds: 2)
        let room = try await household.room()
        try await room.load(items)
        #expect(try await eventually(equals: "ended 1 finished") { try await room.facts().last?.word })
        let stored = try await room.database.read { reader in
          try reader.rows("SELECT item FROM queue_items UNION ALL SELECT payload FROM bus_facts") {
            let bytes: [UInt8] = try $0.value(0)
            return String(decoding: bytes, as: UTF8.self)
          }
        }
        #expect(stored.count > 2)
        #expect(stored.allSatisfy { !$0.contains("://") })
        await room.stop()
      }
    }
  }
}

extension RealSound {
  /// The stored state of a move.
  @Suite struct MoveStoringTests {
    @Test func theListenOfWhatPlayedIsStoredWithTheMoveThatEndsIt() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(2, seconds: 60)
        let room = try await household.room(speed: "1")
        try await room.load([items[0]])
        #expect(try await eventually(equals: "started 1") { try await room.facts().first?.word })
        // Records which facts exist when the move becomes committed: a kill right after that leaves no more.
        try await room.database.write {
          try $0.execute("CREATE TABLE seen (kind TEXT)")
          try $0.execute(
            """
            CREATE TEMP TRIGGER look AFTER INSERT ON move_ended BEGIN INSERT INTO seen SELECT kind FROM bus_facts ORDER BY seq; END
            """)
        }
        let moved = Playback.Moved(
          revision: 3, count: 1, current: 0, position: Milliseconds(20_000), isPlaying: true,
          listen: Playback.ListenMark(
            listen: ListenID(rawValue: "theirs"), startedAt: Timestamp(seconds: 900), heard: Milliseconds(20_000)),
          modes: Playback.Modes(), continuation: nil)
        _ = try await room.service.room.ask {
          try await $0.prepare(
            Playback.PrepareMove(move: "m", moved: moved, part: 0, isLast: true, items: [items[1]]), $1, $2)
        }
        let state = try await room.service.room.ask {
          try await $0.commit(Playback.CommitMove(move: "m", moved: moved), $1, $2)
        }
        #expect(state.item == items[1])
        let seen: [String] = try await room.database.read { reader in
          try reader.rows("SELECT kind FROM seen") { try $0.value(0) }
        }
        #expect(seen.contains(Playback.ListenEnded.kind), "\(seen)")
        let words = try await room.facts().map(\.word)
        #expect(words.filter { $0.hasPrefix("ended") } == ["ended 1 skipped"])
        await room.stop()
      }
    }
  }
}

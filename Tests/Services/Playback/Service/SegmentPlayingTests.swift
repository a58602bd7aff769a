import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// A room on the bus that plays the tracks of one file.
  @Suite struct SegmentPlayingTests {
    @Test func eachSegmentIsAListenOfItsOwn() async throws {
      try await RoomFixture.with { household in
        let items = try await household.image([40, 35, 50])
        for speed in ["max", "50"] {
          let room = try await household.room(speed: speed)
          let before = try await room.facts().count
          try await room.load(items)
          #expect(
            try await eventually {
              let facts = try await room.facts()
              return facts.count > before && facts.last?.word == "ended 3 finished"
            })
          let facts = try await room.facts().dropFirst(before)
          #expect(facts.compactMap(\.started).map(\.subject.item.track.number) == [1, 2, 3])
          let heard = facts.compactMap(\.ended).map(\.heard.rawValue)
          #expect(zip(heard, [40_000, 35_000, 50_000] as [Int64]).allSatisfy { abs($0 - $1) < 100 }, "\(heard)")
          #expect(facts.compactMap(\.ended).allSatisfy { $0.reason == .finished })
          #expect(await room.becomes("idle"))
          let lengths = await Set(room.watcher.states.compactMap { $0.item == nil ? nil : $0.duration })
          #expect(lengths == [Milliseconds(40_000), Milliseconds(35_000), Milliseconds(50_000)])
          await room.stop()
        }
      }
    }

    @Test func positionsCountFromTheSegmentAlsoAfterARestart() async throws {
      try await RoomFixture.with { household in
        let items = try await household.image([40, 60, 50])
        var room = try await household.room(speed: "1")
        try await room.load(items, startAt: 1)
        #expect(await room.becomes("playing"))
        #expect(try await room.position() < Milliseconds(3000))
        try await room.command(.seek(to: Milliseconds(50_000)))
        #expect(await eventually(atLeast: Milliseconds(50_000)) { await room.watcher.last?.position.offset ?? .zero })
        try await room.command(.pause)
        #expect(await room.becomes("paused"))
        await room.stop()
        room = try await household.room(speed: "1")
        let state = try await room.command(.resume)
        #expect(state.item == items[1] && state.position.offset >= Milliseconds(50_000))
        #expect(await room.becomes("playing"))
        let position = try await room.position()
        #expect(position >= Milliseconds(50_000) && position < Milliseconds(56_000))
        // Previous starts the segment again, and not the file.
        try await room.command(.previous)
        #expect(await eventually(below: Milliseconds(5000)) { await room.watcher.last?.position.offset ?? .zero })
        #expect(await room.watcher.last?.item == items[1])
        try await room.command(.next)
        #expect(await eventually(equals: items[2]) { await room.watcher.last?.item })
        #expect(try await room.facts().allSatisfy { !$0.word.hasPrefix("failed") })
        await room.stop()
      }
    }

    @Test func aRepeatedSegmentIsHeardEachTimeFromItsStart() async throws {
      try await RoomFixture.with { household in
        let items = try await household.image([10, 12, 10])
        let room = try await household.room(speed: "20")
        try await room.load(items, startAt: 1)
        try await room.command(.repeats(.one))
        #expect(try await eventually(atLeast: 3) { try await room.facts().compactMap(\.ended).count })
        try await room.command(.repeats(.off))
        let ended = try await room.facts().compactMap(\.ended).prefix(3)
        #expect(ended.allSatisfy { $0.subject.item.track.number == 2 && $0.reason == .finished })
        #expect(ended.allSatisfy { abs($0.heard.rawValue - 12_000) < 100 }, "\(ended.map(\.heard.rawValue))")
        await room.stop()
      }
    }

    @Test func whatIsHeardAfterAnEditIsExact() async throws {
      try await RoomFixture.with { household in
        let items = try await household.image([20, 8, 12, 9])
        let whole = try await household.audio.decoded(LocalPath(household.audio.path("image.flac")))
        let output = try PacedOutput(household.audio.path("pipe"), speed: 8)
        let room = try await household.room(audio: output.setting)
        try await room.load(items)
        #expect(await room.becomes("playing"))
        // The third track is played before the second one.
        try await room.edit(.move(from: 2, to: 1))
        #expect(output.count < 10 * 44_100)
        #expect(try await eventually(equals: "ended 4 finished") { try await room.facts().last?.word })
        let facts = try await room.facts()
        #expect(facts.compactMap(\.ended).map(\.subject.item.track.number) == [1, 3, 2, 4])
        await room.stop()
        #expect(await eventually { output.isOver })
        let order: [Range<Int>] = [0..<20, 28..<40, 20..<28, 40..<49]
        let expected = order.flatMap { whole[$0.lowerBound * 88_200..<$0.upperBound * 88_200] }
        let heard = try output.samples
        #expect(heard.count == expected.count && zip(heard, expected).count { $0 != $1 } == 0)
      }
    }

    @Test func theSegmentOfTheItemIsPlayedWhileTheRouterIsAway() async throws {
      try await RoomFixture.with(router: false) { household in
        var items = try await household.image([30, 35])
        let path = LocalPath(household.audio.path("image.flac"))
        for (index, start) in [0, 30 * 44_100].enumerated() {
          let end = index == 0 ? Int64(30 * 44_100) : nil
          items[index].path = path
          items[index].host = "here"
          items[index].segment = AudioSegment(start: Int64(start), end: end, sampleRate: 44_100)
        }
        let room = try await household.room()
        try await room.load(items, startAt: 1)
        #expect(try await eventually(equals: "ended 2 finished") { try await room.facts().last?.word })
        #expect(try await room.facts().last?.ended?.heard == Milliseconds(35_000))
        await room.stop()
      }
    }
  }
}

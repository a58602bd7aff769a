import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_playback

/// The test sound by which a person recognises a room's output.
@Suite(.timeLimit(.minutes(2)))
struct TestSoundTests {
  private let chord: @Sendable () -> [UInt8] = { Chord.wav(Chord.samples) }

  private func file(in household: RoomFixture) -> String { household.audio.folder.path + "/room.wav" }

  /// A room whose sound goes into a file.
  private func room(in household: RoomFixture) async throws -> OpenRoom {
    try await household.room(audio: "pcm:\(file(in: household))", speed: nil, testSound: chord)
  }

  @Test func aChordIsHeardAndTheRoomKnowsNothingOfIt() async throws {
    try await RoomFixture.with { household in
      let room = try await room(in: household)
      let before = try await room.queue()
      _ = try await household.client.request(Playback.PlayTestSound(), to: room.node.id, within: .seconds(60))
      let samples = try household.audio.samples(of: LocalPath(file(in: household)))
      #expect(samples.count > Chord.rate * 3)
      let loudest = samples.map { abs(Int($0)) }.max() ?? 0
      #expect((3000...20_000).contains(loudest))
      #expect(try await room.queue() == before)
      #expect(try await room.facts().isEmpty)
      await room.stop()
    }
  }

  @Test func whileMusicPlaysOrNothingWouldBeHeardItIsRefused() async throws {
    try await RoomFixture.with { household in
      let room = try await household.room(speed: "1", testSound: chord)
      func refusal() async -> String? {
        do {
          _ = try await household.client.request(Playback.PlayTestSound(), to: room.node.id, within: .seconds(60))
          return nil
        } catch { return LunaraError(error).code }
      }
      try await room.command(.mute(true))
      #expect(await refusal() == "playback.noTestSound")
      try await room.command(.mute(false))
      try await room.command(.volume(0))
      #expect(await refusal() == "playback.noTestSound")
      try await room.command(.volume(80))
      try await room.load(try await household.album(1, seconds: 60))
      #expect(await refusal() == "playback.noTestSound")
      try await room.command(.pause)
      #expect(await refusal() == nil)
      await room.stop()
    }
  }

  @Test func musicEndsTheTestSound() async throws {
    try await RoomFixture.with { household in
      // The test sound lasts longer than the test may.
      let audio = household.audio
      let long = try audio.bytes(of: try await audio.sine("long.flac", seconds: 150))
      let room = try await household.room(speed: "1", testSound: { long })
      async let test = household.client.request(Playback.PlayTestSound(), to: room.node.id, within: .seconds(60))
      let isTesting = await eventually { await room.service.room.testSoundTask != nil }
      #expect(isTesting)
      try await room.load(try await household.album(1, seconds: 60))
      _ = try await test
      #expect(await room.service.room.testSoundTask == nil)
      await room.stop()
    }
  }

  @Test func aRoomKeepsWhatItIsCalled() async throws {
    try await RoomFixture.with { household in
      var room = try await household.room()
      let named = try await household.client.request(
        Playback.SetTitle(title: "  Kitchen,\n upstairs "), to: room.node.id)
      #expect(named.title == "Kitchen, upstairs")
      await room.stop()
      room = try await household.room()
      #expect(await room.service.room.machine.state.title == "Kitchen, upstairs")
      let unnamed = try await household.client.request(Playback.SetTitle(title: nil), to: room.node.id)
      #expect(unnamed.title == nil)
      await room.stop()
    }
  }

  @Test(arguments: ["", "   ", String(repeating: "x", count: 65), "a\u{7}b", "\u{85}x\u{9f}"])
  func aTitleThatNoLineCanShowIsRefused(title: String) async throws {
    try await RoomFixture.with { household in
      let room = try await household.room()
      await #expect(throws: LunaraError.self) {
        _ = try await household.client.request(Playback.SetTitle(title: title), to: room.node.id)
      }
      await room.stop()
    }
  }

  @Test func theChordIsSoftWholeAndEndsInSilence() {
    let samples = Chord.samples
    #expect((samples.map(abs).max() ?? 1) < 0.5)
    #expect(abs(samples[0]) < 0.001 && abs(samples[samples.count - 1]) < 0.001)
    #expect(Chord.wav(samples).count == 44 + samples.count * 4)
  }
}

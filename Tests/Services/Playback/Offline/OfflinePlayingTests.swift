import Bus
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

extension RealSound {
  /// A room that plays kept albums while nobody else is there.
  @Suite struct OfflinePlayingTests {
    /// Makes a room that has kept an album of tracks, and ends the library.
    private func keep(_ items: [QueueItem], in room: OpenRoom, _ household: RoomFixture) async throws {
      let library = try await household.bus.node("library@main")
      await library.serve(Library.ListPlayable.self) { _, _ in
        Library.PlayablePage(
          tracks: items.map { Library.PlayableTrack(track: $0.track, path: nil, host: "library") }, next: nil)
      }
      let change = try await household.client.request(
        Playback.AddOffline(ids: [items[0].track.albumID.playable]), to: room.node.id)
      #expect(change.changed == 1)
      #expect(
        try await eventually(equals: .whole) {
          try await household.client.request(Playback.ListOffline(), to: room.node.id).albums.first?.state
        })
      await library.close()
    }

    @Test func aRestartedRoomPlaysAKeptAlbumToItsEndWithNobodyElse() async throws {
      try await RoomFixture.with(router: false) { household in
        let items = try await household.album(3, seconds: 40)
        let folder = household.audio.folder.path + "/offline"
        var room = try await household.room(offlineFolder: folder)
        try await household.startRouter()
        try await keep(items, in: room, household)
        await household.endRouter()
        await room.stop()
        room = try await household.room(offlineFolder: folder)
        let played = try await household.client.request(
          Playback.PlayOffline(names: ["album"], startAt: 1), to: room.node.id)
        #expect(played.tracks == 3 && played.queue.current == 1)
        #expect(try await eventually(equals: "ended 3 finished") { try await room.facts().last?.word })
        // Each counts once, and no track was fetched a second time for the cache.
        #expect(
          try await room.facts().map(\.word)
            == (2...3).flatMap { ["started \($0)", "heard \($0)", "ended \($0) finished"] })
        let kept = try await household.client.request(Playback.ListOffline(), to: room.node.id).albums
        #expect(kept.first?.playedAt != nil)
        await room.stop()
      }
    }

    @Test func aQueueOfKeptAlbumsSurvivesARestart() async throws {
      try await RoomFixture.with(router: false) { household in
        let items = try await household.album(2, seconds: 60)
        let folder = household.audio.folder.path + "/offline"
        var room = try await household.room(speed: "10", offlineFolder: folder)
        try await household.startRouter()
        try await keep(items, in: room, household)
        try await room.load(items)
        #expect(await room.becomes("playing"))
        await household.endRouter()
        await room.stop()
        room = try await household.room(offlineFolder: folder)
        try await room.command(.resume)
        #expect(try await eventually(equals: "ended 2 finished") { try await room.facts().last?.word })
        #expect(try await room.facts().filter { $0.ended != nil }.count == 2)
        await room.stop()
      }
    }

    @Test func aDamagedCopyIsPassedOverWhileTheRouterIsThere() async throws {
      try await RoomFixture.with { household in
        let items = try await household.album(1, seconds: 30)
        let folder = household.audio.folder.path + "/offline"
        let room = try await household.room(offlineFolder: folder)
        // The copy is no audio, the file that the router names is.
        let good = household.audio.path("track.flac")
        let bad = try household.audio.file("bad.flac", household.audio.noise(50_000))
        household.replace(items[0].track.id, with: bad)
        try await keep(items, in: room, household)
        household.replace(items[0].track.id, with: LocalPath(good))
        try await room.load(items)
        #expect(try await eventually(equals: "ended 1 finished") { try await room.facts().last?.word })
        await room.stop()
      }
    }

    @Test func whatIsNotKeptIsNotPlayed() async throws {
      try await RoomFixture.with(router: false) { household in
        let room = try await household.room(offlineFolder: household.audio.folder.path + "/offline")
        for names in [["files:a"], ["Album"], []] {
          await #expect {
            _ = try await household.client.request(Playback.PlayOffline(names: names), to: room.node.id)
          } throws: { ($0 as? LunaraError)?.code == "playback.notKept" }
        }
        await room.stop()
      }
    }
  }
}

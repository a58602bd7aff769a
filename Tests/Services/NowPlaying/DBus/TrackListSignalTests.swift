import Messages
import Model
import TestSupport
import Testing

@testable import lunara_nowplaying

/// The track list, shuffle and loop of a player on a private session bus.
@Suite(.timeLimit(.minutes(3)))
struct TrackListSignalTests {
  private func call(_ bus: PrivateBus, _ method: String, _ arguments: String...) async throws -> String {
    try await TestProcess.output(
      of: [
        "busctl", "--address=\(bus.address)", "call", "org.mpris.MediaPlayer2.lunara.den", "/org/mpris/MediaPlayer2",
        "org.mpris.MediaPlayer2.TrackList", method,
      ] + arguments)
  }

  @Test func theTracksAroundTheCurrentOneAreListed() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    let tracks = try await bus.busctl(
      "get-property", "org.mpris.MediaPlayer2.lunara.den", "/org/mpris/MediaPlayer2",
      "org.mpris.MediaPlayer2.TrackList", "Tracks")
    #expect(tracks == "ao 3 \"/org/lunara/entry/e0\" \"/org/lunara/entry/e1\" \"/org/lunara/entry/e2\"")
    let metadata = try await call(
      bus, "GetTracksMetadata", "ao", "3", "/org/lunara/entry/e2", "/org/lunara/entry/e77", "/org/lunara/entry/e1")
    #expect(metadata.hasPrefix("aa{sv} 2 "))
    #expect(metadata.contains("\"Track 2\"") && metadata.contains("\"Track 1\"") && !metadata.contains("e77"))
  }

  @Test func aTrackOfTheListIsGoneToAndTheListIsNotEdited() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    #expect(try await call(bus, "GoTo", "o", "/org/lunara/entry/e2") == "")
    #expect(try await call(bus, "GoTo", "o", "/org/lunara/entry/e77") == "")
    #expect(await fixture.room.actions == [.jump(to: 2, of: EntryID(rawValue: "e2"))])
    let added = try await call(bus, "AddTrack", "sob", "file:///etc/passwd", TrackPath.none, "true")
    #expect(added.contains("cannot be changed here"))
    #expect(try await call(bus, "RemoveTrack", "o", "/org/lunara/entry/e2").contains("cannot be changed here"))
    #expect(await fixture.room.actions.count == 1)
  }

  @Test func aTrackThatIsQueuedIsToldOf() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    let monitor = try await SignalMonitor.start(on: bus)
    var longer = queueState(current: 1, count: 4)
    longer.revision = 2
    await fixture.put("den", roomState(.playing, item: item(1)), current: 1, of: 4, queue: longer)
    let added = try await monitor.next()
    #expect(added.member == "TrackAdded" && added.payload.data.last == .string("/org/lunara/entry/e2"))
    #expect(try await monitor.next().payload.data.last == .array([.string("Tracks")]))
  }

  @Test func playerctlMixesAndRepeats() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    #expect(try await bus.playerctl("lunara.den", "shuffle") == "Off")
    #expect(try await bus.playerctl("lunara.den", "shuffle", "on") == "")
    #expect(await eventually(within: .seconds(30)) { await fixture.room.shuffles == [true] })
    #expect(try await bus.playerctl("lunara.den", "loop") == "None")
    for loop in ["track", "playlist", "none"] { #expect(try await bus.playerctl("lunara.den", "loop", loop) == "") }
    #expect(
      await eventually(within: .seconds(30)) {
        await fixture.room.actions == [.repeats(.one), .repeats(.all), .repeats(.off)]
      })
    var state = roomState(.playing, item: item(1))
    state.modes = Playback.Modes(repeats: .all, order: .albums)
    try await fixture.show("den", state, current: 1, of: 3)
    #expect(try await bus.playerctl("lunara.den", "shuffle") == "On")
    #expect(try await bus.playerctl("lunara.den", "loop") == "Playlist")
  }
}

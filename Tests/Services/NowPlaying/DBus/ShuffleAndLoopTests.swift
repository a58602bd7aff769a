import Messages
import Model
import TestSupport
import Testing

@testable import lunara_nowplaying

/// Shuffle and loop of a player on a private session bus.
@Suite(.timeLimit(.minutes(3)))
struct ShuffleAndLoopTests {
  @Test func playerctlMixesAndRepeats() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    #expect(try await bus.playerctl("lunara.den", "shuffle") == "Off")
    #expect(try await bus.playerctl("lunara.den", "shuffle", "on") == "")
    #expect(await eventually(equals: [true]) { await fixture.room.shuffles })
    #expect(try await bus.playerctl("lunara.den", "loop") == "None")
    for loop in ["track", "playlist", "none"] { #expect(try await bus.playerctl("lunara.den", "loop", loop) == "") }
    #expect(
      await eventually(equals: [.repeats(.one), .repeats(.all), .repeats(.off)]) { await fixture.room.actions })
    var state = roomState(.playing, item: item(1))
    state.modes = Playback.Modes(repeats: .all, order: .albums)
    try await fixture.show("den", state, current: 1, of: 3)
    #expect(try await bus.playerctl("lunara.den", "shuffle") == "On")
    #expect(try await bus.playerctl("lunara.den", "loop") == "Playlist")
  }
}

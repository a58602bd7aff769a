import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_nowplaying

/// Media keys, which desktops send to the player that was active last.
@Suite(.timeLimit(.minutes(3)))
struct MediaKeyTests {
  /// `playerctld` is the program that desktops without media key handling of their own bind the keys to.
  @Test func theKeysReachTheRoomThatPlayedLast() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.paused, item: item(1)), current: 1, of: 3)
    try await fixture.show("bath", roomState(.paused, item: item(2)), current: 1, of: 3)
    let handler = try TestProcess(["playerctld"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let follows = try await eventually {
      try await bus.busctl("list", "--acquired", "--no-legend")
    } satisfies: {
      $0.contains("playerctld")
    }
    #expect(follows)
    for name in ["bath", "den"] {
      // `playerctld` follows the players' signals, and may not have read the names on the bus yet.
      let isActive = try await eventually {
        try await fixture.show(name, roomState(.playing, item: item(1)), current: 1, of: 3)
        try await fixture.show(name, roomState(.paused, item: item(1)), current: 1, of: 3)
        let names = try await bus.busctl(
          "get-property", "org.mpris.MediaPlayer2.playerctld", "/org/mpris/MediaPlayer2",
          "com.github.altdesktop.playerctld", "PlayerNames")
        return names.split(separator: "\"").dropFirst().first == "org.mpris.MediaPlayer2.lunara.\(name)"
      }
      #expect(isActive, "\(name) did not become the active player")
      #expect(try await bus.playerctl("playerctld", "play-pause") == "")
      #expect(await eventually(contains: room(name)) { await fixture.room.rooms })
    }
    #expect(await fixture.room.actions == [.toggle, .toggle])
    await handler.stop(SIGKILL)
  }

  /// gnome-settings-daemon looks for names with the standard's prefix, and calls methods without waiting for an answer.
  @Test func aHandlerThatDoesNotWaitForAnswersIsHeard() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    let names = try await bus.busctl("list", "--acquired", "--no-legend")
    let name = try #require(
      names.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("org.mpris.MediaPlayer2.") })
    for key in ["PlayPause", "Next", "Previous", "Stop"] {
      let answer = try await TestProcess.output(
        of: [
          "dbus-send", "--bus=\(bus.address)", "--type=method_call", "--dest=\(name)", "/org/mpris/MediaPlayer2",
          "org.mpris.MediaPlayer2.Player.\(key)",
        ])
      #expect(answer == "")
      #expect(await eventually(above: 0) { await fixture.room.actions.count })
    }
    #expect(
      await eventually(equals: [.toggle, .next, .previous, .stop]) { await fixture.room.actions })
  }

  @Test func manyKeyPressesAreAllHandled() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    // As many presses as may wait; any more would be refused.
    let presses = 60
    let storm = try TestProcess([
      "sh", "-c",
      """
      for i in $(seq \(presses)); do dbus-send --bus=\(bus.address) --type=method_call \
        --dest=org.mpris.MediaPlayer2.lunara.den /org/mpris/MediaPlayer2 org.mpris.MediaPlayer2.Player.PlayPause; done
      """,
    ])
    for await line in storm.lines { Issue.record("dbus-send said \(line)") }
    #expect(await eventually(equals: presses) { await fixture.room.actions.count })
    #expect(await fixture.room.actions.allSatisfy { $0 == .toggle })
    #expect(try await bus.playerctl("lunara.den", "status") == "Playing")
  }
}

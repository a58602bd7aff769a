import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_nowplaying

/// The signals of a player as GLib's `gdbus monitor` receives them, in order.
@Suite(.timeLimit(.minutes(3)))
struct GDBusMonitorTests {
  /// Starts the monitor. No signal is missed after this returns, since the monitor subscribes before it looks up the
  /// name.
  private func monitor(_ bus: PrivateBus) async throws -> (TestProcess, AsyncStream<String>.Iterator) {
    let child = try TestProcess(
      [
        "gdbus", "monitor", "--session", "--dest", "org.mpris.MediaPlayer2.lunara.den", "--object-path",
        "/org/mpris/MediaPlayer2",
      ], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    var lines = child.lines.makeAsyncIterator()
    while let line = await lines.next() { if line.contains("is owned by") { return (child, lines) } }
    throw TestProcess.Failure(what: "gdbus monitor ended")
  }

  @Test func playingSendsNoSignalsAndANewTrackSendsTwo() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 9)
    var (child, lines) = try await monitor(bus)
    for second in 1...60 as ClosedRange<Int64> {
      fixture.clock.advance(by: Milliseconds(1000))
      // The reported position varies by the size of the output's buffer.
      let position = Milliseconds(1000 * second + (second % 2 == 0 ? 80 : -80))
      await fixture.put("den", roomState(.playing, item: item(1), at: position), current: 1, of: 9)
      if second % 20 == 0 { _ = try await bus.property("Position", of: "den") }
    }
    await fixture.put("den", roomState(.playing, item: item(2)), current: 2, of: 9, isComplete: false)
    await fixture.put("den", roomState(.playing, item: item(2)), current: 2, of: 9, cover: "file:///c.jpg")
    let changed = "/org/mpris/MediaPlayer2: org.freedesktop.DBus.Properties.PropertiesChanged "
    let player = "('org.mpris.MediaPlayer2.Player', "
    let track = try #require(await lines.next())
    #expect(track.hasPrefix("\(changed)\(player){'Metadata': <{'mpris:trackid': <objectpath '/org/lunara/entry/e2'>,"))
    #expect(!track.contains("artUrl") && track.hasSuffix("}>}, @as [])"))
    let whole = try #require(await lines.next())
    #expect(whole.hasPrefix("\(changed)\(player){'Metadata': <{'mpris:trackid': <objectpath '/org/lunara/entry/e2'>,"))
    #expect(whole.contains("'mpris:artUrl': <'file:///c.jpg'>"))
    await fixture.put("den", roomState(.paused, item: item(2)), current: 2, of: 9, cover: "file:///c.jpg")
    #expect(await lines.next() == "\(changed)\(player){'PlaybackStatus': <'Paused'>}, @as [])")
    await fixture.put("den", roomState(.paused, item: item(2), volume: 30), current: 2, of: 9, cover: "file:///c.jpg")
    #expect(await lines.next() == "\(changed)\(player){'Volume': <0.29999999999999999>}, @as [])")
    await fixture.hide("den")
    #expect(await lines.next() == "The name org.mpris.MediaPlayer2.lunara.den does not have an owner")
    await child.stop(SIGKILL)
  }

  @Test func aPanelThatAsksForThePositionWhileItBuffersIsToldOfOneJump() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus()
    let state = roomState(.playing, item: item(1), at: Milliseconds(10_000))
    try await fixture.show("den", state, current: 1, of: 9)
    var (child, lines) = try await monitor(bus)
    await fixture.put("den", roomState(.buffering, item: item(1), at: Milliseconds(10_000)), current: 1, of: 9)
    for _ in 1...4 {
      fixture.clock.advance(by: Milliseconds(2000))
      #expect(try await bus.property("Position", of: "den") == "x 10000000")
    }
    await fixture.put("den", state, current: 1, of: 9)
    await fixture.put("den", roomState(.paused, item: item(1), at: Milliseconds(10_000)), current: 1, of: 9)
    #expect(await lines.next() == "/org/mpris/MediaPlayer2: org.mpris.MediaPlayer2.Player.Seeked (int64 10000000,)")
    #expect(await lines.next()?.contains("'PlaybackStatus': <'Paused'>") == true)
    await child.stop(SIGKILL)
  }
}

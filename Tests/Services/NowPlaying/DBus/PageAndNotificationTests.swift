import Glibc
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_nowplaying

/// Opening the page with `Raise`, and notifications.
@Suite(.timeLimit(.minutes(3)))
struct PageAndNotificationTests {
  private let root = ["org.mpris.MediaPlayer2.lunara.den", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2"]

  @Test func raiseOpensThePageWhileThereIsOneAndOnceForADoublePress() async throws {
    let opened = Mutex(0)
    let (bus, fixture) = try await PlayersFixture.onABus(page: { opened.withLock { $0 += 1 } })
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 3)
    func busctl(_ verb: String, _ word: String) async throws -> String {
      try await TestProcess.output(of: ["busctl", "--address=\(bus.address)", verb] + root + [word])
    }
    #expect(try await busctl("get-property", "CanRaise") == "b false")
    #expect(try await busctl("call", "Raise") == "")
    #expect(opened.withLock(\.self) == 0)
    let monitor = try await SignalMonitor.start(on: bus)
    await fixture.desktop.show(hasPage: true)
    #expect(try await monitor.nextChangedProperties() == ["CanRaise"])
    #expect(try await busctl("get-property", "CanRaise") == "b true")
    for (wait, count) in [(0, 1), (0, 1), (999, 1), (1, 2), (0, 2)] as [(Int64, Int)] {
      fixture.clock.advance(by: Milliseconds(wait))
      #expect(try await busctl("call", "Raise") == "")
      #expect(opened.withLock(\.self) == count)
    }
    await fixture.desktop.show(hasPage: false)
    #expect(try await monitor.nextChangedProperties() == ["CanRaise"])
  }

  @Test func aNewTrackIsShownByTheDesktopWhereThatIsWanted() async throws {
    let (bus, fixture) = try await PlayersFixture.onABus(notified: .all)
    let desktop = try TestProcess(
      ["/usr/bin/python3", "-m", "dbusmock", "--session", "--template", "notification_daemon"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    #expect(
      try await eventually(within: .seconds(50)) {
        try await bus.busctl("list", "--acquired", "--no-legend")
      } satisfies: {
        $0.contains("org.freedesktop.Notifications")
      })
    let calls = try TestProcess([
      "busctl", "--address=\(bus.address)", "monitor", "--json=short",
      "--match=type='method_call',interface='org.freedesktop.Notifications',member='Notify'",
    ])
    var lines = calls.lines.makeAsyncIterator()
    while let line = await lines.next(), !line.contains("Monitoring") {}
    try await fixture.show("den", roomState(.playing, item: item(1)), current: 1, of: 9)
    await fixture.put("den", roomState(.playing, item: item(2)), current: 2, of: 9, cover: "file:///c.jpg")
    let first = try #require(await lines.next())
    for part in ["Lunara (den)", "Track 2", "Ada – First Light", "file:///c.jpg", "\"data\":[\"Lunara (den)\",0,"] {
      #expect(first.contains(part), "\(part) is not in \(first)")
    }
    // The next notification replaces the first, once the desktop has returned the id of the first.
    let replaces = try await eventually {
      for number in 3...8 {
        await fixture.put("den", roomState(.playing, item: item(number)), current: number, of: 9)
        if try #require(await lines.next()).contains("\"data\":[\"Lunara (den)\",0,") == false { return true }
      }
      return false
    }
    #expect(replaces)
    await calls.stop(SIGKILL)
    await desktop.stop(SIGKILL)
  }
}

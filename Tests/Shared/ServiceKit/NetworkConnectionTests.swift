import ServiceKit
import TestSupport
import Testing

/// The connection as NetworkManager describes it, on a bus of the test's own.
@Suite(.timeLimit(.minutes(2))) struct NetworkConnectionTests {
  private static let name = "org.freedesktop.NetworkManager"
  private static let path = "/org/freedesktop/NetworkManager"

  @Test func withoutABusOrNetworkManagerNoConnectionCostsOrIsMobile() async throws {
    #expect(await NetworkConnection.current(busAddress: "unix:path=/nonexistent/bus") == NetworkConnection())
    let bus = try await MockLogind.start(isThere: false)
    #expect(await NetworkConnection.current(busAddress: bus.address) == NetworkConnection())
    bus.end()
  }

  @Test func aConnectionCostsAndIsMobileWhereNetworkManagerSaysSo() async throws {
    let bus = try await MockLogind.start(isThere: false)
    let folder = TemporaryDirectory()
    let manager = try TestProgram(
      ["/usr/bin/python3", "-m", "dbusmock", "--system", Self.name, Self.path, Self.name],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], output: folder.path + "/output")
    func call(_ words: String...) async throws -> Int32 {
      let service = ["busctl", "--address=\(bus.address)", "call", Self.name, Self.path, "org.freedesktop.DBus.Mock"]
      return try await TestProgram.run(service + words).status
    }
    #expect(try await eventually(equals: 0) { try await call("AddProperty", "ssv", Self.name, "Metered", "u", "0") })
    #expect(try await call("AddProperty", "ssv", Self.name, "PrimaryConnectionType", "s", "") == 0)
    for (type, isMobile) in [
      ("802-11-wireless", false), ("gsm", true), ("802-3-ethernet", false), ("bluetooth", true),
    ] {
      #expect(try await call("UpdateProperties", "sa{sv}", Self.name, "1", "PrimaryConnectionType", "s", type) == 0)
      #expect(await NetworkConnection.current(busAddress: bus.address).isMobile == isMobile, "\(type)")
    }
    // The values of `NMMetered`: unknown, yes, no, guessed yes, guessed no.
    for (value, costs) in [(0, false), (1, true), (2, false), (3, true), (4, false)] {
      #expect(
        try await call("UpdateProperties", "sa{sv}", Self.name, "1", "Metered", "u", "\(value)") == 0)
      #expect(await NetworkConnection.current(busAddress: bus.address).isMetered == costs, "\(value)")
    }
    manager.end()
    bus.end()
  }
}

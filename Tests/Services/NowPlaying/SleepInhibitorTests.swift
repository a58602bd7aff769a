import Glibc
import Model
import ServiceKit
import Testing

/// The inhibitor of ServiceKit with the logind of dbusmock, on a bus of the test's own.
@Suite(.timeLimit(.minutes(3)))
struct SleepInhibitorTests {
  @Test func theMachineIsKeptAwakeForAsLongAsItLives() async throws {
    let bus = try await PrivateBus.start()
    let logind = try TestProcess(
      ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    func inhibitors() async throws -> String {
      try await bus.busctl(
        "call", "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "ListInhibitors")
    }
    while try await !inhibitors().hasPrefix("a(ssssuu) 0") { try await Task.sleep(for: .milliseconds(20)) }
    do {
      let inhibitor = try SleepInhibitor(why: "a test", busAddress: bus.address)
      let held = try await inhibitors()
      #expect(held.hasPrefix("a(ssssuu) 1 \"sleep\" \"Lunara\" \"a test\" \"block\""))
      withExtendedLifetime(inhibitor) {}
    }
    while try await !inhibitors().hasPrefix("a(ssssuu) 0") { try await Task.sleep(for: .milliseconds(20)) }
    await logind.stop(SIGKILL)
    await bus.stop()
  }

  @Test func withoutLogindItIsRefusedWithWhatToDo() async throws {
    let bus = try await PrivateBus.start()
    let error = #expect(throws: LunaraError.self) { try SleepInhibitor(why: "a test", busAddress: bus.address) }
    #expect(error?.code == "service.noInhibitor")
    let away = #expect(throws: LunaraError.self) { try SleepInhibitor(why: "a test", busAddress: "unix:path=/nowhere") }
    #expect(away?.code == "service.noInhibitor")
    await bus.stop()
  }
}

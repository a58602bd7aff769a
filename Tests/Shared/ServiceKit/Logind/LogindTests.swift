import Model
import ServiceKit
import TestSupport
import Testing

/// Logind as a service sees it, with dbusmock's logind on a bus that belongs to the test.
@Suite(.timeLimit(.minutes(1)))
struct LogindTests {
  @Test func itSaysWhatTheHostDoesFromNowOn() async throws {
    let mock = try await MockLogind.start()
    let logind = Logind(busAddress: mock.address)
    try await logind.open()
    var events = logind.events.makeAsyncIterator()
    #expect(await events.next() == .isAwake)
    try await mock.prepareForSleep(true)
    #expect(await events.next() == .goesToSleep)
    try await mock.prepareForSleep(false)
    #expect(await events.next() == .isAwake)
    await logind.close()
    #expect(await events.next() == nil)
    mock.end()
  }

  @Test func whoComesWhileTheHostGoesToSleepHearsOfIt() async throws {
    let mock = try await MockLogind.start()
    try await mock.prepareForSleep(true)
    let logind = Logind(busAddress: mock.address)
    try await logind.open()
    var events = logind.events.makeAsyncIterator()
    #expect(await events.next() == .goesToSleep)
    mock.end()
  }

  @Test func locksAreHeldForAsLongAsTheyLive() async throws {
    let mock = try await MockLogind.start()
    let logind = Logind(busAddress: mock.address)
    try await logind.open()
    do {
      let delay = try await logind.inhibit(.sleepDelay, why: "a test")
      let idle = try await logind.inhibit(.idle, why: "a test")
      #expect(try await mock.locks() == ["idle block", "sleep delay"])
      // The locks outlive the connection.
      await logind.close()
      #expect(try await mock.locks() == ["idle block", "sleep delay"])
      withExtendedLifetime((delay, idle)) {}
    }
    while try await !mock.locks().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    mock.end()
  }

  @Test func theMachineIsKeptAwakeForAsLongAsTheLockLives() async throws {
    let mock = try await MockLogind.start()
    do {
      let lock = try await InhibitorLock.againstSleep(why: "a test", busAddress: mock.address)
      #expect(try await mock.locks() == ["sleep block"])
      withExtendedLifetime(lock) {}
    }
    while try await !mock.locks().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    mock.end()
  }

  @Test func withoutLogindItIsSaidWhatKeepsTheMachineAwake() async throws {
    let mock = try await MockLogind.start(isThere: false)
    for address in [mock.address, "unix:path=/nowhere"] {
      let error = await #expect(throws: LunaraError.self) {
        try await InhibitorLock.againstSleep(why: "a test", busAddress: address)
      }
      #expect(error?.code == "service.noInhibitor")
    }
    mock.end()
  }

  @Test func aBusThatGoesAwayEndsTheEventsAndWhatWaits() async throws {
    let mock = try await MockLogind.start()
    let logind = Logind(busAddress: mock.address)
    try await logind.open()
    var events = logind.events.makeAsyncIterator()
    #expect(await events.next() == .isAwake)
    mock.end()
    #expect(await events.next() == nil)
    await #expect(throws: LunaraError.self) { try await logind.inhibit(.idle, why: "a test") }
  }

  @Test func withoutLogindAnErrorIsThrown() async throws {
    let mock = try await MockLogind.start(isThere: false)
    for address in [mock.address, "unix:path=/nowhere", "no address"] {
      let logind = Logind(busAddress: address)
      let error = await #expect(throws: LunaraError.self) { try await logind.open() }
      #expect(error?.code == "service.noLogind")
    }
    mock.end()
  }

  @Test func oneThatIsClosedIsNotOpened() async throws {
    let mock = try await MockLogind.start()
    let logind = Logind(busAddress: mock.address)
    await logind.close()
    await #expect(throws: LunaraError.self) { try await logind.open() }
    mock.end()
  }
}

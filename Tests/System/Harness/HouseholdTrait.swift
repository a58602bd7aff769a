import Testing

extension Household {
  /// The household of this suite; to be used within a suite that has the trait `.household`.
  @TaskLocal static var current: Shared?

  /// A household that several tests use, on a session bus of its own.
  struct Shared: Sendable {
    let household: Household
    let bus: PrivateBus
  }
}

/// Starts one household for all tests of a suite: it plays the test music in real time.
struct HouseholdTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let bus = try await PrivateBus.start()
    let music = try #require(TestMusic.current)
    let settings = Household.Settings(
      music: [music.path], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    try await Household.with(settings) { household in
      try await household.up()
      _ = try await household.source(holding: 6)
      try await Household.$current.withValue(.init(household: household, bus: bus)) { try await function() }
    }
    await bus.stop()
  }
}

extension Trait where Self == HouseholdTrait {
  /// Starts the household of `Household.current`.
  static var household: Self { HouseholdTrait() }
}

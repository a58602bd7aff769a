import Testing

extension SystemTests {
  /// One household that plays in real time and is used by one test after the other, as a person would.
  @Suite(.household) struct SharedHouseholdTests {}
}

extension Household {
  /// The household of the suite, with nothing playing.
  static func atRest() async throws -> Household {
    let household = try #require(current).household
    try await household.run("stop")
    _ = try await household.room(is: "idle")
    return household
  }
}

import TestSupport
import Testing

/// Runs each test of a suite while no other test of the process plays.
struct ExclusivePlayer: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if testCase == nil { return try await function() }
    try await PlayerTurns.alone(function)
  }
}

extension Trait where Self == ExclusivePlayer {
  /// No other test of the process plays meanwhile.
  static var exclusivePlayer: Self { ExclusivePlayer() }
}

import TestSupport
import Testing

/// The longest wait for an event: far longer than any event may take, so that no slow machine decides a test.
let patience = Duration.seconds(60)

/// Waits until `read` gives a value, and fails with `what` when `limit` passes first.
func soon<Value>(
  _ what: String, within limit: Duration = patience, sourceLocation: SourceLocation = #_sourceLocation,
  _ read: () async throws -> Value?
) async throws -> Value {
  var found: Value?
  _ = try await eventually(within: limit) {
    found = try await read()
    return found != nil
  }
  return try #require(found, "waited \(limit) in vain: \(what)", sourceLocation: sourceLocation)
}

/// Waits until a condition holds, and fails with `what` when `limit` passes first.
func soon(
  _ what: String, within limit: Duration = patience, sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: () async throws -> Bool
) async throws {
  let holds = try await eventually(within: limit, condition)
  try #require(holds, "waited \(limit) in vain: \(what)", sourceLocation: sourceLocation)
}

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

/// Waits until a value equals `wanted`, and fails with `what` and the last value when `limit` passes first.
func soon<Value: Equatable & Sendable>(
  _ what: String, equals wanted: Value, within limit: Duration = patience,
  sourceLocation: SourceLocation = #_sourceLocation, _ read: () async throws -> Value
) async throws {
  try await soon(what, within: limit, sourceLocation: sourceLocation, read, satisfies: { $0 == wanted })
}

/// Waits for a value that satisfies `condition`, and fails with `what` and the last value when `limit` passes first.
@discardableResult
func soon<Value: Sendable>(
  _ what: String, within limit: Duration = patience, sourceLocation: SourceLocation = #_sourceLocation,
  _ read: () async throws -> Value, satisfies condition: @Sendable (Value) -> Bool
) async throws -> Value {
  var last: Value?
  let holds = try await eventually(within: limit) {
    let value = try await read()
    last = value
    return condition(value)
  }
  try #require(
    holds, "waited \(limit) in vain: \(what); the last value: \(last.map { "\($0)" } ?? "none")",
    sourceLocation: sourceLocation)
  return try #require(last, sourceLocation: sourceLocation)
}

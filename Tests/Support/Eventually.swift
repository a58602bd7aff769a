public import Testing

/// Waits until `condition` holds, checking every few milliseconds; returns false when `limit` passes first.
///
/// The overloads that take a value also say what it was at the end.
public func eventually(within limit: Duration = .seconds(60), _ condition: () async throws -> Bool) async rethrows
  -> Bool
{
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if try await condition() { return true }
    // A test awaits its condition; the pause only keeps the loop from spinning, so its cancellation does not matter.
    do { try await Task.sleep(for: .milliseconds(5)) } catch {}
  }
  return try await condition()
}

/// Waits until `value` satisfies `condition`. When `limit` passes first, records the last value and returns false.
public func eventually<Value>(
  within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
  _ value: () async throws -> Value, satisfies condition: (Value) -> Bool
) async rethrows -> Bool {
  var last: Value?
  let isSatisfied = try await eventually(within: limit) {
    // A test may wait for the end of what the value keeps alive.
    last = nil
    let new = try await value()
    last = new
    return condition(new)
  }
  if !isSatisfied, let last {
    Issue.record("Waited \(limit) in vain. The last value: \(described(last))", sourceLocation: sourceLocation)
  }
  return isSatisfied
}

/// Waits until `value` equals `wanted`. When `limit` passes first, records the last value and returns false.
public func eventually<Value: Equatable>(
  equals wanted: Value, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
  _ value: () async throws -> Value
) async rethrows -> Bool {
  try await eventually(within: limit, sourceLocation: sourceLocation, value, satisfies: { $0 == wanted })
}

/// Waits until `values` contains `wanted`. When `limit` passes first, records the last values and returns false.
public func eventually<Values: Sequence>(
  contains wanted: Values.Element, within limit: Duration = .seconds(60),
  sourceLocation: SourceLocation = #_sourceLocation, _ values: () async throws -> Values
) async rethrows -> Bool where Values.Element: Equatable {
  try await eventually(within: limit, sourceLocation: sourceLocation, values, satisfies: { $0.contains(wanted) })
}

/// Waits until `value` is above a bound. When `limit` passes first, records the last value and returns false.
public func eventually<Value: Comparable>(
  above bound: Value, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
  _ value: () async throws -> Value
) async rethrows -> Bool {
  try await eventually(within: limit, sourceLocation: sourceLocation, value, satisfies: { $0 > bound })
}

/// Waits until `value` is below a bound. When `limit` passes first, records the last value and returns false.
public func eventually<Value: Comparable>(
  below bound: Value, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
  _ value: () async throws -> Value
) async rethrows -> Bool {
  try await eventually(within: limit, sourceLocation: sourceLocation, value, satisfies: { $0 < bound })
}

/// Waits until `value` is at least a bound. When `limit` passes first, records the last value and returns false.
public func eventually<Value: Comparable>(
  atLeast bound: Value, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
  _ value: () async throws -> Value
) async rethrows -> Bool {
  try await eventually(within: limit, sourceLocation: sourceLocation, value, satisfies: { $0 >= bound })
}

/// Describes a value in at most 4,000 characters.
private func described<Value>(_ value: Value) -> String {
  let text = String(describingForTest: value)
  return text.count > 4000 ? "\(text.prefix(4000))…" : text
}

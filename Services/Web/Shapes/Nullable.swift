/// Writes a missing value as `null`, where a reader relies on the key being there.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
  private var value: Value?

  /// Wraps a value, as `@Nullable` does.
  init(wrappedValue: Value?) { value = wrappedValue }

  var wrappedValue: Value? {
    get { value }
    set { value = newValue }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}

extension Nullable: Sendable where Value: Sendable {}

/// The values of the HTTP API, shaped as the command line's `--json`: units in the names, ids as `source:native`.
enum Shape {}

import FoundationEssentials

/// Values as they are stored between two runs.
enum Stored {
  /// Returns a value as it is after it was written and read.
  static func copy<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
  }
}

import FoundationEssentials

/// Foundation's coder of JSON, with which tests compare Lunara's.
public enum FoundationCoding {
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}

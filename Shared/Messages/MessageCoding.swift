import FoundationEssentials
import Model

/// How messages become bytes: JSON with sorted keys, so that equal values give equal bytes.
///
/// Most of what a message costs on its way is this, so a coder of our own is asked first, which costs about a fifth of
/// Foundation's. What it refuses Foundation's decides, and says why in words: both write the same bytes, and ours
/// accepts nothing else.
public enum MessageCoding {
  /// The JSON of a value.
  ///
  /// - Throws: `bus.badPayload` for what JSON cannot hold, such as a number that is not finite.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    do { return try encodeFast(value) } catch { return try encodeWithFoundation(value) }
  }

  /// The value of a JSON text; unknown fields are ignored.
  ///
  /// - Throws: `bus.badPayload`, with what was missing or wrong as the cause.
  public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    do { return try decodeFast(type, from: bytes) } catch { return try decodeWithFoundation(type, from: bytes) }
  }

  /// - Throws: `UnsupportedJSON`, and what the value's own code throws.
  static func encodeFast(_ value: some Encodable) throws -> [UInt8] {
    try JSONWriter.text(of: value)
  }

  static func encodeWithFoundation(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value))
    } catch {
      throw LunaraError("bus.badPayload", "A message cannot be written as JSON.", cause: String(describing: error))
    }
  }

  /// - Throws: `UnsupportedJSON`, and what the value's own code throws.
  static func decodeFast<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    guard let text = JSONText(Array(bytes)) else { throw UnsupportedJSON() }
    return try Value(from: JSONReader(text: text, index: 0))
  }

  static func decodeWithFoundation<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw LunaraError(
        "bus.badPayload", "A message of the bus does not have the expected form. Are all services of one version?",
        cause: String(describing: error))
    }
  }
}

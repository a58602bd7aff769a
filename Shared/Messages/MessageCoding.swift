import FoundationEssentials
import Model

/// How messages become bytes: JSON with sorted keys, so that equal values give equal bytes.
public enum MessageCoding {
  /// The JSON of a value.
  ///
  /// - Throws: `bus.badPayload` for what JSON cannot hold, such as a number that is not finite.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value))
    } catch {
      throw LunaraError("bus.badPayload", "A message cannot be written as JSON.", cause: String(describing: error))
    }
  }

  /// The value of a JSON text; unknown fields are ignored.
  ///
  /// - Throws: `bus.badPayload`, with what was missing or wrong as the cause.
  public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw LunaraError(
        "bus.badPayload", "A message of the bus does not have the expected form. Are all services of one version?",
        cause: String(describing: error))
    }
  }
}

/// A JSON text from which a message is decoded.
///
/// In what a client sends, an unknown word of a `TolerantName` is a mistake and refused. On the bus it is a word of a
/// newer version, and read as `unknown`.
public struct JSONInput: Sendable {
  private let text: JSONText
  private let refusesUnknownNames: Bool

  /// Members that are added to an object, by their names.
  public typealias Members = KeyValuePairs<String, any Encodable>

  /// Parses a text.
  ///
  /// - Throws: `DecodingError` if it is not JSON.
  public init(_ bytes: [UInt8], refusesUnknownNames: Bool = true) throws {
    guard let text = JSONText(bytes) else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The text is not JSON."))
    }
    self.text = text
    self.refusesUnknownNames = refusesUnknownNames
  }

  /// Returns true for an object with a member of this name, also if its value is null.
  public func has(_ name: String) -> Bool { member(name) != nil }

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - fixed: members that replace those of the text.
  ///   - usual: members for those that are missing or null.
  /// - Throws: `DecodingError`, and `bus.badPayload` for a member that JSON cannot express.
  public func decode<Value: Decodable>(
    _ type: Value.Type, fixed: Members = [:], usual: Members = [:]
  ) throws -> Value {
    guard fixed.count + usual.count > 0, text.nodes[0].kind == .object else {
      return try Value(from: JSONReader(text: text, refusesUnknownNames: refusesUnknownNames))
    }
    // Of two members with one name the first counts.
    var parts: [[UInt8]] = []
    for (name, value) in fixed + usual.filter({ isLacking($0.key) }) {
      parts.append(Array("\"\(name)\":".utf8) + (try MessageCoding.encode(value)))
    }
    if text.nodes.count > 1 {
      parts.append(Array(text.bytes[Int(text.nodes[0].start) + 1..<Int(text.nodes[0].end) - 1]))
    }
    let whole = [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
    return try JSONInput(whole, refusesUnknownNames: refusesUnknownNames).decode(type)
  }

  private func isLacking(_ name: String) -> Bool { member(name).map { text.nodes[$0].kind == .null } ?? true }

  /// Returns the value of an object's member; nil if there is none.
  private func member(_ name: String) -> Int? {
    guard text.nodes[0].kind == .object else { return nil }
    var name = name
    return name.withUTF8 { text.member(of: 0, named: $0) }
  }
}

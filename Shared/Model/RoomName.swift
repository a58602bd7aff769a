/// The name of a room, which is the name of its playback node: 1 to 32 of `a-z`, `0-9` and `-`.
public struct RoomName: RawRepresentable, Codable, Hashable, Comparable, Sendable, LosslessStringConvertible {
  /// The name itself.
  public let rawValue: String

  /// Takes a name that already has the right form; nil otherwise.
  public init?(rawValue: String) {
    guard Self.isName(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// The same as `init(rawValue:)`.
  public init?(_ description: String) { self.init(rawValue: description) }

  /// Makes a name out of free text, such as a host name: lower case, other characters become dashes; `room` where
  /// nothing is left.
  public init(from text: String) {
    var name = ""
    for character in text.lowercased() where name.utf8.count < 32 {
      if Self.isName(String(character)) {
        name.append(character)
      } else if !name.isEmpty, !name.hasSuffix("-") {
        name.append("-")
      }
    }
    while name.hasSuffix("-") { name.removeLast() }
    while name.hasPrefix("-") { name.removeFirst() }
    rawValue = name.isEmpty ? "room" : name
  }

  /// Reads the name and refuses one of the wrong form.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let name = RoomName(rawValue: text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(text) names no room"))
    }
    self = name
  }

  /// Writes the name as one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The name.
  public var description: String { rawValue }

  /// Orders by name.
  public static func < (left: RoomName, right: RoomName) -> Bool { left.rawValue < right.rawValue }

  /// Whether text can be the name of a room or node.
  public static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }
}

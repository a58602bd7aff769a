/// A name in a message, of which newer versions may have more: a name that is not known is read as `unknown`.
public protocol TolerantName: RawRepresentable, Codable, Hashable, Sendable, CaseIterable where RawValue == String {
  /// The value for names that this version does not know.
  static var unknown: Self { get }
}

extension TolerantName {
  /// Reads a name; an unknown one is `unknown`, or an error of a decoder that refuses it.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = Self(rawValue: text) ?? .unknown
    guard self == .unknown, (decoder as? any InputDecoder)?.refusesUnknownNames == true else { return }
    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\(text) is not known."))
  }

  /// Creates the value of a word that somebody typed; nil if this version does not know it.
  public init?(word: String) {
    guard let value = Self(rawValue: word), value != .unknown else { return nil }
    self = value
  }
}

/// A decoder that may read what a client sends, in which an unknown name is a mistake and not one of a newer version.
public protocol InputDecoder: Decoder {
  /// True if an unknown name is an error.
  var refusesUnknownNames: Bool { get }
}

/// A name in a message, of which newer versions may have more: a name that is not known is read as `unknown`.
public protocol TolerantName: RawRepresentable, Codable, Hashable, Sendable, CaseIterable where RawValue == String {
  /// The value for names that this version does not know.
  static var unknown: Self { get }
}

extension TolerantName {
  /// Reads a name.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
  }

  /// Creates the value of a word that somebody typed; nil where this version does not know it.
  public init?(word: String) {
    guard let value = Self(rawValue: word), value != .unknown else { return nil }
    self = value
  }
}

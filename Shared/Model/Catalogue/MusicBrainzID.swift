/// A MusicBrainz id: a UUID in small letters.
public struct MusicBrainzID: Hashable, Sendable {
  /// The 36 characters of the id.
  public let text: String

  private static let length = 36
  private static let dashes: Set = [8, 13, 18, 23]

  /// Reads an id in letters of either case; nil for other texts and for the id of nothing, whose digits are all zero.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard bytes.count == Self.length else { return nil }
    var isSet = false
    for (index, byte) in bytes.enumerated() {
      if Self.dashes.contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Hexadecimal.digit(byte) else { return nil }
        isSet = isSet || digit > 0
      }
    }
    guard isSet else { return nil }
    self.text = text.lowercased()
  }
}

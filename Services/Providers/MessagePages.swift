import Messages
import Model

/// Splits readings so that each part fits in a message of the bus.
enum MessagePages {
  /// The size of a page in bytes.
  static let size = 48 << 10
  /// The size of the largest element in bytes.
  static let largest = 128 << 10

  /// Returns the elements in order, in parts; one empty part for none.
  ///
  /// - Throws: `library.providerRefused` for an element that is too large, as a reading without it is not complete.
  static func split<Element: Encodable>(_ elements: [Element]) throws -> [[Element]] {
    var (parts, room): ([[Element]], Int) = ([[]], size)
    for element in elements {
      let bytes = try MessageCoding.encode(element).count
      guard bytes <= largest else {
        throw LunaraError(
          "library.providerRefused",
          "A text of the provider is too long, so this part was not compared. Shorten it there.")
      }
      if bytes > room, !parts[parts.count - 1].isEmpty {
        parts.append([])
        room = size
      }
      parts[parts.count - 1].append(element)
      room -= bytes
    }
    return parts
  }
}

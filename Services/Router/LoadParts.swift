import Messages
import Model

/// Gathers items into parts that the bus can carry: a load of many goes to a room in several requests.
struct LoadParts {
  /// The most items in a part.
  static let countLimit = 100
  /// The most bytes of JSON in a part; the rest of the frame is room for its other fields.
  static let sizeLimit = 150 * 1024

  /// What is gathered since the last part that was full, in order.
  private(set) var rest: [QueueItem] = []
  private var size = 0

  /// Adds an item; gives a part where it was full without it. An item that alone is over the limit has a part of its own.
  ///
  /// - Throws: `bus.badPayload` for an item that is no JSON.
  mutating func add(_ item: QueueItem) throws -> [QueueItem]? {
    let itemSize = try MessageCoding.encode(item).count + 1
    guard !rest.isEmpty, rest.count == Self.countLimit || size + itemSize > Self.sizeLimit else {
      rest.append(item)
      size += itemSize
      return nil
    }
    defer { (rest, size) = ([item], itemSize) }
    return rest
  }

  /// Items in parts, in order; no part for no items.
  ///
  /// - Throws: `bus.badPayload` for an item that is no JSON.
  static func split(_ items: [QueueItem]) throws -> [[QueueItem]] {
    var parts = LoadParts()
    let full = try items.compactMap { try parts.add($0) }
    return parts.rest.isEmpty ? full : full + [parts.rest]
  }
}

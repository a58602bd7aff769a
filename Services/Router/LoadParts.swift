import Messages
import Model

/// How many items go to a room in one request: a load of many comes in parts that the bus can carry.
enum LoadParts {
  /// The most items in a part.
  static let countLimit = 100
  /// The most bytes of JSON in a part; the rest of the frame is room for its other fields.
  static let sizeLimit = 150 * 1024

  /// The items in parts, in order. An item that alone is over the limit has a part of its own.
  ///
  /// - Throws: `bus.badPayload` for an item that is no JSON.
  static func split(_ items: [QueueItem]) throws -> [[QueueItem]] {
    var parts: [[QueueItem]] = []
    var part: [QueueItem] = []
    var size = 0
    for item in items {
      let itemSize = try MessageCoding.encode(item).count + 1
      if !part.isEmpty, part.count == countLimit || size + itemSize > sizeLimit {
        parts.append(part)
        part = []
        size = 0
      }
      part.append(item)
      size += itemSize
    }
    return part.isEmpty ? parts : parts + [part]
  }
}

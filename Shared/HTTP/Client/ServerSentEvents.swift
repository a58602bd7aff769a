/// An event of a `text/event-stream` (WHATWG HTML, 9.2 Server-sent events).
public struct ServerSentEvent: Hashable, Sendable {
  /// Its type; `message` where it has none.
  public var type: String
  /// Its text, with lines parted by line feeds.
  public var data: String

  public init(type: String = "message", data: String) {
    self.type = type
    self.data = data
  }
}

/// Decodes the bytes of a `text/event-stream` as they come. Any bytes are accepted.
public struct ServerSentEvents: Sendable {
  private var line: [UInt8] = []
  private var type = ""
  private var data: [String] = []
  private var size = 0
  private var isAfterReturn = false
  private var isTooLong = false
  private var isLineEmpty = true

  /// The largest event, in bytes; a larger one is left out.
  private static let limit = 4 << 20

  public init() {}

  /// Decodes bytes and returns the events that they complete.
  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      defer { isAfterReturn = byte == 13 }
      switch byte {
      case 10 where isAfterReturn: continue
      case 10, 13:
        if let event = endLine() { events.append(event) }
      default:
        size += 1
        isLineEmpty = false
        guard size <= Self.limit else {
          isTooLong = true
          line = []
          data = []
          continue
        }
        line.append(byte)
      }
    }
    return events
  }

  /// Handles a whole line; an empty one ends an event.
  private mutating func endLine() -> ServerSentEvent? {
    let text = String(decoding: line, as: UTF8.self)
    line = []
    let isEnd = isLineEmpty
    isLineEmpty = true
    guard !isEnd else {
      defer {
        type = ""
        data = []
        size = 0
        isTooLong = false
      }
      guard !data.isEmpty, !isTooLong else { return nil }
      return ServerSentEvent(type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"))
    }
    // A line that begins with a colon is a comment.
    let name = text.prefix { $0 != ":" }
    var value = text.dropFirst(name.count + 1)
    if value.first == " " { value = value.dropFirst() }
    switch name {
    case "event": type = String(value)
    case "data": data.append(String(value))
    default: break
    }
    return nil
  }
}

import Model

/// The text of server-sent events (WHATWG HTML, section 9.2).
enum EventText {
  /// A comment: keeps the connection alive and is no event.
  static let heartbeat = Array(":\n\n".utf8)
  /// How long a browser waits before it connects again.
  static let retry = Array("retry: 500\n\n".utf8)

  /// One event.
  ///
  /// - Parameters:
  ///   - id: how far the reader is with it; nil where that is as far as before.
  ///   - json: on one line, as JSON is written here.
  static func event(_ name: String, id: EventID? = nil, json: [UInt8]) -> [UInt8] {
    Array("event: \(name)\n\(id.map { "id: \($0.text)\n" } ?? "")data: ".utf8) + json + Array("\n\n".utf8)
  }
}

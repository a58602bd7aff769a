import Model

/// The client does not take answers any more.
struct SendFailure: Error {}

/// The answer to a command as it grows.
struct Reply {
  /// The bytes at which a long answer is sent in parts.
  static let partLimit = 64 << 10

  private(set) var bytes: [UInt8] = []
  /// Sends a part; waits while the client is slow.
  let send: ([UInt8]) async throws -> Void

  init(_ send: @escaping ([UInt8]) async throws -> Void) { self.send = send }

  /// Adds `key: value`. Ends of lines in the value become spaces.
  mutating func add(_ key: String, _ value: some CustomStringConvertible) {
    bytes += Array(key.utf8)
    bytes += [58, 32]
    bytes += Array(Self.oneLine(value.description).utf8)
    bytes.append(10)
  }

  /// Adds `key: value` unless the value is nil or empty.
  mutating func add(_ key: String, ifPresent value: (some CustomStringConvertible)?) {
    if let value, !value.description.isEmpty { add(key, value) }
  }

  /// Adds a line as it is.
  mutating func add(line: String) { bytes += Array((line + "\n").utf8) }

  /// Adds bytes of a picture with their length before them.
  mutating func add(binary: some Collection<UInt8>) {
    add("binary", binary.count)
    bytes += binary
    bytes.append(10)
  }

  /// Sends what there is if that is much.
  mutating func sendIfLong() async throws { if bytes.count >= Self.partLimit { try await flush() } }

  /// Sends what there is.
  mutating func flush() async throws {
    guard !bytes.isEmpty else { return }
    let part = bytes
    bytes = []
    try await send(part)
  }

  /// Returns the text on one line.
  static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 32 || $0 == 127 }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
  }
}

extension Milliseconds {
  /// The time in seconds with three decimals.
  var decimal: String {
    let value = max(0, rawValue)
    let rest = "\(1000 + value % 1000)".dropFirst()
    return "\(value / 1000).\(rest)"
  }

  /// The time in seconds, rounded.
  var roundedSeconds: Int64 { (max(0, rawValue) + 500) / 1000 }
}

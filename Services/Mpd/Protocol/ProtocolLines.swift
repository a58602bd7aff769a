/// Divides the bytes of a connection into lines, each without its end.
struct ProtocolLines {
  /// The longest line, in bytes.
  static let lineLimit = 8192

  enum Failure: Error { case lineTooLong }

  private var bytes: [UInt8] = []
  private var start = 0
  /// The number of bytes from `start` that were searched for an end of line.
  private var searched = 0

  /// Adds bytes that were received.
  mutating func append(_ more: [UInt8]) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// Returns the next whole line; nil if none has arrived.
  ///
  /// - Throws: `Failure.lineTooLong`.
  mutating func next() throws(Failure) -> [UInt8]? {
    guard let end = bytes[(start + searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count - start
      if searched > Self.lineLimit { throw .lineTooLong }
      return nil
    }
    guard end - start <= Self.lineLimit else { throw .lineTooLong }
    var line = bytes[start..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    start = end + 1
    searched = 0
    return Array(line)
  }
}

/// The bytes of a streamed body that wait for their client.
struct Outflow {
  /// Where the producer has to wait.
  static let limit = 256 * 1024

  private var chunks: [[UInt8]] = []
  /// How much of the first chunk has left.
  private var offset = 0
  /// How many bytes wait.
  private(set) var count = 0
  /// Whether nothing will be added.
  var isFinished = false
  /// Whether the client has gone.
  var isBroken = false

  /// Whether the producer has to wait.
  var isFull: Bool { count >= Self.limit }
  /// Whether a producer that waited can go on.
  var hasRoom: Bool { count <= Self.limit / 2 }

  /// Adds bytes at the end.
  mutating func append(_ chunk: [UInt8]) {
    guard !chunk.isEmpty else { return }
    chunks.append(chunk)
    count += chunk.count
  }

  /// Moves as many bytes as fit into a buffer, and says how many.
  mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var taken = 0
    var done = 0
    while done < chunks.count, taken < buffer.count {
      let part = chunks[done][offset...].prefix(buffer.count - taken)
      UnsafeMutableRawBufferPointer(rebasing: buffer[taken...]).copyBytes(from: part)
      taken += part.count
      offset += part.count
      if offset == chunks[done].count {
        done += 1
        offset = 0
      }
    }
    chunks.removeFirst(done)
    count -= taken
    return taken
  }
}

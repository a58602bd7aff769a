/// Cuts a stream of bytes into lines.
struct LineSplitter {
  private var rest: [UInt8] = []
  private let longest: Int

  /// Lines are cut at `longest` bytes, so that one who never ends a line takes no memory.
  init(longest: Int = 16_384) { self.longest = longest }

  /// The lines that end within `bytes`, without their line feeds.
  mutating func add(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(rest)
        rest = []
      } else {
        rest.append(byte)
        if rest.count == longest {
          lines.append(rest)
          rest = []
        }
      }
    }
    return lines
  }

  /// What is left when the stream has ended; nil where nothing is.
  mutating func end() -> [UInt8]? {
    defer { rest = [] }
    return rest.isEmpty ? nil : rest
  }
}

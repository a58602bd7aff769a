import System

/// Reads a tar archive (POSIX pax or ustar) as its bytes arrive, one member after the other.
///
/// Limits the effect of a hostile archive: names and sizes are checked before the bytes of a member are read, and
/// nothing else is kept in memory.
struct TarReader {
  struct Member: Equatable {
    /// The path in the archive.
    var name: String
    /// The length in bytes.
    var size: Int64
    /// False for folders, links, devices and the like.
    var isFile: Bool
  }

  /// The reason why an archive cannot be read on.
  struct Fault: Error, Equatable {
    var text: String
  }

  private let read: (Int) throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var used = 0
  /// The unread bytes of the current member.
  private var left: Int64 = 0
  /// The zeros after the current member.
  private var padding: Int64 = 0

  private static let block = 512
  /// The largest size, which is that of seven bytes.
  private static let sizeLimit: Int64 = (1 << 56) - 1
  private static let badSize = Fault(text: "a member has an impossible size")
  /// The length of the longest extended header that is read, in bytes. Those of a backup have a few hundred.
  private static let extensionLimit: Int64 = 65_536

  /// Creates a reader of bytes; `read` returns the next ones, at most as many as it is asked for, and none at the end.
  init(_ read: @escaping (Int) throws -> [UInt8]) { self.read = read }

  /// Skips the unread bytes of the current member and returns the next one; nil at the end of the archive.
  mutating func next() throws -> Member? {
    try skip(left + padding)
    left = 0
    padding = 0
    var named: (name: String?, size: Int64?)
    while true {
      let header = try bytes(Self.block)
      if header.allSatisfy({ $0 == 0 }) { return nil }
      guard Self.hasChecksum(header) else { throw Fault(text: "it is no tar archive, or damaged") }
      let size = try Self.number(header[124..<136])
      switch header[156] {
      case UInt8(ascii: "x"):
        let content = try small(size)
        named = try Self.extended(content, named)
      case UInt8(ascii: "g"): _ = try small(size)
      case let kind:
        let size = named.size ?? size
        let isFile = kind == UInt8(ascii: "0") || kind == 0
        // Links and folders have no bytes, whatever their size says.
        let hasBytes = ![UInt8(ascii: "1"), UInt8(ascii: "2"), UInt8(ascii: "5")].contains(kind)
        left = hasBytes ? size : 0
        padding = Self.padding(left)
        return Member(name: named.name ?? Self.name(header), size: size, isFile: isFile)
      }
    }
  }

  /// Returns the next bytes of the current member, at most `limit`; none at its end.
  mutating func content(upTo limit: Int) throws -> [UInt8] {
    guard left > 0 else { return [] }
    if used == buffer.count { try fill() }
    let count = Int(min(left, Int64(min(limit, buffer.count - used))))
    defer {
      used += count
      left -= Int64(count)
    }
    return Array(buffer[used..<used + count])
  }

  /// Reads to the end of the bytes, which continue after the archive's own end.
  mutating func finish() throws {
    while try !read(1 << 18).isEmpty {}
    used = buffer.count
  }

  private mutating func fill() throws {
    buffer = try read(1 << 18)
    used = 0
    if buffer.isEmpty { throw Fault(text: "it is cut short") }
  }

  private mutating func bytes(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      if used == buffer.count { try fill() }
      let more = buffer[used...].prefix(count - bytes.count)
      bytes += more
      used += more.count
    }
    return bytes
  }

  private mutating func skip(_ count: Int64) throws {
    var left = count
    while left > 0 {
      if used == buffer.count { try fill() }
      let more = min(left, Int64(buffer.count - used))
      used += Int(more)
      left -= more
    }
  }

  private mutating func small(_ size: Int64) throws -> [UInt8] {
    guard size <= Self.extensionLimit else { throw Fault(text: "it has a header of \(size) bytes") }
    let content = try bytes(Int(size))
    try skip(Self.padding(size))
    return content
  }

  private static func padding(_ size: Int64) -> Int64 { (Int64(block) - size % Int64(block)) % Int64(block) }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func name(_ header: [UInt8]) -> String {
    let name = text(header[0..<100])
    let prefix = Array(header[257..<263]) == Array("ustar\0".utf8) ? text(header[345..<500]) : ""
    return prefix.isEmpty ? name : "\(prefix)/\(name)"
  }

  /// Reads a number in octal digits, or in binary if its first bit is set, as GNU tar writes large ones.
  private static func number(_ field: ArraySlice<UInt8>) throws -> Int64 {
    var value: Int64 = 0
    if let first = field.first, first & 0x80 != 0 {
      guard first == 0x80, field.dropFirst().dropLast(7).allSatisfy({ $0 == 0 }) else { throw badSize }
      for byte in field.suffix(7) { value = value << 8 | Int64(byte) }
      return value
    }
    for byte in field where byte != 0 && byte != UInt8(ascii: " ") {
      guard UInt8(ascii: "0")...UInt8(ascii: "7") ~= byte else { throw badSize }
      value = value << 3 | Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// Returns true if the checksum of a header is correct.
  private static func hasChecksum(_ header: [UInt8]) -> Bool {
    let sum = header.indices.reduce(0) { $0 + ((148..<156).contains($1) ? 32 : Int64(header[$1])) }
    do { return try number(header[148..<156]) == sum } catch { return false }
  }

  /// Reads the name and the size in an extended header, whose records have the form `LENGTH KEY=VALUE` and a newline.
  private static func extended(
    _ content: [UInt8], _ known: (name: String?, size: Int64?)
  ) throws -> (name: String?, size: Int64?) {
    var found = known
    var rest = content[...]
    while let space = rest.firstIndex(of: UInt8(ascii: " ")) {
      guard let length = Int(String(decoding: rest[..<space], as: UTF8.self)),
        length >= space - rest.startIndex + 2, length <= rest.count
      else { throw Fault(text: "it has a header that cannot be read") }
      let words = rest[space...].dropFirst().prefix(length - (space - rest.startIndex) - 2)
      let record = String(decoding: words, as: UTF8.self)
      rest = rest.dropFirst(length)
      if record.hasPrefix("path=") { found.name = String(record.dropFirst(5)) }
      guard record.hasPrefix("size=") else { continue }
      guard let size = Int64(record.dropFirst(5)), 0...sizeLimit ~= size else { throw badSize }
      found.size = size
    }
    return found
  }
}

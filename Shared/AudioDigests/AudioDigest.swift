import Model
public import System

/// A digest of the sound in a music file, which stays the same when its tags, its pictures or its name change. It is of
/// samples of the sound and its length in bytes, not of all of it, so that a scan reads little more than the tags.
public enum AudioDigest {
  /// The bytes that are read at the start of the sound and at its end.
  private static let edge = 4096
  /// A part further on: many tracks begin and end with silence. It is near enough to be read ahead with the start.
  private static let further = (distance: 65_536, count: 8192)

  /// Returns the digest of the sound in an open file of `size` bytes; 0 where it is not known which part of the file is
  /// the sound, and for silence, which tells nothing apart. The position of the next read stays.
  ///
  /// - Throws: the errors of pread(2).
  public static func of(_ file: Descriptor, size: Int) throws(Errno) -> UInt64 {
    let reader = AudioFileReader(file, size: size)
    guard let extent = try AudioExtent(reader), extent.end > extent.start else { return 0 }
    var hash = FNV1a()
    hash.combine(littleEndian: extent.end - extent.start)
    hash.combine(littleEndian: extent.stream)
    var isSilent = true
    func add(_ start: Int, _ count: Int) throws(Errno) {
      let bytes = try reader.bytes(at: max(start, extent.start), count: min(count, extent.end - start))
      hash.combine(bytes)
      isSilent = isSilent && bytes.allSatisfy { $0 == bytes[0] }
    }
    try add(extent.start, edge)
    if extent.end - extent.start > further.distance + further.count + edge {
      try add(extent.start + further.distance, further.count)
    }
    if extent.end - extent.start > edge { try add(extent.end - edge, edge) }
    return isSilent ? 0 : max(1, hash.value)
  }
}

/// An open file, of which parts are read.
struct AudioFileReader {
  let size: Int
  private let file: Descriptor

  init(_ file: Descriptor, size: Int) {
    self.file = file
    self.size = size
  }

  /// Returns the bytes at a position, fewer at the end of the file, and none outside it.
  func bytes(at position: Int, count: Int) throws(Errno) -> [UInt8] {
    let count = min(count, size - position)
    guard position >= 0, count > 0 else { return [] }
    return try file.readBytes(upTo: count, at: position)
  }

  /// Returns the bytes at a position; nil if the file ends before.
  func whole(at position: Int, count: Int) throws(Errno) -> [UInt8]? {
    let bytes = try bytes(at: position, count: count)
    return bytes.count == count ? bytes : nil
  }
}

extension [UInt8] {
  /// The number in the bytes from `start`, the highest first; nil if it is negative or larger than an `Int`.
  func bigEndian(at start: Int, count: Int) -> Int? {
    guard start + count <= self.count else { return nil }
    return Int(exactly: self[start..<start + count].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }

  /// The number in the bytes from `start`, the lowest first; nil if it is larger than an `Int`.
  func littleEndian(at start: Int, count: Int) -> Int? {
    guard start + count <= self.count else { return nil }
    return Int(exactly: self[start..<start + count].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }

  /// Returns true if these characters stand at a position.
  func has(_ characters: StaticString, at start: Int = 0) -> Bool {
    characters.withUTF8Buffer { start + $0.count <= count && self[start..<start + $0.count].elementsEqual($0) }
  }
}

import System

/// Formats of a single codec, and Matroska.
extension AudioTruncation {
  /// The bytes at the end of a WavPack file among which its last block is looked for. A block has half a second.
  private static let windows = [64 << 10, 1 << 20]
  /// The most frames of a True Audio file, of about a second each.
  private static let mostFrames = 1 << 18
  /// The most packets of Musepack before the one that names the table of the others.
  private static let mostPackets = 20

  static func isCutAfterTags(_ file: AudioFileReader) throws(Errno) -> Bool {
    let start = try AudioExtent.endOfLeadingTags(file)
    let head = try file.bytes(at: start, count: 40)
    if head.has("wvpk") { return try isLastBlockCut(file, from: start, head) }
    if head.has("MAC ") { return isMonkeysAudioCut(head, rest: file.size - start) }
    if head.has("TTA1") { return try isTrueAudioCut(file, from: start, head) }
    if head.has("MPCK") { return try isMusepackCut(file, from: start) }
    return false
  }

  /// Returns true if the last block of WavPack is cut, or is not the one with the last samples ("WavPack 4 & 5 Binary
  /// File / Block Format", "Block Header").
  private static func isLastBlockCut(
    _ file: AudioFileReader, from start: Int, _ first: [UInt8]
  ) throws(Errno) -> Bool {
    let headerLength = 32
    let end = try AudioExtent.startOfTrailingTags(file, after: start)
    // The lower 32 bits and the upper 8 of the number of samples.
    guard let low = first.littleEndian(at: 12, count: 4), first.count > 11 else { return false }
    let samples = low == 0xFFFF_FFFF ? nil : low | Int(first[11]) << 32
    for window in windows {
      let from = max(start, end - window)
      let tail = try file.bytes(at: from, count: end - from)
      var at = tail.count - headerLength
      while at >= 0 {
        defer { at -= 1 }
        guard tail[at] == UInt8(ascii: "w"), tail.has("wvpk", at: at), tail[at + 9] == 4,
          let length = tail.littleEndian(at: at + 4, count: 4), length >= headerLength - 8, length < 1 << 24,
          let index = tail.littleEndian(at: at + 16, count: 4), let count = tail.littleEndian(at: at + 20, count: 4)
        else { continue }
        if from + at + 8 + length > end { return true }
        // Blocks without samples hold what belongs to the whole file.
        guard count > 0, let samples else { continue }
        return index | Int(tail[at + 10]) << 32 + count < samples
      }
      if from == start { break }
    }
    return false
  }

  /// Returns true if the parts of a file of Monkey's Audio, whose lengths its descriptor has from the version 3.98 on,
  /// are longer than the file.
  private static func isMonkeysAudioCut(_ head: [UInt8], rest: Int) -> Bool {
    guard let version = head.littleEndian(at: 4, count: 2), version >= 3980 else { return false }
    // The descriptor, the header, the seek table, the header of the original file, the sound in two halves, and the end
    // of the original file.
    let parts = [8, 12, 16, 20, 24, 32].map { head.littleEndian(at: $0, count: 4) ?? 0 }
    let high = head.littleEndian(at: 28, count: 4) ?? 0
    return high < 1 << 16 && parts.reduce(high << 32, +) > rest
  }

  /// Returns true if the frames of True Audio, whose lengths its seek table has, are longer than the file.
  private static func isTrueAudioCut(
    _ file: AudioFileReader, from start: Int, _ head: [UInt8]
  ) throws(Errno) -> Bool {
    let headerLength = 22
    guard let format = head.littleEndian(at: 4, count: 2), 1...2 ~= format,
      let rate = head.littleEndian(at: 10, count: 4), let samples = head.littleEndian(at: 14, count: 4), rate > 0
    else { return false }
    // A frame has 256/245 seconds.
    let frame = 256 * rate / 245
    let frames = (samples + frame - 1) / frame
    guard frames > 0, frames <= mostFrames else { return false }
    let table = try file.bytes(at: start + headerLength, count: 4 * frames)
    guard table.count == 4 * frames else { return true }
    let sound = (0..<frames).reduce(0) { $0 + (table.littleEndian(at: 4 * $1, count: 4) ?? 0) }
    return start + headerLength + table.count + 4 + sound > file.size
  }

  /// Returns true if the seek table of Musepack, which follows the sound, is behind the end of the file. A packet has a
  /// name of two letters and its length, both of which count ("SV8 specification", trac.musepack.net).
  private static func isMusepackCut(_ file: AudioFileReader, from start: Int) throws(Errno) -> Bool {
    var position = start + 4
    for _ in 0..<mostPackets {
      let head = try file.bytes(at: position, count: 24)
      guard let length = number(in: head, at: 2), length.value >= 2 + length.count else { return false }
      if head.has("SO") {
        guard let offset = number(in: head, at: 2 + length.count), offset.value < Int.max / 2 else { return false }
        let table = try file.bytes(at: position + offset.value, count: 12)
        // Without its name something else stands there, as in a file that was put together again.
        guard table.count >= 2 else { return true }
        guard table.has("ST") else { return false }
        guard let size = number(in: table, at: 2) else { return table.count < 12 }
        return position + offset.value + size.value > file.size
      }
      guard !head.has("AP"), length.value <= file.size - position else { return false }
      position += length.value
    }
    return false
  }

  /// Reads a number of seven bits a byte, the highest first; each byte but the last has its highest bit set.
  private static func number(in bytes: [UInt8], at start: Int) -> (value: Int, count: Int)? {
    var value = 0
    for (index, byte) in bytes.dropFirst(start).prefix(8).enumerated() {
      value = value << 7 | Int(byte & 0x7F)
      if byte < 0x80 { return (value, index + 1) }
    }
    return nil
  }

  /// Returns true if the segment of a Matroska file, which holds all of it, ends after the file (RFC 8794, section 4).
  static func isSegmentCut(_ file: AudioFileReader) throws(Errno) -> Bool {
    var position = 4
    let header = try file.bytes(at: position, count: 8)
    guard let head = size(in: header), let length = head.value, length < file.size else { return false }
    position += head.count + length
    let segment = try file.bytes(at: position, count: 12)
    guard segment.starts(with: [0x18, 0x53, 0x80, 0x67]), let size = size(in: Array(segment.dropFirst(4))),
      let length = size.value
    else { return false }
    return position + 4 + size.count + length > file.size
  }

  /// Reads the size of an element: the zeros before the first bit say how many bytes follow. The value is nil if it
  /// is unknown, as in a stream.
  private static func size(in bytes: [UInt8]) -> (value: Int?, count: Int)? {
    guard let first = bytes.first, first != 0 else { return nil }
    let count = first.leadingZeroBitCount + 1
    guard bytes.count >= count else { return nil }
    let bits = 7 * count
    let value = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) } & (1 << bits - 1)
    return (value == 1 << bits - 1 ? nil : value, count)
  }
}

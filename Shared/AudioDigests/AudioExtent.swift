import System

/// The part of a file that holds its sound and no tags.
struct AudioExtent: Equatable {
  /// The position of its first byte.
  var start: Int
  /// The position after its last byte.
  var end: Int
  /// A number that the format gives to the sound: the serial number of the stream and its length in Ogg, else 0.
  var stream: UInt64 = 0

  /// The most tags, chunks or atoms that are looked at.
  private static let most = 1000

  init(start: Int, end: Int, stream: UInt64 = 0) {
    self.start = start
    self.end = end
    self.stream = stream
  }

  /// Finds the sound. Nil where the format mixes tags and sound, or the file is damaged.
  ///
  /// - Throws: the errors of pread(2).
  init?(_ file: AudioFileReader) throws(Errno) {
    let start = try Self.endOfLeadingTags(file)
    let head = try file.bytes(at: start, count: 64)
    let found: AudioExtent?
    if head.has("OggS") {
      found = try Self.lastPage(file)
    } else if head.has("ftyp", at: 4) {
      found = try Self.mediaData(file)
    } else if head.has("RIFF") || head.has("RF64") {
      found = try Self.chunk("data", file, from: start + 12, header: 8, isBigEndian: false)
    } else if head.has("FORM") {
      found = try Self.chunk("SSND", file, from: start + 12, header: 8, isBigEndian: true)
    } else if head.has("FRM8") {
      // Plain or compressed.
      let plain = try Self.chunk("DSD ", file, from: start + 16, header: 12, isBigEndian: true)
      let compressed = try Self.chunk("DST ", file, from: start + 16, header: 12, isBigEndian: true)
      found = plain ?? compressed
    } else if head.has("caff") {
      found = try Self.chunk("data", file, from: start + 8, header: 12, isBigEndian: true)
    } else if head.has("DSD ") {
      // The position of the tags stands in the first of three headers of 28, 52 and 12 bytes, 0 without any.
      let (sound, tags) = (start + 92, head.littleEndian(at: 20, count: 8) ?? 0)
      found = AudioExtent(start: sound, end: tags > sound && tags < file.size ? tags : file.size)
    } else if head.starts(with: Self.windowsMedia) {
      // The header object with the tags is followed by the data object.
      let data = head.littleEndian(at: 16, count: 8).map { start.addingReportingOverflow($0) }
      found = data.flatMap { $0.overflow ? nil : AudioExtent(start: $0.partialValue, end: file.size) }
    } else if head.has("fLaC") {
      found = try Self.frames(file, from: start + 4)
    } else if head.starts(with: Self.matroska) || head.has("riff") {
      // Matroska and Wave64: tags may stand anywhere.
      found = nil
    } else {
      found = AudioExtent(start: start, end: try Self.startOfTrailingTags(file, after: start))
    }
    guard let found, found.start >= 0, found.end <= file.size, found.start < found.end else { return nil }
    self = found
  }

  private static let windowsMedia: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]
  private static let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

  /// Returns the position after the ID3v2 tags at the start (ID3v2.4, section 3.1: sizes have seven bits a byte).
  static func endOfLeadingTags(_ file: AudioFileReader) throws(Errno) -> Int {
    var start = 0
    for _ in 0..<most {
      let head = try file.bytes(at: start, count: 10)
      guard head.count == 10, head.has("ID3"), head[6...9].allSatisfy({ $0 < 0x80 }) else { break }
      let hasFooter = head[5] & 0x10 != 0
      start += 10 + head[6...9].reduce(0) { $0 << 7 | Int($1) } + (hasFooter ? 10 : 0)
    }
    return start
  }

  /// Returns the position of the first of the tags at the end: ID3v1, APE and Lyrics3.
  static func startOfTrailingTags(_ file: AudioFileReader, after start: Int) throws(Errno) -> Int {
    var end = file.size
    for _ in 0..<most {
      let tail = try file.bytes(at: max(start, end - 128), count: min(128, end - start))
      let before = end
      if tail.count == 128, tail.has("TAG") {
        end -= 128
      } else if tail.count >= 32, tail.has("APETAGEX", at: tail.count - 32) {
        // The size counts the footer; a header of the same length comes where bit 31 of the flags says so.
        let size = tail.littleEndian(at: tail.count - 20, count: 4) ?? 0
        let hasHeader = tail[tail.count - 9] & 0x80 != 0
        end -= size + (hasHeader ? 32 : 0)
      } else if tail.count >= 15, tail.has("LYRICS200", at: tail.count - 9) {
        let digits = tail[(tail.count - 15)..<(tail.count - 9)]
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { break }
        end -= digits.reduce(0) { $0 * 10 + Int($1) - 0x30 } + 15
      }
      guard end < before, end > start else { return max(start, end) }
    }
    return end
  }

  /// Returns the frames of a FLAC file, which follow its blocks of metadata (RFC 9639, section 8.1).
  private static func frames(_ file: AudioFileReader, from start: Int) throws(Errno) -> AudioExtent? {
    var position = start
    for _ in 0..<most {
      guard let head = try file.whole(at: position, count: 4), let length = head.bigEndian(at: 1, count: 3) else {
        return nil
      }
      position += 4 + length
      let isLast = head[0] & 0x80 != 0
      if isLast { return AudioExtent(start: position, end: try startOfTrailingTags(file, after: position)) }
    }
    return nil
  }

  /// Returns the content of the chunk with a name in a file of chunks, each with its name and its length.
  private static func chunk(
    _ name: StaticString, _ file: AudioFileReader, from start: Int, header: Int, isBigEndian: Bool
  ) throws(Errno) -> AudioExtent? {
    var position = start
    for _ in 0..<most {
      guard let head = try file.whole(at: position, count: header) else { return nil }
      let digits = header - 4
      let length = isBigEndian ? head.bigEndian(at: 4, count: digits) : head.littleEndian(at: 4, count: digits)
      let content = position + header
      if head.has(name) {
        // A length that the file does not have is that of a stream, or of RF64, which states it elsewhere.
        guard let length, length <= file.size - content else { return AudioExtent(start: content, end: file.size) }
        return AudioExtent(start: content, end: content + length)
      }
      guard let length, length <= file.size - content else { return nil }
      position = content + length + length % 2
    }
    return nil
  }

  /// Returns the largest atom of media data in an MP4 file (ISO 14496-12, 4.2).
  private static func mediaData(_ file: AudioFileReader) throws(Errno) -> AudioExtent? {
    var position = 0
    var largest: AudioExtent?
    for _ in 0..<most {
      let head = try file.bytes(at: position, count: 16)
      guard head.count >= 8, var length = head.bigEndian(at: 0, count: 4) else { break }
      var header = 8
      if length == 0 { length = file.size - position }
      if length == 1 {
        guard let long = head.bigEndian(at: 8, count: 8) else { break }
        length = long
        header = 16
      }
      guard length >= header, length <= file.size - position else { break }
      if head.has("mdat", at: 4), length > (largest.map { $0.end - $0.start } ?? 0) {
        largest = AudioExtent(start: position + header, end: position + length)
      }
      position += length
    }
    return largest
  }

  /// Returns the content of the last page of Ogg (RFC 3533, section 6), with the serial number of its stream and its
  /// position. The pages before it get other numbers when the comments grow.
  private static func lastPage(_ file: AudioFileReader) throws(Errno) -> AudioExtent? {
    for window in [8192, 65_536 + 282] {
      let from = max(0, file.size - window)
      let tail = try file.bytes(at: from, count: window)
      var at = tail.count - 27
      while at >= 0 {
        defer { at -= 1 }
        guard tail[at] == UInt8(ascii: "O"), tail.has("OggS", at: at) else { continue }
        let segments = Int(tail[at + 26])
        let content = at + 27 + segments
        guard content <= tail.count else { continue }
        let length = tail[(at + 27)..<content].reduce(0) { $0 + Int($1) }
        guard content + length <= tail.count, let serial = tail.littleEndian(at: at + 14, count: 4) else { continue }
        let granule = tail[(at + 6)..<(at + 14)].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return AudioExtent(
          start: from + content, end: from + content + length, stream: granule ^ UInt64(serial) << 32)
      }
      if from == 0 { break }
    }
    return nil
  }
}

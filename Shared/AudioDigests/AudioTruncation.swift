public import System

/// Tells whether a music file is shorter than its header says, as an interrupted copy leaves it.
public enum AudioTruncation {
  /// The most chunks or atoms that are looked at.
  private static let most = 1000
  /// Lengths from this on are those of streams whose writer did not know theirs.
  private static let streamLength = 0x7EFF_0000

  /// Returns true if a file is cut whose header says how long it is: WAV, AIFF, DSDIFF, CAF, DSF, MP4, Ogg, Matroska,
  /// WavPack, Monkey's Audio, True Audio and Musepack from its version 8 on. False for other formats, and where the
  /// header does not say it.
  ///
  /// - Throws: the errors of pread(2).
  public static func isTruncated(_ file: Descriptor, size: Int) throws(Errno) -> Bool {
    try findings(file, size: size).isTruncated
  }

  /// The findings about the end of a file.
  public struct Findings: Hashable, Sendable {
    /// True if the file is cut, as for `isTruncated`.
    public var isTruncated = false
    /// True for MP4 in fragments: its header has the length of the first of them, or none.
    public var isFragmented = false
  }

  /// Returns the findings about the end of a file. Throws the errors of pread(2).
  public static func findings(_ file: Descriptor, size: Int) throws(Errno) -> Findings {
    let file = AudioFileReader(file, size: size)
    let head = try file.bytes(at: 0, count: 20)
    if head.has("ftyp", at: 4) { return try atoms(file) }
    return Findings(isTruncated: try isTruncated(file, head))
  }

  private static func isTruncated(_ file: AudioFileReader, _ head: [UInt8]) throws(Errno) -> Bool {
    if head.has("OggS") { return try isLastPageCut(file) }
    if head.has("RIFF") { return try isCut("data", file, from: 12, header: 8, isBigEndian: false) }
    if head.has("FORM") { return try isCut("SSND", file, from: 12, header: 8, isBigEndian: true) }
    if head.has("FRM8") {
      // Plain or compressed.
      if try isCut("DSD ", file, from: 16, header: 12, isBigEndian: true) { return true }
      return try isCut("DST ", file, from: 16, header: 12, isBigEndian: true)
    }
    if head.has("caff") { return try isCut("data", file, from: 8, header: 12, isBigEndian: true) }
    // The first header of 28 bytes has the size of the whole file.
    if head.has("DSD "), head.littleEndian(at: 4, count: 8) == 28 {
      return head.littleEndian(at: 12, count: 8).map { $0 > file.size } ?? false
    }
    if head.starts(with: matroska) { return try isSegmentCut(file) }
    return try isCutAfterTags(file)
  }

  static let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

  private static func isCut(
    _ name: StaticString, _ file: AudioFileReader, from start: Int, header: Int, isBigEndian: Bool
  ) throws(Errno) -> Bool {
    var position = start
    for _ in 0..<most {
      guard let head = try file.whole(at: position, count: header) else { return false }
      let digits = header - 4
      let length = isBigEndian ? head.bigEndian(at: 4, count: digits) : head.littleEndian(at: 4, count: digits)
      guard let length, digits == 8 || length < streamLength else { return false }
      let rest = file.size - position - header
      // Some writers leave out the byte that makes the length even.
      if head.has(name) { return length > rest + 1 }
      guard length <= rest else { return false }
      position += header + length + length % 2
    }
    return false
  }

  /// Returns true if the file ends within a page of Ogg (RFC 3533, section 6).
  private static func isLastPageCut(_ file: AudioFileReader) throws(Errno) -> Bool {
    for window in [8192, 65_536 + 282] {
      let from = max(0, file.size - window)
      let tail = try file.bytes(at: from, count: window)
      var at = tail.count - 4
      while at >= 0 {
        defer { at -= 1 }
        guard tail[at] == UInt8(ascii: "O"), tail.has("OggS", at: at) else { continue }
        guard at + 27 <= tail.count, at + 27 + Int(tail[at + 26]) <= tail.count else { return true }
        let content = at + 27 + Int(tail[at + 26])
        return content + tail[(at + 27)..<content].reduce(0) { $0 + Int($1) } > tail.count
      }
      if from == 0 { break }
    }
    return false
  }

  /// Returns whether one of the atoms that hold the sound or say where it is ends after the file, and whether one of
  /// them begins a fragment.
  private static func atoms(_ file: AudioFileReader) throws(Errno) -> Findings {
    var findings = Findings()
    var position = 0
    for _ in 0..<most {
      let head = try file.bytes(at: position, count: 16)
      guard head.count >= 8, var length = head.bigEndian(at: 0, count: 4), length != 0 else { break }
      if length == 1 {
        guard let long = head.bigEndian(at: 8, count: 8) else { break }
        length = long
      }
      findings.isFragmented = findings.isFragmented || head.has("moof", at: 4)
      let rest = file.size - position
      guard length >= 8, length <= rest else {
        // Anything may follow the last atom, such as tags of other formats.
        findings.isTruncated =
          length > rest && (head.has("mdat", at: 4) || head.has("moov", at: 4) || head.has("moof", at: 4))
        break
      }
      position += length
    }
    return findings
  }
}

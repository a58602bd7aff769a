/// Music files that are made to break the program that reads their tags.
enum HostileFile {
  /// An MP4 file whose atoms of one kind lie in each other (ISO/IEC 14496-12).
  static func nestedAtoms(_ name: String, depth: Int = 100_000) -> [UInt8] {
    let type = FLACFile.big(20) + Array("ftypM4A ".utf8) + FLACFile.big(0) + Array("M4A ".utf8)
    return type
      + (0..<depth).reduce(into: []) { $0 += FLACFile.big((depth - $1) * 8) + Array(name.utf8) }
  }

  /// An MP3 file's tag whose chapters (`CHAP`) or tables of contents (`CTOC`) lie in each other ("ID3v2 Chapter Frame
  /// Addendum").
  static func nestedChapters(_ name: String, depth: Int = 100_000) -> [UInt8] {
    // An element's id, and the times and offsets of a chapter, or flags and one child of a table.
    let fields: [UInt8] =
      [97, 0] + (name == "CHAP" ? [UInt8](repeating: 0, count: 16) : [3, 1, 98, 0])
    let head = 10 + fields.count
    let frames: [UInt8] = (0..<depth).reduce(into: []) {
      $0 += Array(name.utf8) + ID3Tag.syncSafe((depth - $1) * head - 10) + [0, 0] + fields
    }
    return Array("ID3".utf8) + [4, 0, 0] + ID3Tag.syncSafe(frames.count) + frames
  }

  /// An MP3 file's tag with a title that is compressed to about a 159th of its length ("ID3v2.4", 4.1.2).
  static func compressedTitle(inflated: Int) -> [UInt8] {
    // RFC 1951: a block with fixed codes, the literal 0, and then copies of 258 bytes from one byte before.
    var bits: [UInt8] = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
    let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
    for _ in 0..<8 { bits += copy }
    func packed(_ bits: ArraySlice<UInt8>) -> [UInt8] {
      stride(from: bits.startIndex, to: bits.endIndex, by: 8).map { start in
        (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
      }
    }
    // Eight copies take 13 bytes, so all that follow the first eight are the same bytes.
    let copies = (0..<(8 * 16)).flatMap { _ in copy }
    let phase = bits.count % 8
    let beginning = packed(bits[..<(bits.count - phase)])
    let repeated = packed(((bits[(bits.count - phase)...] + copies).prefix(13 * 8)))
    var body: [UInt8] = ID3Tag.syncSafe(inflated) + [0x78, 0x9C] + beginning
    for _ in 0..<(inflated / (8 * 258)) { body += repeated }
    let frame = Array("TIT2".utf8) + ID3Tag.syncSafe(body.count) + [0, 0x09] + body
    return Array("ID3".utf8) + [4, 0, 0] + ID3Tag.syncSafe(frame.count) + frame
  }
}

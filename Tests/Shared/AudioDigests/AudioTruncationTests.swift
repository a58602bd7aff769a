import AudioDigests
import System
import Testing

/// Files of chunks and atoms that end before the last of these.
struct AudioTruncationTests {
  private func isTruncated(_ bytes: [UInt8]) throws -> Bool {
    let file = try Descriptor.memoryFile("test")
    try file.write(bytes)
    return try AudioTruncation.isTruncated(file, size: bytes.count)
  }

  private static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] { big(number, count).reversed() }

  private static func wave(_ length: Int) -> [UInt8] {
    Array("RIFF".utf8) + little(length + 36, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
      + [UInt8](repeating: 0, count: 16) + Array("data".utf8) + little(length, 4)
  }

  private static func movie(_ last: String, _ length: Int) -> [UInt8] {
    big(16, 4) + Array("ftypM4A ".utf8) + big(0, 4) + big(length + 8, 4) + Array(last.utf8)
  }

  @Test func aFragmentOfMP4IsFoundBehindItsSound() throws {
    func isFragmented(_ atoms: String...) throws -> Bool {
      let bytes = atoms.flatMap { Self.big(12, 4) + Array($0.utf8) + Self.big(0, 4) }
      let file = try Descriptor.memoryFile("test")
      try file.write(bytes)
      return try AudioTruncation.findings(file, size: bytes.count).isFragmented
    }
    #expect(try isFragmented("ftyp", "moov", "mdat", "moof", "mdat"))
    #expect(try !isFragmented("ftyp", "moov", "free", "mdat"))
  }

  /// A block of WavPack with samples from an index on, and 1000 bytes of sound.
  private static func block(_ index: Int, _ count: Int, of samples: Int) -> [UInt8] {
    Array("wvpk".utf8) + little(1024, 4) + [0x10, 4, 0, 0] + little(samples, 4) + little(index, 4) + little(count, 4)
      + [UInt8](repeating: 0, count: 8)
  }

  /// The packets of Musepack up to the sound: the stream's header, and the offset of the seek table.
  private static let musepack =
    Array("MPCKSH".utf8) + [5, 1, 2] + Array("SO".utf8) + [5, UInt8(0x80 | 1005 >> 7), UInt8(1005 & 127)]

  private static func matroska(_ length: [UInt8]) -> [UInt8] {
    [0x1A, 0x45, 0xDF, 0xA3, 0x84, 1, 2, 3, 4, 0x18, 0x53, 0x80, 0x67] + length
  }

  private let sound = [UInt8](repeating: 7, count: 1000)

  @Test(arguments: [
    wave(1000), movie("mdat", 1000), movie("moov", 1000),
    Array("FORM".utf8) + big(1020, 4) + Array("AIFFSSND".utf8) + big(1000, 4),
    Array("caff".utf8) + big(0, 4) + Array("data".utf8) + big(1000, 8),
    Array("FRM8".utf8) + big(1020, 8) + Array("DSD ".utf8) + Array("DSD ".utf8) + big(1000, 8),
    Array("DSD ".utf8) + little(28, 8) + little(1020, 8),
    Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [4, 255, 255, 255, 235],
    block(0, 500, of: 500), block(0, 500, of: 0xFFFF_FFFF), matroska([0x43, 0xE8]),
    matroska([0x01, 0, 0, 0, 0, 0, 0x03, 0xE8]),
    Array("TTA1".utf8) + little(1, 2) + little(2, 2) + little(16, 2) + little(44_100, 4) + little(46_081, 4)
      + little(0, 4) + little(600, 4) + little(400, 4) + little(0, 4),
    Array("MAC ".utf8) + little(3990, 4) + little(52, 4) + little(24, 4) + little(0, 4) + little(4, 4) + little(950, 4)
      + little(0, 4) + little(22, 4) + [UInt8](repeating: 0, count: 16),
    Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 2, 0, 0] + block(0, 500, of: 500),
  ]) func aMissingEndIsNoticed(_ head: [UInt8]) throws {
    #expect(try !isTruncated(head + sound))
    #expect(try !isTruncated(head + sound + [1, 2, 3]))
    #expect(try isTruncated(head + sound.dropLast(20)))
    #expect(try isTruncated(head))
  }

  @Test func theLastBlockOfWavPackHasTheLastSamples() throws {
    let file = Self.block(0, 500, of: 1000) + sound + Self.block(500, 500, of: 1000) + sound
    #expect(try !isTruncated(file))
    #expect(try isTruncated(Array(file.prefix(1032))))
    // Tags stand behind it, and blocks without samples.
    let tag = Array("APETAGEX".utf8) + Self.little(2000, 4) + Self.little(32, 4) + [UInt8](repeating: 0, count: 16)
    #expect(try !isTruncated(file + Self.block(1000, 0, of: 1000) + sound + tag))
    #expect(try isTruncated(Array(file.prefix(1900)) + tag))
  }

  @Test func theSeekTableOfMusepackFollowsTheSound() throws {
    let file = Self.musepack + sound + Array("ST".utf8) + [10, 0, 0, 0, 0, 0, 0, 0] + Array("SE".utf8) + [3]
    #expect(try !isTruncated(file))
    for count in [file.count - 4, file.count - 8, file.count - 12, 500] {
      #expect(try isTruncated(Array(file.prefix(count))), "\(count)")
    }
    #expect(try !isTruncated(Self.musepack + sound + Array("xx".utf8)))
  }

  @Test(arguments: [
    wave(0xFFFF_FFFF), wave(0x7FFF_FFFF), movie("TAGx", 1 << 20), movie("skip", 1 << 20),
    Array("caff".utf8) + big(0, 4) + Array("data".utf8) + [UInt8](repeating: 255, count: 8), [], Array("RIFF".utf8),
    matroska([0x01, 255, 255, 255, 255, 255, 255, 255]), matroska([0xFF]), Array("wvpk".utf8), Array("TTA1".utf8),
    Array("MAC ".utf8) + little(3970, 4) + little(1 << 30, 4), Array("MPCK".utf8), Array("MPCKSO".utf8) + [255],
    Array("DSD ".utf8), big(1, 4) + Array("ftyp".utf8), Array("caff".utf8) + big(1 << 40, 16),
  ]) func streamsAndWhatIsNoMusicAreNot(_ head: [UInt8]) throws { #expect(try !isTruncated(head + sound)) }
}

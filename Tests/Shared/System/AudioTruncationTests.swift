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

  private let sound = [UInt8](repeating: 7, count: 1000)

  @Test(arguments: [
    wave(1000), movie("mdat", 1000), movie("moov", 1000),
    Array("FORM".utf8) + big(1020, 4) + Array("AIFFSSND".utf8) + big(1000, 4),
    Array("caff".utf8) + big(0, 4) + Array("data".utf8) + big(1000, 8),
    Array("FRM8".utf8) + big(1020, 8) + Array("DSD ".utf8) + Array("DSD ".utf8) + big(1000, 8),
    Array("DSD ".utf8) + little(28, 8) + little(1020, 8),
    Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [4, 255, 255, 255, 235],
  ]) func aMissingEndIsNoticed(_ head: [UInt8]) throws {
    #expect(try !isTruncated(head + sound))
    #expect(try !isTruncated(head + sound + [1, 2, 3]))
    #expect(try isTruncated(head + sound.dropLast(20)))
    #expect(try isTruncated(head))
  }

  @Test(arguments: [
    wave(0xFFFF_FFFF), wave(0x7FFF_FFFF), movie("TAGx", 1 << 20), movie("skip", 1 << 20),
    Array("caff".utf8) + big(0, 4) + Array("data".utf8) + [UInt8](repeating: 255, count: 8), [], Array("RIFF".utf8),
    Array("DSD ".utf8), big(1, 4) + Array("ftyp".utf8), Array("caff".utf8) + big(1 << 40, 16),
  ]) func streamsAndWhatIsNoMusicAreNot(_ head: [UInt8]) throws { #expect(try !isTruncated(head + sound)) }
}

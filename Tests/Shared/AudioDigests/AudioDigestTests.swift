import AudioDigests
import System
import Testing

/// Files of invented sound, with other tags around it.
@Suite struct AudioDigestTests {
  private static let sound: [UInt8] = (0..<100_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }

  private func digest(_ bytes: [UInt8]) throws -> UInt64 {
    let file = try Descriptor.memoryFile("sound")
    try file.write(bytes)
    return try AudioDigest.of(file, size: bytes.count)
  }

  private static func id3(_ length: Int) -> [UInt8] {
    let size = [21, 14, 7, 0].map { UInt8(length >> $0 & 0x7F) }
    return Array("ID3".utf8) + [4, 0, 0] + size + [UInt8](repeating: 0x41, count: length)
  }

  private static let id3v1: [UInt8] = Array("TAG".utf8) + [UInt8](repeating: 0x42, count: 125)

  private static func ape(_ length: Int) -> [UInt8] {
    func mark(_ flags: UInt8) -> [UInt8] {
      Array("APETAGEX".utf8) + little(2000, 4) + little(length + 32, 4) + little(1, 4) + [0, 0, 0, flags]
        + [UInt8](repeating: 0, count: 8)
    }
    return mark(0xA0) + [UInt8](repeating: 0x43, count: length) + mark(0x80)
  }

  private static func lyrics(_ length: Int) -> [UInt8] {
    let digits = Array(String(1_000_000 + length).utf8.dropFirst())
    return [UInt8](repeating: 0x44, count: length) + digits + Array("LYRICS200".utf8)
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func big(_ number: Int, _ count: Int) -> [UInt8] { little(number, count).reversed() }

  /// A file of a format with this sound, and tags of some length.
  typealias Maker = @Sendable (_ sound: [UInt8], _ tags: Int) -> [UInt8]

  private static let chunked: Maker = { sound, tags in
    let list = Array("LIST".utf8) + little(tags, 4) + [UInt8](repeating: 0x45, count: tags + tags % 2)
    let data = Array("data".utf8) + little(sound.count, 4) + sound
    let after = Array("id3 ".utf8) + little(tags, 4) + [UInt8](repeating: 0x46, count: tags)
    return Array("RIFF".utf8) + little(0, 4) + Array("WAVE".utf8) + list + data + after
  }

  private static let exchange: Maker = { sound, tags in
    let name = Array("NAME".utf8) + big(tags, 4) + [UInt8](repeating: 0x45, count: tags + tags % 2)
    return Array("FORM".utf8) + big(0, 4) + Array("AIFF".utf8) + name + Array("SSND".utf8) + big(sound.count, 4) + sound
  }

  private static let movie: Maker = { sound, tags in
    let type = big(16, 4) + Array("ftypM4A ".utf8) + big(0, 4)
    let moov = big(8 + tags, 4) + Array("moov".utf8) + [UInt8](repeating: 0x47, count: tags)
    return type + moov + big(8 + sound.count, 4) + Array("mdat".utf8) + sound
  }

  private static let pages: Maker = { sound, tags in
    func page(_ content: [UInt8], _ number: Int, _ position: Int) -> [UInt8] {
      let lacing = [UInt8](repeating: 255, count: content.count / 255) + [UInt8(content.count % 255)]
      return Array("OggS".utf8) + [0, 0] + little(position, 8) + little(77, 4) + little(number, 4) + little(tags, 4)
        + [UInt8(lacing.count)] + lacing + content
    }
    let comments = (0...tags / 5000).flatMap { page([UInt8](repeating: 0x48, count: 5000), $0, 0) }
    let next = tags / 5000 + 1
    let first = page(Array(sound.prefix(20_000)), next, 500)
    return comments + first + page(Array(sound.suffix(700)), next + 1, sound.count)
  }

  private static let free: Maker = { sound, tags in
    let frames = Array("fLaC".utf8) + [0] + big(34, 3) + [UInt8](repeating: 1, count: 34)
    return frames + [0x84] + big(tags, 3) + [UInt8](repeating: 0x49, count: tags) + sound
  }

  private static let direct: Maker = { sound, tags in
    let end = 28 + sound.count
    return Array("DSD ".utf8) + little(28, 8) + little(end + tags, 8) + little(tags == 0 ? 0 : end, 8) + sound
      + [UInt8](repeating: 0x4A, count: tags)
  }

  private static let makers: [(String, Maker)] = [
    ("MP3 with ID3v2", { id3($1) + $0 }), ("MP3 with ID3v1", { $0 + ($1 > 500 ? id3v1 : []) }),
    ("WavPack with APE", { $0 + ($1 == 0 ? [] : ape($1)) }),
    ("MP3 with all", { id3($1) + id3($1) + $0 + ape($1) + lyrics($1) + id3v1 }), ("RIFF", chunked), ("AIFF", exchange),
    ("MP4", movie), ("Ogg", pages), ("FLAC", free), ("DSF", direct),
  ]

  @Test(arguments: makers.indices) func tagsDoNotChangeTheDigest(_ index: Int) throws {
    let (name, make) = Self.makers[index]
    let first = try digest(make(Self.sound, 0))
    #expect(first != 0, "\(name)")
    for tags in [1, 100, 12_345] { #expect(try digest(make(Self.sound, tags)) == first, "\(name), \(tags)") }
  }

  @Test(arguments: makers.indices) func anotherSoundHasAnotherDigest(_ index: Int) throws {
    let (name, make) = Self.makers[index]
    let first = try digest(make(Self.sound, 100))
    var ending = Self.sound
    ending[ending.count - 5] ^= 1
    #expect(try digest(make(ending, 100)) != first, "\(name)")
    #expect(try digest(make(Self.sound + [0, 0], 100)) != first, "\(name)")
  }

  /// Two tracks may begin and end with the same silence.
  @Test func aPartFurtherOnCounts() throws {
    let silence = [UInt8](repeating: 0, count: 100_000)
    var (sound, other) = (silence, silence)
    (sound[70_000], other[70_000]) = (1, 2)
    #expect(try digest(Self.id3(9) + silence) == 0)
    #expect(try digest(Self.id3(9) + other) != digest(Self.id3(9) + sound))
  }

  @Test(arguments: [
    [], Self.id3(5), Self.id3v1, Array("RIFF".utf8), Array("OggS".utf8),
    Self.big(1, 4) + Array("ftyp".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F], [0x1A, 0x45, 0xDF, 0xA3] + Self.sound,
    [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11] + [UInt8](repeating: 0xFF, count: 40),
  ]) func filesWithoutKnownSoundHaveNone(_ bytes: [UInt8]) throws { #expect(try digest(bytes) == 0) }
}

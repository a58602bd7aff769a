import CVips
import Glibc
import Messages
import Model
import System
import TestSupport
import Testing

@testable import lunara_artwork

/// The thumbnail worker's code, run within the test's own process.
struct ThumbnailsTests {
  /// Sets up libvips once a process, since the formats that it may load are set step by step.
  private static let isStarted = lunara_vips_start("tests") == 0

  init() throws { try #require(Self.isStarted) }

  /// Makes thumbnails of a picture; returns the outcome, and the thumbnails in the order of `wants`.
  private func make(
    _ bytes: [UInt8], _ wants: [Artwork.Want]
  ) throws -> (outcome: Artwork.Outcome, thumbnails: [[UInt8]]) {
    let picture = try Descriptor.memoryFile("picture")
    try picture.write(bytes)
    try picture.rewind()
    let files = try wants.map { _ in try Descriptor.memoryFile("thumbnail") }
    let outcome = try Thumbnails.make(Artwork.Job(id: 1, wants: wants), [picture] + files)
    return (
      outcome,
      try files.map { file in
        try file.rewind()
        return try file.readToEnd(limit: 1 << 20)
      }
    )
  }

  /// Returns the width and height of a thumbnail.
  private func size(_ bytes: [UInt8]) throws -> [Int32] {
    var (width, height): (Int32, Int32) = (0, 0)
    let format = try #require(PictureFormat(bytes)).forVips
    try #require(lunara_vips_head(bytes, bytes.count, format, &width, &height) == 0)
    return [width, height]
  }

  private let small = Artwork.Want(size: 300, format: .webp)
  private let large = Artwork.Want(size: 1024, format: .jpeg)

  @Test func bothSizesAndTheColoursComeOfOnePicture() throws {
    let red = TestPicture.png(width: 1100, height: 110) { column, _ in column < 800 ? (200, 30, 30) : (20, 20, 120) }
    let (outcome, made) = try make(red, [small, large])
    #expect(try made.map(size) == [[300, 30], [1024, 102]])
    #expect(made[0].starts(with: Array("RIFF".utf8)) && made[1].starts(with: [0xFF, 0xD8]))
    #expect(outcome.palette?.first.hasPrefix("#c") == true)
  }

  @Test func aSmallPictureIsNeverEnlarged() throws {
    let (_, made) = try make(TestPicture.png(width: 120, height: 90), [small, large])
    #expect(try made.map(size) == [[120, 90], [120, 90]])
  }

  @Test func withoutAThumbnailToMakeOnlyTheColoursAreComputed() throws {
    let (outcome, made) = try make(TestPicture.png(width: 310, height: 40), [])
    #expect(outcome.palette != nil && made.isEmpty)
  }

  @Test func decodingToASmallerSizeKeepsTheSizeThatIsWanted() throws {
    let source = try Picture(TestPicture.png(width: 2400, height: 1200), size: 2400)
    for format in Artwork.Format.allCases {
      let (_, made) = try make(source.encoded(as: format), [Artwork.Want(size: 300, format: .jpeg)])
      #expect(try made.map(size) == [[300, 150]], "\(format)")
    }
  }

  @Test func orientationIsHonouredAndNothingElseIsKept() throws {
    // The left half is red, the right half blue; turned by 90° to the right, red is on top.
    let flat = try Picture(
      TestPicture.png(width: 64, height: 32) { column, _ in column < 32 ? (220, 10, 10) : (10, 10, 220) }, size: 64)
    let plain = try flat.encoded(as: .jpeg)
    let exif: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    let turned = plain.prefix(2) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + plain.dropFirst(2)
    let (_, made) = try make(Array(turned), [Artwork.Want(size: 300, format: .jpeg)])
    #expect(try size(made[0]) == [32, 64])
    let pixels = try Picture(made[0], size: 300).pixels
    #expect(pixels[32 * 4 + 16].red > 180 && pixels[32 * 60 + 16].blue > 180)
    #expect(!String(decoding: made[0], as: UTF8.self).contains("Exif"))
  }

  @Test(arguments: [
    ("a bomb", TestPicture.bomb(width: 60_000, height: 60_000)), ("no picture", Array("hello".utf8)), ("nothing", []),
    ("a drawing", Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8)),
    ("a document", Array("%PDF-1.7\n".utf8)), ("a TIFF", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  ])
  func aPictureThatCannotBeShownIsRefused(_ what: String, _ bytes: [UInt8]) throws {
    let error = #expect(throws: LunaraError.self) { try make(bytes, [small]) }
    #expect(error?.code == "library.badPicture", "\(what)")
    #expect(error?.cause?.isEmpty == false, "\(what)")
  }

  @Test func aTruncatedPictureIsShownAsFarAsItIsReadable() throws {
    let whole = TestPicture.png(width: 100, height: 100)
    let outcome = try make(Array(whole.prefix(22_000)), [small]).outcome
    #expect(outcome.palette?.first == "#ce0010")
    #expect(outcome.failure?.code == "library.badPicture" && outcome.failure?.cause?.contains("end is missing") == true)
    #expect(try make(whole, [small]).outcome.failure == nil)
    let picture = try Picture(TestPicture.png(width: 600, height: 600), size: 600).encoded(as: .jpeg)
    #expect(try make(picture, [small]).outcome.failure == nil)
    let part = try make(Array(picture.prefix(picture.count / 2)), [small])
    #expect(part.outcome.failure != nil && part.outcome.palette != nil && !part.thumbnails[0].isEmpty)
  }

  @Test func aThumbnailThatCannotBeWrittenIsReported() throws {
    let picture = try Descriptor.memoryFile("picture")
    try picture.write(TestPicture.png(width: 30, height: 30))
    try picture.rewind()
    let full = try Descriptor(opening: "/dev/full", O_WRONLY)
    let error = #expect(throws: LunaraError.self) {
      try Thumbnails.make(Artwork.Job(id: 1, wants: [small]), [picture, full])
    }
    #expect(error?.code == "library.artUnwritable")
  }
}

import CVips
import Glibc
import Messages
import Model
import TestSupport
import Testing

@testable import lunara_artwork

/// The thumbnail worker's code, run within the test's own process.
struct ThumbnailsTests {
  private let folder = TemporaryDirectory()

  /// Sets up libvips once a process, since the formats that it may load are set step by step.
  private static let isStarted = lunara_vips_start("tests") == 0

  init() throws { try #require(Self.isStarted) }

  private func job(_ bytes: [UInt8], _ wants: [Artwork.Want], id: Int = 1) throws -> Artwork.Job {
    let path = "\(folder.path)/picture-\(id)"
    let file = try #require(fopen(path, "w"))
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fclose(file)
    return Artwork.Job(id: id, path: LocalPath(path), folder: LocalPath(folder.path), wants: wants)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    let file = try #require(fopen("\(folder.path)/\(name)", "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  /// Returns the width and height of a thumbnail.
  private func size(_ name: String) throws -> [Int32] {
    let bytes = try bytes(name)
    var (width, height, isProfiled): (Int32, Int32, Int32) = (0, 0, 0)
    try #require(lunara_vips_head(bytes, bytes.count, &width, &height, &isProfiled) == 0 && isProfiled == 0)
    return [width, height]
  }

  private let small = Artwork.Want(size: 300, format: .webp)
  private let large = Artwork.Want(size: 1024, format: .jpeg)

  @Test func bothSizesAndTheColoursComeOfOnePicture() throws {
    let red = TestPicture.png(width: 1100, height: 110) { column, _ in column < 800 ? (200, 30, 30) : (20, 20, 120) }
    let outcome = try Thumbnails.make(job(red, [small, large]))
    let digest = try #require(outcome.digest)
    #expect(digest.count == 64)
    #expect(try size(large.fileName(of: digest)) == [1024, 102])
    #expect(try size(small.fileName(of: digest)) == [300, 30])
    #expect(try bytes(small.fileName(of: digest)).starts(with: Array("RIFF".utf8)))
    #expect(try bytes(large.fileName(of: digest)).starts(with: [0xFF, 0xD8]))
    #expect(outcome.palette?.first.hasPrefix("#c") == true)
    let written = try bytes(large.fileName(of: digest)).count + bytes(small.fileName(of: digest)).count
    #expect(outcome.written == written)
  }

  @Test func aSmallPictureIsNeverEnlarged() throws {
    let outcome = try Thumbnails.make(job(TestPicture.png(width: 120, height: 90), [small, large]))
    let digest = try #require(outcome.digest)
    #expect(try size(large.fileName(of: digest)) == [120, 90])
    #expect(try size(small.fileName(of: digest)) == [120, 90])
  }

  @Test func theSameBytesAreMadeOnce() throws {
    let picture = TestPicture.png(width: 310, height: 40)
    let first = try Thumbnails.make(job(picture, [small], id: 1))
    let second = try Thumbnails.make(job(picture, [small], id: 2))
    #expect(first.digest == second.digest && first.palette == second.palette)
    #expect(first.written > 0 && second.written == 0)
  }

  @Test func orientationIsHonouredAndNothingElseIsKept() throws {
    // The left half is red, the right half blue; turned by 90° to the right, red is on top.
    let flat = try Picture(
      TestPicture.png(width: 64, height: 32) { column, _ in column < 32 ? (220, 10, 10) : (10, 10, 220) }, size: 64)
    try flat.save(.jpeg, at: "\(folder.path)/flat.jpg")
    let exif: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    let plain = try bytes("flat.jpg")
    let turned = plain.prefix(2) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + plain.dropFirst(2)
    let outcome = try Thumbnails.make(job(Array(turned), [Artwork.Want(size: 300, format: .jpeg)]))
    let name = Artwork.Want(size: 300, format: .jpeg).fileName(of: try #require(outcome.digest))
    #expect(try size(name) == [32, 64])
    let pixels = try Picture(bytes(name), size: 300).pixels
    #expect(pixels[32 * 4 + 16].red > 180 && pixels[32 * 60 + 16].blue > 180)
    #expect(!String(decoding: try bytes(name), as: UTF8.self).contains("Exif"))
  }

  @Test(arguments: [
    ("a bomb", TestPicture.bomb(width: 60_000, height: 60_000)), ("no picture", Array("hello".utf8)), ("nothing", []),
    ("a drawing", Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8)),
  ])
  func aPictureThatCannotBeShownIsRefused(_ what: String, _ bytes: [UInt8]) throws {
    let error = #expect(throws: LunaraError.self) { try Thumbnails.make(job(bytes, [small])) }
    #expect(error?.code == "library.badPicture", "\(what)")
    #expect(error?.cause?.isEmpty == false, "\(what)")
  }

  @Test func aTruncatedPictureIsShownAsFarAsItIsReadable() throws {
    let whole = TestPicture.png(width: 100, height: 100)
    let outcome = try Thumbnails.make(job(Array(whole.prefix(22_000)), [small]))
    #expect(outcome.palette?.first == "#c81e1e")
  }

  @Test func aMissingFileIsReported() throws {
    let job = Artwork.Job(id: 1, path: LocalPath("/nowhere"), folder: LocalPath(folder.path), wants: [small])
    #expect(throws: LunaraError.self) { try Thumbnails.make(job) }
  }

  @Test func anUnwritableFolderIsReported() throws {
    var job = try job(TestPicture.png(width: 30, height: 30), [small])
    job.folder = LocalPath("/nowhere")
    #expect(throws: LunaraError.self) { try Thumbnails.make(job) }
  }
}

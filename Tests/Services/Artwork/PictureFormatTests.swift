import Testing

@testable import lunara_artwork

/// Which files reach a decoder.
struct PictureFormatTests {
  private func box(_ name: String, _ body: [UInt8] = []) -> [UInt8] {
    [0, 0, 0, UInt8(body.count + 8)] + Array(name.utf8) + body
  }

  private func file(_ brand: String, _ item: String) -> [UInt8] {
    box("ftyp", Array("\(brand)\0\0\0\0mif1".utf8)) + box("meta", Array("\0\0\0\0\(item)".utf8))
      + box("mdat", Array("hvc1".utf8))
  }

  @Test func fiveFormatsAreRecognisedByTheirFirstBytes() {
    #expect(PictureFormat([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(PictureFormat([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == .png)
    #expect(PictureFormat(Array("GIF89a".utf8)) == .gif)
    #expect(PictureFormat(Array("RIFF\0\0\0\0WEBPVP8 ".utf8)) == .webp)
    // The bytes of a picture (mdat) may be any.
    #expect(PictureFormat(file("avif", "av01")) == .avif)
  }

  @Test(arguments: ["%PDF-1.7", "<svg/>", "II*\0", "BM", "RIFF\0\0\0\0WAVE", "GIF", "\0\0\0\u{C}jP  ", ""])
  func otherFilesReachNoDecoder(_ text: String) { #expect(PictureFormat(Array(text.utf8)) == nil) }

  @Test func picturesOfHEVCReachNoDecoderWhateverTheyCallThemselves() {
    for brand in ["heic", "heix", "mif1", "avif"] { #expect(PictureFormat(file(brand, "hvc1")) == nil, "\(brand)") }
    #expect(PictureFormat(file("avif", "hvcC")) == nil)
  }

  @Test func aBoxThatIsLongerThanItsFileIsRefused() {
    #expect(PictureFormat(file("avif", "av01") + [0, 0, 1, 0] + Array("free".utf8)) == nil)
  }

  @Test(arguments: [(4800, 8), (3000, 4), (2400, 4), (1200, 2), (600, 1)])
  func onlyLargePicturesAreDecodedToASmallerSize(_ longest: Int, _ expected: Int) {
    #expect(PictureFormat.jpeg.shrink(from: longest, to: 300) == expected)
    #expect(PictureFormat.png.shrink(from: longest, to: 300) == 1)
  }
}

import Model
import Testing

@Suite struct ImageTypeTests {
  @Test func thePicturesThatBrowsersShowAreKnownByTheirFirstBytes() {
    #expect(ImageType(firstBytes: [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]) == .jpeg)
    #expect(ImageType(firstBytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]) == .png)
    #expect(ImageType(firstBytes: Array("GIF89a....".utf8)) == .gif)
    #expect(ImageType(firstBytes: Array("RIFF1234WEBPVP8 ".utf8)) == .webp)
    #expect(ImageType(firstBytes: [0, 0, 0, 28] + Array("ftypavif".utf8)) == .avif)
  }

  @Test(arguments: ["", "<svg xmlns='http://www.w3.org/2000/svg'>", "<html>", "RIFF1234WAVE", "ID3", "BM123456789012"])
  func whatHasNoThumbnailsOrCouldCarryScriptIsNot(text: String) {
    #expect(ImageType(firstBytes: Array(text.utf8)) == nil)
  }
}

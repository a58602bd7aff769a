import Testing

@testable import lunara

/// The drawn covers.
struct DemoCoverTests {
  @Test(arguments: Cover.allCases) func theSameSeedGivesTheSamePicture(cover: Cover) {
    #expect(cover.draw(side: 24, seed: 3) == cover.draw(side: 24, seed: 3))
  }

  @Test(arguments: Cover.allCases) func aPictureHasLightAndShade(cover: Cover) {
    let values = cover.draw(side: 48, seed: 3).pixels.map { ($0.red + $0.green + $0.blue) / 3 }
    #expect(values.allSatisfy { $0.isFinite })
    #expect((values.max() ?? 0) - (values.min() ?? 0) > 0.3)
  }

  @Test func coversAreDistinct() {
    let pictures = Cover.allCases.map { $0.draw(side: 16, seed: 3) }
    for (index, picture) in pictures.enumerated() { #expect(!pictures[..<index].contains(picture)) }
  }

  @Test func aPixmapIsAHeaderAndThreeBytesAPixel() {
    let canvas = Canvas(side: 2, Colour(1, 0.5, 0))
    #expect(canvas.pixmap == Array("P6\n2 2\n255\n".utf8) + [255, 128, 0, 255, 128, 0, 255, 128, 0, 255, 128, 0])
  }
}

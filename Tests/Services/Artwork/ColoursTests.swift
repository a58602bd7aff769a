import Foundation
import Model
import Testing

@testable import lunara_artwork

struct ColoursTests {
  /// 64 rows of 64 pixels, whose colours are those of their columns.
  private func picture(_ colour: (Int) -> RGB) -> [RGB] {
    let row = (0..<Colours.side).map(colour)
    return (0..<Colours.side).flatMap { _ in row }
  }

  private let red = RGB(red: 220, green: 30, blue: 20)
  private let grey = RGB(red: 120, green: 120, blue: 120)

  /// The covers that the test of `vivid.js` reads, too: the two colours and upright bands, each `#colour:width`.
  private func covers() throws -> [(first: String, second: String, pixels: [RGB])] {
    let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let text = try String(contentsOfFile: "\(root)/Tests/Page/parts/covers.txt", encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      let row = try words.dropFirst(2).flatMap { band in
        let parts = band.split(separator: ":").map(String.init)
        return Array(repeating: try parsed(parts[0]), count: try #require(Int(parts[1])))
      }
      return (words[0], words[1], (0..<Colours.side).flatMap { _ in row })
    }
  }

  @Test func coversHaveTheTwoColoursThatThePageFindsToo() throws {
    let covers = try covers()
    #expect(covers.count > 20)
    for cover in covers {
      let palette = Colours.palette(of: cover.pixels)
      #expect(palette.first == cover.first && palette.second == cover.second)
    }
  }

  @Test func colourCountsMoreThanGrey() throws {
    // A tenth of the picture is red, the rest grey.
    let first = try parsed(Colours.palette(of: picture { $0 < 6 ? red : grey }).first)
    #expect(first.red > 3 * first.green && first.red > 3 * first.blue)
  }

  @Test func whatNoScreenShowsKeepsItsLightnessAndHue() {
    let wanted = OKLab(light: 0.6, chroma: 0.4, hue: 1.2)
    let shown = OKLab(wanted.rgb)
    #expect(abs(shown.light - 0.6) < 0.02 && abs(shown.hue - 1.2) < 0.05)
  }

  @Test func theBackgroundIsADarkColourOfThePicture() throws {
    let night = RGB(red: 20, green: 20, blue: 50)
    #expect(Colours.palette(of: picture { $0 < 20 ? night : red }).dark == night.text)
    // A picture without a dark colour gets its commonest colour, darkened.
    let blue = RGB(red: 20, green: 40, blue: 200)
    let dark = try parsed(Colours.palette(of: picture { $0 < 20 ? blue : red }).dark)
    #expect(dark.brightness <= 0.26 && dark.red > 4 * dark.blue)
  }

  @Test func noPictureHasTheColoursOfAGreyOne() {
    #expect(Colours.palette(of: []).first == Colours.palette(of: picture { _ in grey }).first)
  }

  private func parsed(_ text: String) throws -> RGB {
    let number = try #require(Int(text.dropFirst(), radix: 16))
    return RGB(red: number >> 16, green: number >> 8 & 255, blue: number & 255)
  }
}

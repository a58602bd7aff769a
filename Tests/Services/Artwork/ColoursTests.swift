import Model
import Testing

@testable import lunara_artwork

struct ColoursTests {
  /// 40 rows of 40 pixels, each cell of 4 by 4 of one colour.
  private func picture(_ colour: (Int, Int) -> RGB) -> [RGB] {
    (0..<1600).map { colour($0 % 40 / 4, $0 / 40 / 4) }
  }

  private let red = RGB(red: 220, green: 30, blue: 20)
  private let blue = RGB(red: 20, green: 40, blue: 200)
  private let grey = RGB(red: 120, green: 120, blue: 120)

  @Test func colourCountsMoreThanGrey() {
    // A tenth of the picture is red, the rest grey.
    let palette = Colours.palette(of: picture { column, _ in column == 0 ? red : grey })
    #expect(palette.first == red.text)
  }

  @Test func theSecondColourIsTheNextOneThatIsWellApart() {
    let nearRed = RGB(red: 190, green: 30, blue: 20)
    let palette = Colours.palette(of: picture { column, _ in column < 5 ? red : column < 8 ? nearRed : blue })
    #expect(red.distance(to: nearRed) < 60)
    #expect(palette.first == red.text && palette.second == blue.text)
  }

  @Test(arguments: [
    RGB(red: 220, green: 30, blue: 20), RGB(red: 0, green: 0, blue: 0), RGB(red: 255, green: 255, blue: 255),
    RGB(red: 128, green: 128, blue: 128), RGB(red: 40, green: 10, blue: 60), RGB(red: 128, green: 127, blue: 128),
  ])
  func whereThereIsNoSecondColourOneIsDerivedThatIsWellApart(_ only: RGB) throws {
    let palette = Colours.palette(of: picture { _, _ in only })
    #expect(palette.first == only.text)
    #expect(try parsed(palette.second).distance(to: only) >= 60)
  }

  @Test func aGreyPictureRanksColoursByShare() {
    let white = RGB(red: 250, green: 250, blue: 250)
    let palette = Colours.palette(of: picture { column, _ in column < 7 ? white : grey })
    #expect(palette.first == white.text && palette.second == grey.text)
  }

  @Test func paleAndBlackishColoursAreIgnoredWhereThereAreOthers() {
    // `pale` has a saturation of 14 % and `black` a brightness of 11 %, each just below the least that counts.
    let pale = RGB(red: 200, green: 172, blue: 172)
    let black = RGB(red: 28, green: 0, blue: 0)
    let palette = Colours.palette(
      of: picture { column, row in
        column < 5 ? pale : column == 9 && row == 9 ? blue : black
      })
    #expect(palette.first == blue.text)
  }

  @Test func theBackgroundIsADarkColourOfThePicture() throws {
    let night = RGB(red: 20, green: 20, blue: 50)
    #expect(Colours.palette(of: picture { column, _ in column < 3 ? night : red }).dark == night.text)
    // A picture without a dark colour gets its commonest colour, darkened.
    let dark = try parsed(Colours.palette(of: picture { column, _ in column < 3 ? blue : red }).dark)
    #expect(dark.brightness <= 0.26 && dark.red > 4 * dark.blue)
  }

  @Test func noPictureHasNoColours() { #expect(Colours.palette(of: []).first == "#000000") }

  private func parsed(_ text: String) throws -> RGB {
    let number = try #require(Int(text.dropFirst(), radix: 16))
    return RGB(red: number >> 16, green: number >> 8 & 255, blue: number & 255)
  }
}

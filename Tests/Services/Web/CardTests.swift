import Client
import Messages
import Model
import Testing

@testable import Bus
@testable import lunara_web

@Suite struct CardTests {
  private func card(_ state: Playback.RoomState, palette: Palette? = nil, away: Bool = false) -> Card {
    let node = NodeID.playback(state.room)
    let one = Observed(node: node, value: state, age: .zero, saidAt: state.position.takenAt, away: away)
    return Card(RoomStatus(one, at: one.readAt), queue: queueState(), palette: palette)
  }

  private func drawn(_ card: Card, _ size: CardSize = .wide, cover: (ImageType, [UInt8])? = nil) -> String {
    CardPicture(card: card, size: size, cover: cover).text
  }

  @Test func aTitleOfManyMarksIsNotDrawnWhole() throws {
    var item = item(1)
    item.track.title = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(drawn(card(roomState(item: item))).utf8.count < 20_000)
  }

  @Test func aCardSaysWhatPlaysAndWhatComesNext() {
    let text = String(decoding: card(roomState()).json.bytes(.leftOut), as: UTF8.self)
    #expect(text.contains(#""next":[{"title":"Track 2","artist":"Ada"},{"title":"Track 3","artist":"Ada"}]"#))
    #expect(
      text.contains(#""cover":"\/api\/v1\/art\/files%3Ap1""#) || text.contains(#""cover":"/api/v1/art/files%3Ap1""#))
    #expect(text.contains(#""positionSeconds":10,"rate":1"#))
    let idle = String(
      decoding: card(roomState(.idle, at: 0, rate: 0, item: nil)).json.bytes(.leftOut), as: UTF8.self)
    #expect(idle.contains(#""durationSeconds":null"#) && idle.contains(#""track":null"#))
  }

  @Test(arguments: CardSize.allCases)
  func aPictureHasEverythingInIt(_ size: CardSize) {
    let palette = Palette(first: "#aa5500", second: "#005500", dark: "#101820")
    let text = drawn(card(roomState(), palette: palette), size, cover: (.png, ServedHousehold.picture))
    let (width, height) = size.extent
    #expect(text.hasPrefix("<svg ") && text.contains("viewBox=\"0 0 \(width) \(height)\""))
    #expect(text.contains("xlink:href=\"data:image/png;base64,"))
    #expect(text.contains(">Track 1</text>") && text.contains("fill=\"#101820\"") && text.contains("#aa5500"))
    #expect(text.contains("<animate attributeName=\"width\""))
    #expect(!text.contains("<script") && !text.contains("href=\"http") && !text.contains("style="))
  }

  @Test func everyStateIsShown() {
    #expect(drawn(card(roomState(.paused, rate: 0))).contains(">Paused</text>"))
    #expect(!drawn(card(roomState(.paused, rate: 0))).contains("<animate"))
    #expect(drawn(card(roomState(.buffering, rate: 0))).contains(">Buffering…</text>"))
    #expect(drawn(card(roomState(.idle, at: 0, rate: 0, item: nil))).contains(">Nothing is playing</text>"))
    #expect(
      drawn(card(roomState(.error(LunaraError("playback.x", "It is gone.")), rate: 0))).contains(">It is gone.</text>"))
    #expect(drawn(card(roomState(), away: true)).contains(">Does not answer</text>"))
  }

  @Test func titlesAreEscaped() {
    var hostile = item(1)
    hostile.track.title = "</text><script>alert(1)</script>&\u{0}\u{FFFF}\"'"
    hostile.track.artist = String(repeating: "<", count: 500)
    let text = drawn(card(roomState(item: hostile), palette: Palette(first: "\"/><x", second: "", dark: "url(x)")))
    #expect(!text.contains("<script") && text.contains("&lt;/text&gt;&lt;script&gt;"))
    #expect(!text.contains("\u{0}") && !text.contains("\u{FFFF}") && !text.contains("url(x)"))
    #expect(text.matches(of: /&lt;/).count < 300)
  }

  @Test func aPageOfACardRunsNothingOfItsOwn() throws {
    let (page, policy) = CardPicture(card: card(roomState()), size: .square, cover: nil).page
    #expect(policy.contains("script-src 'self';") && !policy.contains("unsafe"))
    let nonce = try #require(policy.firstMatch(of: /style-src 'nonce-([0-9a-f]{64})'/)).output.1
    #expect(page.contains("<style nonce=\"\(nonce)\">"))
    #expect(page.matches(of: /<script/).count == 1 && page.contains("<script src=\"/card.js\" defer></script>"))
  }

  @Test func coloursAreReadAgainWhenTheCatalogueHasChanged() async {
    let cache = PaletteCache()
    let (brown, blue) = (
      Palette(first: "#aa5500", second: "#005500", dark: "#101820"),
      Palette(first: "#0055aa", second: "#005555", dark: "#081018")
    )
    #expect(await cache.palette(of: album(1).id, in: 4) { brown } == brown)
    #expect(await cache.palette(of: album(1).id, in: 4) { blue } == brown)
    #expect(await cache.palette(of: album(1).id, in: 5) { blue } == blue)
  }

  @Test func coloursOfTheFormerCatalogueThatComeLateAreNotKept() async {
    let cache = PaletteCache()
    let (brown, blue) = (
      Palette(first: "#aa5500", second: "#005500", dark: "#101820"),
      Palette(first: "#0055aa", second: "#005555", dark: "#081018")
    )
    _ = await cache.palette(of: album(1).id, in: 4) {
      // The catalogue changes while the library answers.
      _ = await cache.palette(of: album(2).id, in: 5) { nil }
      return brown
    }
    #expect(await cache.palette(of: album(1).id, in: 5) { blue } == blue)
  }

  @Test func onlyTwoSizesAreAccepted() throws {
    #expect(try CardSize(nil) == .wide)
    #expect(try CardSize("1080x1080") == .square)
    #expect(code { _ = try CardSize("1x1") } == "web.badParameter")
  }
}

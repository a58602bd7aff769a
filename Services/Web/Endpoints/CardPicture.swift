import Client
import Bus
import FoundationEssentials
import Model

/// A card as a picture: SVG 1.1, with SMIL for the moving progress bar. It loads nothing and has no script.
struct CardPicture {
  let card: Card
  let size: CardSize
  let cover: (type: ImageType, bytes: [UInt8])?

  var text: String {
    let (width, height) = size.extent
    let accent = Self.colour(card.palette?.first) ?? "#d9a441"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 \(width) \(height)" \
      width="\(width)" height="\(height)" role="img" aria-label="\(Self.escaped(Self.shortened(label, to: 200)))">
      <rect width="\(width)" height="\(height)" fill="\(Self.colour(card.palette?.dark) ?? "#1d1a17")"/>
      \(coverOrDisc(accent))
      \(line(size.title, card.status.track?.title ?? idle, "#ffffff", family: "Playfair Display, Georgia, Times New Roman, serif"))
      \(line(size.artist, card.status.track?.artist ?? "", "#e8e3dc"))
      \(line(size.remark, remark, "#cfc8be"))
      \(bar(accent))
      </svg>

      """
  }

  private var idle: String { card.status.isAway ? "\(card.status.name) does not answer" : "Nothing is playing" }

  /// The line below the artist: the album while the room plays, otherwise the state.
  private var remark: String {
    if card.status.isAway { return "Does not answer" }
    switch card.status.state {
    case "playing": return card.status.track?.album ?? ""
    case "buffering": return "Buffering…"
    case "paused": return "Paused"
    case "error": return card.status.error?.message ?? "The room cannot play"
    default: return card.status.name.rawValue
    }
  }

  private var label: String {
    guard let track = card.status.track else { return "\(card.status.name): \(idle)" }
    return "\(card.status.name), \(card.status.state): \(Byline.text(track.title, track.artist))"
  }

  private func coverOrDisc(_ accent: String) -> String {
    let (x, y, side) = size.cover
    guard let cover else {
      let middle = (x: x + side / 2, y: y + side / 2)
      return """
        <rect x="\(x)" y="\(y)" width="\(side)" height="\(side)" fill="#2b2723"/>\
        <circle cx="\(middle.x)" cy="\(middle.y)" r="\(side * 2 / 5)" fill="#161311"/>\
        <circle cx="\(middle.x)" cy="\(middle.y)" r="\(side / 8)" fill="\(accent)"/>
        """
    }
    let data = "data:\(cover.type.rawValue);base64,\(Data(cover.bytes).base64EncodedString())"
    return """
      <image x="\(x)" y="\(y)" width="\(side)" height="\(side)" preserveAspectRatio="xMidYMid slice" xlink:href="\(data)"/>
      """
  }

  private func line(
    _ place: (y: Int, size: Int), _ text: String, _ colour: String, family: String = "system-ui, sans-serif"
  ) -> String {
    let shown = Self.shortened(text, to: size.words.width * 100 / (place.size * 52))
    return """
      <text x="\(size.words.x)" y="\(place.y)" font-size="\(place.size)" font-family="\(family)" fill="\(colour)">\(Self.escaped(shown))</text>
      """
  }

  private func bar(_ accent: String) -> String {
    guard let duration = card.status.duration?.seconds, duration > 0 else { return "" }
    let (x, width) = size.words
    let (y, height) = size.bar
    let done = Double(width) * min(1, max(0, card.status.position.seconds / duration))
    let left = card.status.rate > 0 ? (duration - card.status.position.seconds) / card.status.rate : 0
    let moving =
      left > 0.5
      ? "<animate attributeName=\"width\" from=\"\(Self.number(done))\" to=\"\(width)\" dur=\"\(Self.number(left))s\" fill=\"freeze\"/>"
      : ""
    return """
      <rect x="\(x)" y="\(y)" width="\(width)" height="\(height)" rx="\(height / 2)" fill="#ffffff" fill-opacity="0.25"/>\
      <rect x="\(x)" y="\(y)" width="\(Self.number(done))" height="\(height)" rx="\(height / 2)" fill="\(accent)">\(moving)</rect>
      """
  }

  private static func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  /// Returns a text, cut to `count` characters with an ellipsis if it is longer.
  private static func shortened(_ text: String, to count: Int) -> String {
    // A character may hold any number of combining marks, so the scalars are limited first.
    let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(8 * (count + 1))))
    return bounded.count > count ? bounded.prefix(max(1, count - 1)) + "…" : bounded
  }

  /// Returns a colour of the form `#rrggbb`; nil for any other text.
  private static func colour(_ text: String?) -> String? {
    guard let text, text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else {
      return nil
    }
    return text
  }

  /// Returns text escaped for XML 1.0; characters that XML does not allow become spaces.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case _ where scalar.value < 32 || (0x7F...0x9F).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE:
        escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// The size of a card, and the places of its parts in pixels.
enum CardSize: String, CaseIterable {
  case wide = "600x200"
  case square = "1080x1080"

  var extent: (width: Int, height: Int) { self == .wide ? (600, 200) : (1080, 1080) }
  /// The cover's upper left corner and the length of its side.
  var cover: (x: Int, y: Int, side: Int) { self == .wide ? (0, 0, 200) : (160, 60, 760) }
  /// The left edge of the lines of text, and their largest width.
  var words: (x: Int, width: Int) { self == .wide ? (224, 352) : (160, 760) }
  /// The baseline and the font size of the title; those of the other lines are the next two properties.
  var title: (y: Int, size: Int) { self == .wide ? (66, 28) : (898, 56) }
  var artist: (y: Int, size: Int) { self == .wide ? (98, 19) : (952, 36) }
  var remark: (y: Int, size: Int) { self == .wide ? (126, 16) : (996, 28) }
  /// The top of the progress bar, and its height.
  var bar: (y: Int, height: Int) { self == .wide ? (160, 6) : (1026, 12) }

  /// Parses the parameter `size`; nil means the wide card. Throws `web.badParameter`.
  init(_ text: String?) throws(LunaraError) {
    guard let size = CardSize(rawValue: text ?? "600x200") else {
      throw LunaraError("web.badParameter", "size is \(text ?? ""). It must be 600x200 or 1080x1080.")
    }
    self = size
  }
}

/// A card as an HTML page: the picture, as large as the window, and a script of this server that reloads it after a
/// change. Without scripts the browser reloads it every 15 s.
extension CardPicture {
  /// The HTML, and the Content-Security-Policy that allows only this page's own parts and this server's scripts.
  var page: (text: String, policy: String) {
    let nonce = DrawnSecret().text
    let html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(Self.escaped(card.status.name.rawValue)) · Lunara</title>
      <style nonce="\(nonce)">html, body { margin: 0; height: 100%; background: #1d1a17 } svg { display: block; width: 100vw; height: 100vh } html[data-connection=lost] svg { opacity: .4 }</style>
      <noscript><meta http-equiv="refresh" content="15"></noscript>
      <script src="/card.js" defer></script>
      </head>
      <body>
      \(text)</body>
      </html>

      """
    return (
      html,
      "default-src 'none'; style-src 'nonce-\(nonce)'; img-src data:; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
  }
}

import FoundationEssentials
import Model

/// A card as a picture (SVG 1.1 with SMIL for the bar): everything is in it, nothing in it runs.
struct CardPicture {
  let card: Card
  let size: CardSize
  /// The cover; nil where there is none.
  let cover: (type: ImageType, bytes: [UInt8])?

  /// The text of the picture.
  var text: String {
    let (width, height) = size.extent
    let accent = Self.colour(card.palette?.first) ?? "#d9a441"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 \(width) \(height)" \
      width="\(width)" height="\(height)" role="img" aria-label="\(Self.escaped(Self.shortened(label, to: 200)))">
      <rect width="\(width)" height="\(height)" fill="\(Self.colour(card.palette?.dark) ?? "#1d1a17")"/>
      \(sleeve(accent))
      \(line(size.title, card.track?.title ?? idle, "#ffffff", family: "Playfair Display, Georgia, Times New Roman, serif"))
      \(line(size.artist, card.track?.artist ?? "", "#e8e3dc"))
      \(line(size.remark, remark, "#cfc8be"))
      \(bar(accent))
      </svg>

      """
  }

  private var idle: String { card.away ? "\(card.room) does not answer" : "Nothing plays" }

  /// What stands below the artist: the state where it is not simply playing, else the album.
  private var remark: String {
    if card.away { return "Not heard of" }
    switch card.state {
    case "playing": return card.track?.album ?? ""
    case "buffering": return "Buffering…"
    case "paused": return "Paused"
    case "error": return card.message ?? "Something is wrong"
    default: return card.room.rawValue
    }
  }

  private var label: String {
    guard let track = card.track else { return "\(card.room): \(idle)" }
    return "\(card.room), \(card.state): \(track.title) by \(track.artist)"
  }

  private func sleeve(_ accent: String) -> String {
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
  )
    -> String
  {
    let shown = Self.shortened(text, to: size.words.width * 100 / (place.size * 52))
    return """
      <text x="\(size.words.x)" y="\(place.y)" font-size="\(place.size)" font-family="\(family)" fill="\(colour)">\(Self.escaped(shown))</text>
      """
  }

  private func bar(_ accent: String) -> String {
    guard let duration = card.durationSeconds, duration > 0 else { return "" }
    let (x, width) = size.words
    let (y, height) = size.bar
    let done = Double(width) * min(1, max(0, card.positionSeconds / duration))
    let left = card.rate > 0 ? (duration - card.positionSeconds) / card.rate : 0
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

  /// As many characters as most likely fit.
  private static func shortened(_ text: String, to count: Int) -> String {
    // A character may be any number of marks on one letter.
    let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(8 * (count + 1))))
    return bounded.count > count ? bounded.prefix(max(1, count - 1)) + "…" : bounded
  }

  /// A colour that is one.
  private static func colour(_ text: String?) -> String? {
    guard let text, text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else {
      return nil
    }
    return text
  }

  /// As text of XML 1.0, without the characters that it cannot hold.
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

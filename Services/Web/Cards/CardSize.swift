import Model

/// How large a card is, and where things are on it.
enum CardSize: String, CaseIterable {
  case wide = "600x200"
  case square = "1080x1080"

  /// Width and height, in pixels.
  var extent: (width: Int, height: Int) { self == .wide ? (600, 200) : (1080, 1080) }
  /// The cover: its corner and its side.
  var cover: (x: Int, y: Int, side: Int) { self == .wide ? (0, 0, 200) : (160, 60, 760) }
  /// The words: where lines begin, and how wide they may get.
  var words: (x: Int, width: Int) { self == .wide ? (224, 352) : (160, 760) }
  /// Where the lines stand: their baseline and their height.
  var title: (y: Int, size: Int) { self == .wide ? (66, 28) : (898, 56) }
  var artist: (y: Int, size: Int) { self == .wide ? (98, 19) : (952, 36) }
  var remark: (y: Int, size: Int) { self == .wide ? (126, 16) : (996, 28) }
  /// The bar: where it stands, and its height.
  var bar: (y: Int, height: Int) { self == .wide ? (160, 6) : (1026, 12) }

  /// Reads a parameter; nil is the wide one.
  ///
  /// - Throws: `web.badParameter`.
  init(_ text: String?) throws(LunaraError) {
    guard let size = CardSize(rawValue: text ?? "600x200") else {
      throw LunaraError("web.badParameter", "size is \(text ?? ""). It must be 600x200 or 1080x1080.")
    }
    self = size
  }
}

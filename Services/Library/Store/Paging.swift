import FoundationEssentials
import Model

/// How much one answer may hold: so many items, and no more bytes than the bus carries in a frame.
struct PageBudget {
  /// An answer's JSON stays below this.
  private static let bytes = 190_000

  private(set) var items: Int
  private var room = bytes
  private var isEmpty = true

  /// Begins a page of at most `items` items.
  init(items: Int) { self.items = items }

  /// Whether one more item fits; the first always does.
  mutating func admits(_ size: Int) -> Bool {
    guard items > 0, size <= room || isEmpty else { return false }
    isEmpty = false
    items -= 1
    room -= size
    return true
  }

  /// Takes room for what is in the answer beside the items.
  mutating func take(_ size: Int) { room -= size }

  /// At most so many bytes of JSON a text takes. Control characters are written as six, quotes and backslashes as two.
  static func size(_ text: String?) -> Int {
    guard var text else { return 4 }
    return text.withUTF8 { bytes in
      bytes.reduce(2) { $0 + ($1 < 32 ? 6 : $1 == 34 || $1 == 92 ? 2 : 1) }
    }
  }
}

extension Album {
  /// At most so many bytes its JSON takes.
  var size: Int {
    genres.reduce(460) { $0 + PageBudget.size($1) + 1 } + PageBudget.size(title) + PageBudget.size(artist)
  }
}

extension Artist {
  /// At most so many bytes its JSON takes.
  var size: Int { 160 + PageBudget.size(name) }
}

extension MusicCollection {
  /// At most so many bytes its JSON takes.
  var size: Int { 200 + PageBudget.size(title) + PageBudget.size(summary) }
}

extension Playlist {
  /// At most so many bytes its JSON takes.
  var size: Int { 220 + PageBudget.size(title) }
}

extension Track {
  /// At most so many bytes its JSON takes.
  var size: Int {
    genres.reduce(610) { $0 + PageBudget.size($1) + 1 } + PageBudget.size(title) + PageBudget.size(artist)
      + PageBudget.size(albumArtist) + PageBudget.size(album) + PageBudget.size(section) + PageBudget.size(recordingID)
      + PageBudget.size(releaseID) + PageBudget.size(releaseGroupID) + PageBudget.size(isrc)
      + (artistIDs ?? []).reduce(0) { $0 + PageBudget.size($1) + 3 }
  }
}

/// Where a page ended: the sort values of its last row, as a text that means nothing to others.
struct Cursor: Equatable {
  /// What is listed in which order; a cursor of another list is refused.
  var list: String
  /// The sort values.
  var values: [String]

  init(_ list: String, _ values: [any LosslessStringConvertible]) {
    self.list = list
    self.values = values.map(\.description)
  }

  /// Reads a cursor of this list with so many values; nil for nil.
  ///
  /// - Throws: `library.badCursor`.
  init?(_ text: String?, of list: String, count: Int) throws(LunaraError) {
    guard let text else { return nil }
    var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    while base64.utf8.count % 4 != 0 { base64 += "=" }
    guard let data = Data(base64Encoded: base64) else { throw Self.bad(text) }
    let parts = data.split(separator: 0x1F, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard parts.first == list, parts.count == count + 1 else { throw Self.bad(text) }
    self.list = list
    values = Array(parts.dropFirst())
  }

  /// The text.
  var text: String {
    Data(([list] + values).joined(separator: "\u{1F}").utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// A value that is a number.
  ///
  /// - Throws: `library.badCursor`.
  func number(_ index: Int) throws(LunaraError) -> Int64 {
    guard let number = Int64(values[index]) else { throw Self.bad(text) }
    return number
  }

  private static func bad(_ text: String) -> LunaraError {
    LunaraError(
      "library.badCursor", "\(text.prefix(80)) is no place in this list. Begin at the first page, without `--after`.")
  }
}

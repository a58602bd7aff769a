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

import Messages
import Model

/// Reads listens from a table in text: CSV (RFC 4180) with commas, semicolons or tabs.
///
/// The columns are found by their names. A table without names has artist, album, title and time, as programs that
/// export from Last.fm write it.
struct ListenTable {
  /// The table has neither names of columns nor listens in the usual order.
  struct NoHeader: Error {}

  private struct Columns {
    var time: Int
    var artist: Int
    var title: Int
    var album: Int?

    static let usual = Columns(time: 3, artist: 0, title: 2, album: 1)
  }

  private static let times = ["uts", "timestamp", "listened_at", "unixtime", "date", "utc_time", "time", "played_at"]
  private static let artists = ["artist", "artist_name", "artist name", "artistname"]
  private static let titles = ["track", "track_name", "track name", "trackname", "title", "song", "name"]
  private static let albums = ["album", "release_name", "album_name", "album name", "release"]
  private static let mostColumns = 100
  private static let longestField = 64 * 1024

  private(set) var leftOut = ListenReader.LeftOut()
  private var columns: Columns?
  private var separator: UInt8?
  private var fields: [String] = []
  private var field: [UInt8] = []
  private var isQuoted = false
  /// True behind a quote in a quoted field, which ends it unless another quote follows.
  private var isAfterQuote = false
  private var line = 1
  private var rowLine = 1

  /// Returns the listens whose rows end in some more bytes. Throws `NoHeader`.
  mutating func listens(in bytes: [UInt8]) throws -> [Scrobble.ImportedListen] {
    let separator = separator ?? Self.separator(of: bytes)
    self.separator = separator
    var found: [Scrobble.ImportedListen] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") { line += 1 }
      if isQuoted, !isAfterQuote {
        if byte == UInt8(ascii: "\"") { isAfterQuote = true } else { append(byte) }
        continue
      }
      switch byte {
      case UInt8(ascii: "\"") where isAfterQuote:
        isAfterQuote = false
        append(byte)
      case UInt8(ascii: "\"") where field.isEmpty: isQuoted = true
      case separator: endField()
      case UInt8(ascii: "\n"): if let listen = try endRow() { found.append(listen) }
      case UInt8(ascii: "\r"): break
      default: append(byte)
      }
    }
    return found
  }

  /// Returns the listen of the last row if no line break follows it. Throws `NoHeader`.
  mutating func end() throws -> [Scrobble.ImportedListen] {
    guard !field.isEmpty || !fields.isEmpty else { return [] }
    return try endRow().map { [$0] } ?? []
  }

  private mutating func append(_ byte: UInt8) {
    if field.count < Self.longestField { field.append(byte) }
  }

  private mutating func endField() {
    if fields.count < Self.mostColumns { fields.append(String(decoding: field, as: UTF8.self)) }
    field.removeAll(keepingCapacity: true)
    isQuoted = false
    isAfterQuote = false
  }

  private mutating func endRow() throws -> Scrobble.ImportedListen? {
    endField()
    defer {
      fields.removeAll(keepingCapacity: true)
      rowLine = line
    }
    guard fields.contains(where: { !$0.isEmpty }) else { return nil }
    guard let columns else {
      let named = Self.columns(named: fields)
      guard named == nil else {
        columns = named
        return nil
      }
      columns = .usual
      guard case .listen(let listen) = reading(.usual) else { throw NoHeader() }
      return listen
    }
    guard case .listen(let listen) = reading(columns) else {
      leftOut.add(line: rowLine)
      return nil
    }
    return listen
  }

  private func reading(_ columns: Columns) -> ListenReading {
    func value(_ column: Int?) -> String? { column.flatMap { $0 < fields.count ? fields[$0] : nil } }
    return ListenFields(
      time: value(columns.time).flatMap(ListenTime.seconds), title: value(columns.title), artist: value(columns.artist),
      album: value(columns.album)
    ).reading
  }

  /// Returns the columns by their names; nil if the row is not a header.
  private static func columns(named fields: [String]) -> Columns? {
    // Some exports append the name of the account to the last column's name.
    let names = fields.map { String($0.lowercased().prefix { $0 != "#" }) }
    func column(_ known: [String]) -> Int? { known.lazy.compactMap { names.firstIndex(of: $0) }.first }
    guard let time = column(times), let artist = column(artists), let title = column(titles) else { return nil }
    return Columns(time: time, artist: artist, title: title, album: column(albums))
  }

  /// Returns the separator that the first line has most often outside of quotes.
  private static func separator(of bytes: [UInt8]) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == UInt8(ascii: "\n") { break }
      counts[byte, default: 0] += 1
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    return candidates.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) } ?? UInt8(ascii: ",")
  }
}

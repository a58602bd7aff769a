import Client
import Messages
import Model

/// The file of an export: all that people noted, marked, have to do and like, and their themes.
struct GardenFile: Decodable {
  private static let fence = "```json"
  /// The most bytes of a request.
  private static let mostBytes = 150_000
  /// The most records of a request.
  private static let mostRecords = 500
  /// The most themes of a request.
  private static let mostThemes = 200

  private var garden = 1
  var items: [Library.GardenRecord] = []
  /// Nil in files of versions that had none.
  var themes: [Library.ThemeRecord]?

  init() {}

  /// Reads a file, from its last block of JSON where it is Markdown. Throws `cli.badGardenFile`.
  init(_ text: String, _ name: String) throws {
    var json = text[...]
    if !text.drop(while: \.isWhitespace).hasPrefix("{"), let start = text.ranges(of: "\n\(Self.fence)\n").last {
      json = text[start.upperBound...]
      if let end = json.ranges(of: "\n```").last { json = json[..<end.lowerBound] }
    }
    do {
      self = try MessageCoding.decode(GardenFile.self, from: Array(json.utf8))
    } catch {
      throw Self.wrong(name)
    }
    guard garden == 1 else { throw Self.wrong(name) }
  }

  /// The number of records and themes.
  var count: Int { items.count + (themes?.count ?? 0) }

  /// The file as JSON, one record a line.
  var json: String {
    get throws {
      func lines(_ values: [some MessageShaped]) throws -> String {
        try values.map { Printable.json(try $0.json.description) }.joined(separator: ",\n")
      }
      let end = (themes ?? []).isEmpty ? "" : ",\"themes\":[\n\(try lines(themes ?? []))\n]"
      return "{\"garden\":1,\"items\":[\n\(try lines(items))\n]\(end)}\n"
    }
  }

  /// The file as Markdown, with the JSON at its end.
  var markdown: String {
    get throws { "\(readable)\n## All of it, to be imported\n\n\(Self.fence)\n\(try json)```\n" }
  }

  /// The part of the Markdown that people read.
  private var readable: String {
    var text = "# Garden\n"
    let artists = Dictionary(grouping: items) { $0.on.artist }
    for artist in artists.keys.sorted() {
      text += "\n## \(Printable.line(artist))\n"
      let things = Dictionary(grouping: artists[artist] ?? []) { $0.on.kind == .artist ? "" : $0.album ?? $0.on.title }
      for thing in things.keys.sorted() {
        if !thing.isEmpty { text += "\n### \(Printable.line(thing))\n" }
        for record in (things[thing] ?? []).sorted(by: { $0.at < $1.at }) { text += Self.paragraph(record) }
      }
    }
    if let themes, !themes.isEmpty { text += "\n## Themes\n" + themes.map(Self.section).joined() }
    return text
  }

  private static func paragraph(_ record: Library.GardenRecord) -> String {
    let kind =
      switch record.form {
      case .mark: "Mark for deletion, \(record.state ?? "marked")"
      case .todo: "Todo (\(record.about?.rawValue ?? "other")), \(record.state ?? "open")"
      case .opinion: record.state == Library.Opinion.dislike.rawValue ? "Disliked" : "Liked"
      default: record.session == nil ? "Note" : "Note on a session"
      }
    let track = record.on.kind == .track ? " on “\(Printable.line(record.on.title))”" : ""
    return "\n*\(kind)\(track), \(record.at.local)*\n" + (record.text.isEmpty ? "" : "\n\(lines(of: record.text))\n")
  }

  private static func section(_ theme: Library.ThemeRecord) -> String {
    var text = "\n### \(Printable.line(theme.title))\n"
    if let words = theme.text { text += "\n\(lines(of: words))\n" }
    if let rules = theme.rules { text += "\nRules: `\(Printable.line(rules))`\n" }
    guard !theme.albums.isEmpty else { return text }
    let albums = theme.albums.map { album in
      "- \(Printable.line("\(album.artist) – \(album.title)\(album.year.map { " (\($0))" } ?? "")"))\n"
    }
    return text + "\n\(albums.joined())"
  }

  private static func lines(of text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { Printable.line(String($0)) }
      .joined(separator: "\n")
  }

  private static func wrong(_ name: String) -> LunaraError {
    LunaraError("cli.badGardenFile", "\(name) is no file that `lunara garden export` wrote.")
  }

  /// The requests that add all of it, each of which fits into a message.
  func parts() throws -> [Library.ImportGarden] {
    var parts: [Library.ImportGarden] = []
    var size = Int.max
    /// Begins another request where a record of some bytes does not fit.
    func makeRoom(for own: Int, isFull: (Library.ImportGarden) -> Bool) {
      if size > Self.mostBytes - own || parts.last.map(isFull) ?? true {
        parts.append(Library.ImportGarden(items: []))
        size = 0
      }
      size += own
    }
    for record in items {
      makeRoom(for: try MessageCoding.encode(record).count) { $0.items.count >= Self.mostRecords }
      parts[parts.count - 1].items.append(record)
    }
    for theme in themes ?? [] {
      makeRoom(for: try MessageCoding.encode(theme).count) { ($0.themes?.count ?? 0) >= Self.mostThemes }
      parts[parts.count - 1].themes = (parts[parts.count - 1].themes ?? []) + [theme]
    }
    return parts
  }
}

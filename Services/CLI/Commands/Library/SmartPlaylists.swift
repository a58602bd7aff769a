import Client
import Messages
import Model
import System

extension Option {
  fileprivate static let ruleSort = Option(
    "--sort", "FIELDS", help: "such as -rating,title, with - for the greatest first; or random")
  fileprivate static let ruleLimit = Option(
    "--limit", "LIMIT", help: "a number of tracks, a length such as 90m, or a share such as 10%")
  fileprivate static let albums = Option("--albums", help: "whole albums of which a track fits")
  fileprivate static let rules = Option("--rules", "FILE", help: "rules of a file (.nsp), instead of words")
}

extension Command {
  static let smartPlaylist = Command(
    name: "smart", summary: "make a playlist that finds its tracks by rules",
    discussion: """
      Rules are conditions joined by "and" and "or", also in brackets. A condition has a field, a comparison and a
      value. Fields: title, album, artist, album artist, genre, style, mood, label, year, date, rating, plays, skips,
      last played, added, duration, composer, conductor, performer, work, folder, path, source, format, type, bit rate,
      sample rate, bit depth, track, disc. Comparisons: is, is not, contains, does not contain, starts with, ends with,
      over, under, at least, at most, between … and …, before, after, in the last 30 days, not in the last 30 days.
      "in playlist" and "not in playlist" name another one. A value with several words may be in quotes.
      """,
    examples: [
      "lunara playlists smart \"Loved jazz\" \"genre is Jazz and rating over 3\" --sort -rating,artist":
        "both are true, the best first",
      "lunara playlists smart \"Not lately\" \"last played not in the last 90 days\" --sort random --limit 50":
        "fifty in a random order, which stays until the rules change",
      "lunara playlists smart New \"added in the last 2 weeks\" --albums --dry-run": "what it would find",
    ],
    takes: Parameter(
      .ruleSort, .ruleLimit, .albums, .rules,
      operand: Operand(name: "NAME [RULES]", count: 1...2, help: "its name, and the rules in quotes")
    ) {
      // Faults in the words are reported before anything is asked.
      _ = try rules($0, [:])
      return $0
    }, .flag("--change", help: "give a smart playlist that is there these rules"),
    .flag("--dry-run", help: "make nothing, and say what the rules find")
  ) { client, console, arguments, isChange, isPreview in
    let name = arguments.operands[0]
    var playlists: [String: String] = [:]
    if arguments.value(.rules) == nil, let words = arguments.operands.dropFirst().first {
      for title in try RuleWords.playlists(in: words) { playlists[title] = "\(try await client.playlistID(title))" }
    }
    let rules = try rules(arguments, playlists)
    if isPreview {
      let found = try await client.ask(Library.PreviewRules(rules: rules))
      return console.print(found.json, text: text(of: found))
    }
    let playlist: Playlist
    if isChange {
      let id = try await client.playlistID(name)
      playlist = try await client.ask(Library.DescribePlaylist(id: id, rules: rules))
    } else {
      playlist = try await client.ask(Library.CreatePlaylist(title: name, rules: rules))
    }
    let parts = ["\(playlist.id)", playlist.title, Printable.count(playlist.trackCount, "track")]
    console.print(playlist.json, text: Printable.line(parts.joined(separator: " · ")) + "\n")
  }

  /// Returns the rules that the arguments describe, as JSON in the form of `.nsp` files.
  private static func rules(_ arguments: Arguments, _ playlists: [String: String]) throws -> String {
    let words = arguments.operands.dropFirst().first
    if let file = arguments.value(.rules) {
      guard words == nil else { throw UsageError("Give either rules in words or --rules.") }
      return try readRules(file)
    }
    guard let words else { throw UsageError("playlists smart needs rules, such as “rating over 3”.") }
    return try RuleWords.json(
      where: words, sort: arguments.value(.ruleSort), limit: arguments.value(.ruleLimit),
      ofAlbums: arguments.has(.albums), playlists: playlists)
  }

  /// Returns the text of a file of rules. Throws `cli.badListFile`.
  static func readRules(_ name: String) throws -> String {
    do throws(Errno) {
      return String(decoding: try Files.read(name, limit: 1 << 20, mustBeRegular: true), as: UTF8.self)
    } catch {
      throw LunaraError("cli.badListFile", "\(name) cannot be read. Check the name and its mode.", cause: error)
    }
  }

  private static func text(of found: Library.RulesPreview) -> String {
    let head = "\(Printable.count(found.trackCount, "track")), \(found.duration)"
    let tracks = found.tracks.map { "  \($0.artist) – \($0.title)" }
    let rest = found.trackCount - found.tracks.count
    return ([head] + tracks + (rest > 0 ? ["  and \(rest) more"] : [])).map { Printable.line($0) + "\n" }.joined()
  }
}

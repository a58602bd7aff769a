import Bus
import Client
import Messages
import Model
import System

extension Option {
  fileprivate static let any = Option("--any", help: "one of the conditions is enough; else all have to be true")
  fileprivate static let ruleSort = Option("--sort", "FIELDS", help: "such as -rating,title; - for the greatest first")
  fileprivate static let inRandomOrder = Option("--random", help: "in a random order, which stays until the rules change")
  fileprivate static let most = Option("--most", "N", help: "at most this number of tracks, or of albums")
  fileprivate static let minutes = Option("--minutes", "N", help: "at most this length")
  fileprivate static let share = Option("--share", "PERCENT", help: "at most this share of what is found")
  fileprivate static let albums = Option("--albums", help: "whole albums of which a track fits")
  fileprivate static let rules = Option("--rules", "FILE", help: "rules of a file (.nsp), instead of conditions")
  fileprivate static let change = Option("--change", help: "give a smart playlist that is there these rules")
  fileprivate static let preview = Option("--dry-run", help: "make nothing, and say what the rules find")
}

extension Command {
  static let smartPlaylist = Command(
    name: "smart", summary: "make a playlist that finds its tracks by rules",
    discussion: """
      A condition has a field, a comparison and a value. Fields: title, album, artist, albumartist, genre, style, mood,
      label, year, date, rating, plays, skips, played, added, duration (seconds), composer, conductor, performer, work,
      folder, path, source, format, type, bitrate, samplerate, bitdepth, tracknumber, discnumber. Comparisons: is, is
      not, contains, does not contain, starts with, ends with, over, under, between … and …, before, after, in the last
      30 days, not in the last 30 days. "in ID" and "not in ID" name another playlist. Conditions within conditions are
      written in a file, in the form of Navidrome's smart playlists.
      """,
    examples: [
      "lunara playlists smart \"Loved jazz\" \"genre is Jazz\" \"rating over 3\" --sort -rating,artist":
        "all conditions are true",
      "lunara playlists smart \"Not lately\" \"played not in the last 90 days\" --random --most 50":
        "fifty in a random order",
      "lunara playlists smart New \"added in the last 2 weeks\" --albums --dry-run": "what it would find",
    ],
    options: [.any, .ruleSort, .inRandomOrder, .most, .minutes, .share, .albums, .rules, .change, .preview],
    operand: Operand(
      name: "NAME [CONDITION]…", count: 1...101, help: "its name, and the conditions, each as one word in quotes"),
    action: .asynchronous { context in
      let name = context.arguments.operands[0]
      // What is wrong with the words is said before anything is asked.
      _ = try rules(context.arguments)
      let client = try await Client(context)
      let rules = try rules(try await named(context.arguments, client))
      if context.arguments.has(.preview) {
        let found = try await client.ask(Library.PreviewRules(rules: rules), of: .library)
        return context.console.print(found.json, text: text(of: found))
      }
      let playlist: Playlist
      if context.arguments.has(.change) {
        let id = try await client.playlistID(name)
        playlist = try await client.ask(Library.DescribePlaylist(id: id, rules: rules), of: .library)
      } else {
        playlist = try await client.ask(Library.CreatePlaylist(title: name, rules: rules), of: .library)
      }
      let parts = ["\(playlist.id)", playlist.title, Printable.count(playlist.trackCount, "track")]
      context.console.print(playlist.json, text: Printable.line(parts.joined(separator: " · ")) + "\n")
    })

  /// Returns the arguments with the ids of the playlists that conditions name by their titles.
  private static func named(_ arguments: Arguments, _ client: Client) async throws -> Arguments {
    var arguments = arguments
    for (index, word) in arguments.operands.enumerated().dropFirst() {
      for beginning in ["in ", "not in "] where word.lowercased().hasPrefix(beginning) {
        let title = String(word.dropFirst(beginning.count))
        arguments.operands[index] = "\(beginning)\(try await client.playlistID(title))"
      }
    }
    return arguments
  }

  /// Returns the rules that the arguments describe, as JSON in the form of `.nsp` files.
  static func rules(_ arguments: Arguments) throws -> String {
    let words = arguments.operands.dropFirst()
    if let file = arguments.value(.rules) {
      guard words.isEmpty else { throw UsageError("Give either conditions or --rules.") }
      return try readRules(file)
    }
    guard !words.isEmpty else { throw UsageError("playlists smart needs a condition, such as “rating over 3”.") }
    var members: [JSON.Member] = [
      .init(key: arguments.has(.any) ? "any" : "all", value: .array(try words.map { try RuleWords.condition($0) }))
    ]
    guard !arguments.has(.inRandomOrder) || arguments.value(.ruleSort) == nil else {
      throw UsageError("Give either --sort or --random.")
    }
    if let sort = arguments.value(.ruleSort) ?? (arguments.has(.inRandomOrder) ? "random" : nil) {
      members.append(.init(key: "sort", value: .string(sort)))
    }
    for (option, key) in [(Option.most, "limit"), (.minutes, "limitMinutes"), (.share, "limitPercent")] {
      guard let text = arguments.value(option) else { continue }
      guard let number = Int64(text), number > 0 else {
        throw UsageError("\(option.name) needs a number, and not \(text).")
      }
      members.append(.init(key: key, value: .integer(number)))
    }
    if arguments.has(.albums) { members.append(.init(key: "unit", value: .string("albums"))) }
    return JSON.object(members).description
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

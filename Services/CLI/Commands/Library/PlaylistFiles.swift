import Bus
import Client
import ListFiles
import Messages
import Model
import System

extension Option {
  fileprivate static let title = Option("--title", "TEXT", help: "its title, instead of the one in the file")
  fileprivate static let format = Option(
    "--format", "FORMAT", help: "m3u8, xspf, jspf or pls, instead of what the ending says")
  fileprivate static let absolute = Option("--absolute", help: "write absolute paths instead of relative ones")
}

extension Option {
  fileprivate static let noCover = Option("--none", help: "remove the cover")
}

extension Command {
  static let coverOfPlaylist = Command(
    name: "cover", summary: "give a playlist of your own a cover",
    examples: [
      "lunara playlists cover Sunday boat.jpg": "a picture in JPEG, PNG or WebP, of at most 8 MiB",
      "lunara playlists cover Sunday --none": "the covers of its albums again",
    ],
    options: [.noCover],
    operand: Operand(name: "LIST [FILE]", count: 1...2, help: "the playlist, and the picture", completes: .files),
    action: .asynchronous { context in
      let words = context.arguments.operands
      guard context.arguments.has(.noCover) == (words.count == 1) else {
        throw UsageError("playlists cover needs a picture, or --none.")
      }
      var picture: [UInt8]?
      if words.count == 2 {
        do throws(Errno) {
          picture = try Files.read(words[1], limit: Library.SetPlaylistCover.mostBytes, mustBeRegular: true)
        } catch {
          throw LunaraError("library.badPicture", "\(words[1]) cannot be read, or is larger than 8 MiB.", cause: error)
        }
      }
      let client = try await Client(context)
      let playlist = try await client.setCover(picture, of: try await client.playlistID(words[0]))
      context.console.print(
        playlist.json,
        text: "\(Printable.line(playlist.title)) has \(picture == nil ? "the covers of its albums" : "its cover").\n")
    })

  static let importPlaylist = Command(
    name: "import", summary: "make a playlist of a list file: M3U, PLS, XSPF, JSPF or JSON",
    discussion: """
      Each entry is looked for by its file, by the end of its path, by the ids of its recording, and by its artist and
      title. What is not in the library is kept in the playlist as it is described. The files of an address are read by
      the library's machine: at most 500 entries, and none of a private network.
      """,
    examples: [
      "lunara playlists import Sunday.m3u8": "with the title that the file says, or its name",
      "lunara playlists import top.xspf --title \"Best of 2024\"": "under another title",
      "lunara playlists import https://example.org/list.jspf": "from an address",
    ],
    options: [.title],
    operand: .one("FILE|ADDRESS", help: "the list file, or its address", completes: .files),
    action: .asynchronous { context in
      let name = context.arguments.operands[0]
      let client = try await Client(context)
      if name.lowercased().hasSuffix(".nsp") { return try await importRules(name, client, context) }
      let isAddress = name.hasPrefix("https://") || name.hasPrefix("http://")
      let path = ProgramLocation.absolute(name)
      let list = isAddress ? try await client.listFile(at: name) : try PlaylistFile.read(path)
      let plainName = name.prefix { !isAddress || $0 != "?" && $0 != "#" }
      let fileName = Files.name(of: String(plainName))
      let stem = String(fileName[..<(fileName.lastIndex(of: ".") ?? fileName.endIndex)])
      let title = context.arguments.value(.title) ?? list.title ?? (stem.isEmpty ? "Playlist" : stem)
      let report = try await client.makePlaylist(
        of: list, title: title, folder: isAddress ? nil : LocalPath(Files.folder(of: path)))
      context.console.print(report.json, text: PlaylistFile.text(of: report))
    })

  /// Makes a smart playlist of a file of rules.
  private static func importRules(_ name: String, _ client: Client, _ context: Context) async throws {
    let file = Files.name(of: name)
    let made = try await client.makeSmartPlaylist(
      of: try readRules(name), title: context.arguments.value(.title), orElse: String(file.dropLast(4)))
    let parts = ["\(made.id)", made.title, Printable.count(made.trackCount, "track"), "smart"]
    context.console.print(made.json, text: Printable.line(parts.joined(separator: " · ")) + "\n")
  }

  static let exportPlaylist = Command(
    name: "export", summary: "write a playlist to a list file: M3U8, XSPF, JSPF or PLS",
    discussion: """
      Paths are written relative to the file. They are those of the library's machine. Tracks of servers have no file:
      XSPF and JSPF name them, M3U8 has a remark in their place, and PLS leaves them out.
      """,
    examples: [
      "lunara playlists export Sunday /music/Sunday.m3u8": "for players that read the music folder",
      "lunara playlists export Sunday Sunday.xspf": "with all that is known of each track",
      "lunara playlists export Sunday - --format pls": "to standard output",
    ],
    options: [.format, .absolute],
    operand: .exactly(
      2, "LIST FILE", help: "the playlist, and a new file, or - for standard output",
      completes: .household(.playlists)),
    action: .asynchronous { context in
      let (words, name) = (context.arguments.operands, context.arguments.operands[1])
      let isOutput = name == "-"
      let given = context.arguments.value(.format)
      if given == "nsp" || given == nil && name.lowercased().hasSuffix(".nsp") {
        return try await exportRules(words[0], to: name, context)
      }
      guard let format = ListFileFormat(name: ".\(given ?? (isOutput ? "m3u8" : name))") else {
        throw UsageError("\(given ?? name) is no format of playlists. These are: m3u8, xspf, jspf, pls.")
      }
      let client = try await Client(context)
      let list = try await client.listFile(of: try await client.playlistID(words[0]))
      let path = ProgramLocation.absolute(name)
      let isRelative = !isOutput && !context.arguments.has(.absolute)
      let writer = ListFileWriter(format, relativeTo: isRelative ? Files.folder(of: path) : nil)
      let text = try writer.text(of: list)
      let without = list.tracks.count { $0.location == nil }
      let remark = without == 0 ? "" : " \(without) of them \(without == 1 ? "has" : "have") no file."
      guard !isOutput else {
        context.console.print(.object(["entries": .count(list.tracks.count), "text": .text(text)]), text: text)
        return context.console.note("\(PlaylistFile.entries(list.tracks.count)).\(remark)")
      }
      try PlaylistFile.write(text, to: path)
      context.console.print(
        .object([
          "file": .text(path), "entries": .count(list.tracks.count), "withoutFile": .count(without),
        ]),
        text: "Wrote \(PlaylistFile.entries(list.tracks.count)) to \(Printable.line(name)).\(remark)\n")
    })
}

extension Command {
  /// Writes the rules of a smart playlist to a file.
  private static func exportRules(_ list: String, to name: String, _ context: Context) async throws {
    let client = try await Client(context)
    let text = try await client.ruleFile(of: try await client.playlistID(list)).text
    guard name != "-" else { return context.console.print(.object(["text": .text(text)]), text: text) }
    try PlaylistFile.write(text, to: ProgramLocation.absolute(name))
    context.console.print(
      .object(["file": .text(ProgramLocation.absolute(name))]), text: "Wrote the rules to \(Printable.line(name)).\n")
  }
}

/// Reading and writing list files, and what people are told of it.
private enum PlaylistFile {
  /// Throws `cli.badListFile`, and the errors of `ListFile`.
  static func read(_ path: String) throws -> ListFile {
    let bytes: [UInt8]
    do throws(Errno) { bytes = try Files.read(path, limit: ListFile.longest, mustBeRegular: true) } catch {
      if error == .fileTooLarge { throw ListFile.tooLarge(Files.name(of: path)) }
      throw LunaraError("cli.badListFile", "\(path) cannot be read. Check the name and its mode.", cause: error)
    }
    return try ListFile(bytes, name: Files.name(of: path))
  }

  /// Throws `cli.badListFile`.
  static func write(_ text: String, to path: String) throws {
    let options = Files.WriteOptions(mode: 0o644, isExclusive: true)
    do { try Files.replace(path, with: text, options) } catch {
      throw LunaraError(
        "cli.badListFile", "\(path) cannot be made. Name a file that is not there yet, in a folder of yours.",
        cause: error)
    }
  }

  static func entries(_ count: Int) -> String { count == 1 ? "1 entry" : "\(count) entries" }

  /// Returns what an import did, and the first entries that are not in the library.
  static func text(of report: Client.ImportReport) -> String {
    let words: [(Library.TrackMatch, String)] = [
      (.file, "by file"), (.path, "by the end of the path"), (.recording, "by the id of the recording"),
      (.isrc, "by ISRC"), (.names, "by artist and title"), (.missing, "not in the library"),
    ]
    let counts = words.compactMap { match, words in report.counts[match].map { "\($0) \(words)" } }
    let parts = ["\(report.playlist.id)", report.playlist.title, entries(report.playlist.trackCount)] + counts
    var lines = [parts.joined(separator: " · ")]
    for track in report.missing.prefix(20) {
      let names = [track.artist, track.title].filter { !$0.isEmpty }.joined(separator: " – ")
      lines.append("  not here: \(names.isEmpty ? track.location ?? "" : names)")
    }
    if report.missing.count > 20 { lines.append("  and \(report.missing.count - 20) more") }
    lines += report.problems.prefix(20).map { "  left out: \($0)" }
    return lines.map { Printable.line($0) + "\n" }.joined()
  }
}

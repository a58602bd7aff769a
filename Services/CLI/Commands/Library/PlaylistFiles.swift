import Client
import ListFiles
import Messages
import Model
import System

extension Command {
  static let coverOfPlaylist = Command(
    name: "cover", summary: "give a playlist of your own a cover",
    examples: [
      "lunara playlists cover Sunday boat.jpg": "a picture in JPEG, PNG or WebP, of at most 8 MiB",
      "lunara playlists cover Sunday --none": "the covers of its albums again",
    ],
    takes: .flag("--none", help: "remove the cover"),
    .list("LIST [FILE]", 1...2, help: "the playlist, and the picture", completes: .files),
    refuses: [Refusal("playlists cover needs a picture, or --none.") { $0.has("--none") != ($0.operands.count == 1) }]
  ) { client, console, isNone, list in
    var picture: [UInt8]?
    if let file = list.rest.first {
      do throws(Errno) {
        picture = try Files.read(file, limit: Library.SetPlaylistCover.mostBytes, mustBeRegular: true)
      } catch {
        throw LunaraError("library.badPicture", "\(file) cannot be read, or is larger than 8 MiB.", cause: error)
      }
    }
    let playlist = try await client.setCover(picture, of: list.id)
    console.print(
      playlist.json,
      text: "\(Printable.line(playlist.title)) has \(picture == nil ? "the covers of its albums" : "its cover").\n")
  }

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
    takes: .text("--title", "TEXT", help: "its title, instead of the one in the file"),
    .operand("FILE|ADDRESS", help: "the list file, or its address", completes: .files)
  ) { client, console, title, name in
    if name.lowercased().hasSuffix(".nsp") { return try await importRules(name, title, client, console) }
    let isAddress = name.hasPrefix("https://") || name.hasPrefix("http://")
    let path = ProgramLocation.absolute(name)
    let list = isAddress ? try await client.listFile(at: name) : try PlaylistFile.read(path)
    let plainName = name.prefix { !isAddress || $0 != "?" && $0 != "#" }
    let fileName = Files.name(of: String(plainName))
    let stem = String(fileName[..<(fileName.lastIndex(of: ".") ?? fileName.endIndex)])
    let title = title ?? list.title ?? (stem.isEmpty ? "Playlist" : stem)
    let report = try await client.makePlaylist(
      of: list, title: title, folder: isAddress ? nil : LocalPath(Files.folder(of: path)))
    console.print(report.json, text: PlaylistFile.text(of: report))
  }

  /// Makes a smart playlist of a file of rules.
  private static func importRules(_ name: String, _ title: String?, _ client: Client, _ console: Console) async throws {
    let file = Files.name(of: name)
    let made = try await client.makeSmartPlaylist(
      of: try readRules(name), title: title, orElse: String(file.dropLast(4)))
    let parts = ["\(made.id)", made.title, Printable.count(made.trackCount, "track"), "smart"]
    console.print(made.json, text: Printable.line(parts.joined(separator: " · ")) + "\n")
  }

  private static let format = Option(
    "--format", "FORMAT", help: "m3u8, xspf, jspf or pls, instead of what the ending says")

  /// Returns the format of an export; nil for the rules of a smart playlist.
  private static func exportFormat(_ arguments: Arguments) throws -> ListFileFormat? {
    let (given, name) = (arguments.value(format), arguments.operands[1])
    if given == "nsp" || given == nil && name.lowercased().hasSuffix(".nsp") { return nil }
    return try ListFileFormat(name: ".\(given ?? (name == "-" ? "m3u8" : name))").orUsage(
      "\(given ?? name) is no format of playlists. These are: m3u8, xspf, jspf, pls.")
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
    takes: Parameter(format) { try exportFormat($0) },
    .flag("--absolute", help: "write absolute paths instead of relative ones"),
    .flag(.force), .list("LIST FILE", 2...2, help: "the playlist, and a new file, or - for standard output")
  ) { client, console, format, isAbsolute, replaces, list in
    let name = list.rest[0]
    let isOutput = name == "-"
    guard let format else { return try await exportRules(list.id, to: name, replaces: replaces, client, console) }
    let list = try await client.listFile(of: list.id)
    let path = ProgramLocation.absolute(name)
    let isRelative = !isOutput && !isAbsolute
    let writer = ListFileWriter(format, relativeTo: isRelative ? Files.folder(of: path) : nil)
    let text = try writer.text(of: list)
    let without = list.tracks.count { $0.location == nil }
    let remark = without == 0 ? "" : " \(without) of them \(without == 1 ? "has" : "have") no file."
    guard !isOutput else {
      console.print(["entries": list.tracks.count, "text": text], text: text)
      return console.remark("\(PlaylistFile.entries(list.tracks.count)).\(remark)")
    }
    try ExportFile.write(text, to: path, replaces: replaces, code: "cli.badListFile")
    console.print(
      ["file": path, "entries": list.tracks.count, "withoutFile": without],
      text: "Wrote \(PlaylistFile.entries(list.tracks.count)) to \(Printable.line(name)).\(remark)\n")
  }
}

extension Command {
  /// Writes the rules of a smart playlist to a file.
  private static func exportRules(
    _ list: PlaylistID, to name: String, replaces: Bool, _ client: Client, _ console: Console
  ) async throws {
    let text = try await client.ruleFile(of: list).text
    guard name != "-" else { return console.print(["text": text], text: text) }
    try ExportFile.write(
      text, to: ProgramLocation.absolute(name), replaces: replaces, code: "cli.badListFile")
    console.print(["file": ProgramLocation.absolute(name)], text: "Wrote the rules to \(Printable.line(name)).\n")
  }
}

/// Reads and writes list files, and says what came of it.
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

  static func entries(_ count: Int) -> String { Printable.count(count, "entry") }

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

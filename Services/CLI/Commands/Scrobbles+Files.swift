import Client
import Glibc
import Messages
import Model
import System

extension Command {
  static let exportScrobbles = Command(
    name: "export", summary: "write what counted to a file, a listen a line as ListenBrainz writes them",
    examples: [
      "lunara scrobbles export listens.jsonl": "the newest first, imported ones at the end",
      "lunara scrobbles export -": "to standard output",
    ],
    takes: .flag("--all", help: "with what was heard in private"), .flag(.force),
    .operand("FILE", help: "a new file, or - for standard output")
  ) { client, console, isAll, replaces, name in
    // An existing file is replaced only once all listens are written.
    let path = replaces ? "\(name).\(getpid()).new" : name
    let file = name == "-" ? nil : try ListenFile.create(path)
    var (written, kept) = (0, 0)
    var exported: Set<ListenID> = []
    func write(_ listens: [ListenLine]) throws {
      written += listens.count
      let lines = listens.map { Printable.json($0.json.description) + "\n" }.joined()
      if let file { try ListenFile.write(lines, to: file, name) } else { console.print(lines) }
    }
    do {
      var after: String?
      repeat {
        let page = try await client.ask(Scrobble.ListScrobbles(limit: 200, after: after))
        let listens = page.items.filter { $0.withheld != "private" || isAll }
        kept += page.items.count - listens.count
        try write(listens.map { ListenLine(listen: $0.listen, track: $0.track, startedAt: $0.startedAt) })
        // Imported listens may be in both histories.
        exported.formUnion(listens.filter { $0.room == .elsewhere }.map(\.listen))
        after = page.items.isEmpty ? nil : page.next
      } while after != nil
      repeat {
        let page = try await client.ask(Library.ListPlays(filter: .init(room: .elsewhere), after: after, limit: 200))
        try write(
          page.items.filter { $0.counted && !exported.contains($0.listen) }
            .map { ListenLine(listen: $0.listen, track: $0.track, startedAt: $0.startedAt) })
        after = page.items.isEmpty ? nil : page.next
      } while after != nil
      if file != nil, replaces { try ListenFile.rename(path, to: name) }
    } catch {
      // A part of the listens must not be taken for all of them.
      if file != nil { ListenFile.discard(path, console) }
      throw error
    }
    let rest = kept == 0 ? "" : " \(kept) private ones were left out; --all takes them in."
    guard file != nil else { return console.remark("\(Printable.count(written, "listen")).\(rest)") }
    console.print(
      ["written": written, "leftOut": kept],
      text: "\(Printable.count(written, "listen")) written to \(Printable.line(name)).\(rest)\n")
  }

  static let importScrobbles = Command(
    name: "import", summary: "take listens from an export into your history",
    discussion: """
      Takes exports of ListenBrainz (the ZIP file as it is, its folder, or JSON lines), Last.fm (CSV or JSON of the
      usual export programs), Maloja, and of lunara scrobbles export. What is there already, by its time, artist and
      title, stays as it is, so a file can be taken in twice, and two exports may have the same listens. Listens of
      music that is not in the library become those of its tracks when it comes. Nothing is sent without --send. --undo
      removes the listens of the last import.
      """,
    examples: [
      "lunara scrobbles import listens.jsonl": "from an export, or from ListenBrainz",
      "lunara scrobbles import player.jsonl --send": "and scrobbles what is new",
      "lunara scrobbles import --undo": "removes what the last import added",
    ],
    takes: .flag("--send", help: "send them to the accounts that are on, too"),
    .flag("--undo", help: "remove the listens of the last import"),
    Parameter(operand: .optional("FILE", help: "a file, a ZIP file or a folder")) {
      try $0.operands.first.map { try ListenExport($0) }
    },
    refuses: [
      Refusal("--undo removes the last import; give neither a file nor --send with it.") {
        $0.has("--undo") && (!$0.operands.isEmpty || $0.has("--send"))
      },
      Refusal("Name the file to import.") { !$0.has("--undo") && $0.operands.isEmpty },
    ]
  ) { client, console, sends, _, export in
    guard let export else { return try await undoListens(client, console) }
    try await importListens(export, sends: sends, client, console)
  }

  private static func importListens(
    _ export: ListenExport, sends: Bool, _ client: Client, _ console: Console
  ) async throws {
    var sender = ListenSender(client, scrobbles: sends)
    var (leftOut, inFuture) = (0, 0)
    var firstInFuture: Scrobble.ImportedListen?
    var problems: [LunaraError] = []
    // The library refuses listens more than a day in the future.
    let latest = Timestamp(seconds: Timestamp.now().seconds + 86_000)
    for file in export.files {
      var reader: ListenReader
      do { reader = try ListenReader(file) } catch let error as LunaraError where error.code == "cli.badListenFile" {
        problems.append(error)
        continue
      }
      do {
        while let listens = try reader.next() {
          for listen in listens where listen.startedAt <= latest { try await sender.add(listen) }
          let late = listens.filter { $0.startedAt > latest }
          inFuture = inFuture + late.count
          firstInFuture = firstInFuture ?? late.first
        }
      } catch let error as LunaraError where error.code == "cli.badListenFile" {
        // The listens before an error are valid, and so are other files.
        problems.append(error)
      }
      leftOut += reader.leftOut.count
      if reader.leftOut.count > 0 {
        console.remark(
          "\(reader.leftOut.count) \(reader.leftOut.count == 1 ? "entry" : "entries") of \(file.name) without artist, title or time left out; the first is in line \(reader.leftOut.line)."
        )
      }
    }
    try await sender.finish()
    if let first = firstInFuture {
      console.remark(
        "\(Printable.count(inFuture, "entry")) with a time in the future left out; the first is \(Byline.quoted(first.title, first.artist))."
      )
    }
    let total = sender.total
    let text = "\(total.added) are new, \(total.known) were known."
    if let last = problems.popLast() {
      for problem in problems { console.remark(problem.message) }
      console.remark("Of what could be read, \(text)")
      throw last
    }
    guard total.added + total.known + inFuture > 0 else {
      throw LunaraError(
        "cli.badListenFile",
        "There is no listen in it, in any form that is known: those of ListenBrainz, Last.fm and Maloja are.")
    }
    console.print(["added": total.added, "known": total.known, "leftOut": leftOut + inFuture], text: text + "\n")
  }

  private static func undoListens(_ client: Client, _ console: Console) async throws {
    let result = try await client.ask(Library.UndoListenImport())
    let text = result.importedAt.map { at in
      "\(result.removed) \(result.removed == 1 ? "listen" : "listens") of the import of \(at.local) removed.\n"
    }
    console.print(result.json, text: text ?? "No listens were imported that could be removed.\n")
  }
}

enum ListenFile {
  /// Writes text to the end of a file. Throws `cli.badListenFile`.
  static func write(_ text: String, to file: Descriptor, _ name: String) throws {
    do throws(Errno) { try file.write(Array(text.utf8)) } catch {
      throw LunaraError("cli.badListenFile", "\(name) cannot be written. Is the disk full?", cause: error)
    }
  }

  /// Puts a file in the place of another. Throws `cli.badListenFile`.
  static func rename(_ path: String, to name: String) throws {
    guard Glibc.rename(path, name) != 0 else { return }
    throw LunaraError(
      "cli.badListenFile", "\(name) cannot be replaced. Name a file in a folder of yours.", cause: .current)
  }

  /// Removes a file that could not be written to its end.
  static func discard(_ name: String, _ console: Console) {
    do { try Files.removeFile(name) } catch {
      console.remark("\(name) has only a part of the listens and could not be removed: \(error)")
    }
  }

  /// Creates a new file that only its owner may read. Throws `cli.badListenFile`.
  static func create(_ name: String) throws -> Descriptor {
    do throws(Errno) {
      return try Descriptor(opening: name, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      if error == .fileExists { throw ExportFile.exists(name) }
      throw LunaraError(
        "cli.badListenFile", "\(name) cannot be made. Name a file in a folder of yours.",
        cause: error)
    }
  }
}

/// A listen as a line of JSON in ListenBrainz's form (listenbrainz.readthedocs.io, JSON Documentation).
struct ListenLine {
  var listen: ListenID
  var track: Track
  var startedAt: Timestamp

  /// The line. It includes the listen's id, so that an import recognises the listen.
  var json: JSON {
    var more: [JSON.Member] = [
      .init(key: "media_player", value: .string("Lunara")), .init(key: "submission_client", value: .string("Lunara")),
      .init(key: "lunara_listen", value: .text(listen)),
    ]
    func add(_ key: String, _ value: JSON?) { if let value { more.append(.init(key: key, value: value)) } }
    add("duration_ms", track.duration > .zero ? .count(track.duration.rawValue) : nil)
    add("tracknumber", track.number.map { .count($0) })
    add("release_artist_name", track.albumArtist.isEmpty ? nil : .text(track.albumArtist))
    add("recording_mbid", track.recordingID.map { .string($0) })
    add("release_mbid", track.releaseID.map { .string($0) })
    add("release_group_mbid", track.releaseGroupID.map { .string($0) })
    add("artist_mbids", track.artistIDs.map { .list($0) { .string($0) } })
    add("isrc", track.isrc.map { .string($0) })
    var metadata: [JSON.Member] = [
      .init(key: "artist_name", value: .string(track.artist)), .init(key: "track_name", value: .string(track.title)),
    ]
    if !track.album.isEmpty { metadata.append(.init(key: "release_name", value: .string(track.album))) }
    metadata.append(.init(key: "additional_info", value: .object(more)))
    return .object(["listened_at": .count(startedAt.seconds), "track_metadata": .object(metadata)])
  }
}

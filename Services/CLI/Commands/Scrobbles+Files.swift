import Bus
import Client
import Glibc
import Messages
import Model
import System

extension Option {
  static let send = Option("--send", help: "send them to the accounts that are on, too")
  static let withPrivate = Option("--all", help: "with what was heard in private")
}

extension Command {
  static let exportScrobbles = Command(
    name: "export", summary: "write what counted to a file, a listen a line as ListenBrainz writes them",
    examples: [
      "lunara scrobbles export listens.jsonl": "the newest first",
      "lunara scrobbles export -": "to standard output",
    ],
    options: [.withPrivate],
    operand: .one("FILE", help: "a new file, or - for standard output"),
    action: .asynchronous { context in
      let name = context.arguments.operands[0]
      let client = try await Client(context)
      let file = name == "-" ? nil : try ListenFile.create(name)
      var (written, kept) = (0, 0)
      do {
        var after: String?
        repeat {
          let page = try await client.ask(Scrobble.ListScrobbles(limit: 200, after: after), of: .scrobble)
          let listens = page.items.filter { $0.withheld != "private" || context.arguments.has(.withPrivate) }
          kept += page.items.count - listens.count
          written += listens.count
          let lines = listens.map { Printable.json(ListenLine.json($0).description) + "\n" }.joined()
          if let file { try ListenFile.write(lines, to: file, name) } else { context.console.print(lines) }
          after = page.items.isEmpty ? nil : page.next
        } while after != nil
      } catch {
        // A part of the listens must not be taken for all of them.
        if file != nil { ListenFile.discard(name, context.console) }
        throw error
      }
      let rest = kept == 0 ? "" : " \(kept) private ones were left out; --all takes them in."
      guard file != nil else { return context.console.note("\(written) listens.\(rest)") }
      context.console.print(
        .object(["written": .count(written), "leftOut": .count(kept)]),
        text: "\(written) listens were written to \(Printable.line(name)).\(rest)\n")
    })

  static let importScrobbles = Command(
    name: "import", summary: "take listens from a file of such lines into your history",
    discussion:
      "What is there already, by its id or by its time, artist and title, stays as it is, so a file can be taken in twice. Nothing is sent without --send.",
    examples: [
      "lunara scrobbles import listens.jsonl": "from an export, or from ListenBrainz",
      "lunara scrobbles import player.jsonl --send": "and scrobbles what is new",
    ],
    options: [.send],
    operand: .one("FILE", help: "JSON lines in the form of ListenBrainz"),
    action: .asynchronous { context in
      let client = try await Client(context)
      var total = Scrobble.Imported(added: 0, known: 0)
      func send(_ listens: [Scrobble.ImportedListen]) async throws {
        let answer = try await client.ask(
          Scrobble.ImportListens(listens: listens, sends: context.arguments.has(.send)), of: .scrobble)
        total.added += answer.added
        total.known += answer.known
      }
      var lines = try ListenFile.Listens(context.arguments.operands[0])
      var (batch, size) = ([Scrobble.ImportedListen](), 0)
      do {
        while let (listen, bytes) = try lines.next() {
          batch.append(listen)
          size += bytes
          // The limits of a request: 100 listens, and the size of a frame on the bus.
          if batch.count == 100 || size > 60_000 {
            let full = batch
            (batch, size) = ([], 0)
            try await send(full)
          }
        }
      } catch let error as LunaraError where error.code == "cli.badListenFile" {
        // The listens before an invalid line are valid.
        if !batch.isEmpty { try await send(batch) }
        throw error
      }
      if !batch.isEmpty { try await send(batch) }
      context.console.print(
        .object(["added": .count(total.added), "known": .count(total.known)]),
        text: "\(total.added) are new, \(total.known) were known.\n")
    })
}

enum ListenFile {
  /// Writes text to the end of a file. Throws `cli.badListenFile`.
  static func write(_ text: String, to file: Descriptor, _ name: String) throws {
    do throws(Errno) { try file.write(Array(text.utf8)) } catch {
      throw LunaraError("cli.badListenFile", "\(name) cannot be written. Is the disk full?", cause: error)
    }
  }

  /// Removes a file that could not be written to its end.
  static func discard(_ name: String, _ console: Console) {
    do { try Files.removeFile(name) } catch {
      console.note("\(name) has only a part of the listens and could not be removed: \(error)")
    }
  }

  /// Creates a new file that only its owner may read. Throws `cli.badListenFile`.
  static func create(_ name: String) throws -> Descriptor {
    do { return try Descriptor(opening: name, O_WRONLY | O_CREAT | O_EXCL) } catch {
      throw LunaraError(
        "cli.badListenFile", "\(name) cannot be made. Name a file that is not there yet, in a folder of yours.",
        cause: error)
    }
  }

  /// The listens of a file, read one after the other, so that the file may have any size.
  struct Listens {
    private let name: String
    private var lines: LineReader

    /// The largest size of a line, in bytes, about six times the largest listen that ListenBrainz accepts.
    private static let longestLine = 64 * 1024

    /// - Throws: `cli.badListenFile`.
    init(_ name: String) throws {
      self.name = name
      do { lines = try LineReader(name) } catch { throw Self.unreadable(name, error) }
    }

    /// Returns the next listen and the size of its line in bytes; nil at the end.
    ///
    /// - Throws: `cli.badListenFile` for a line that is no listen, or if reading fails.
    mutating func next() throws -> (listen: Scrobble.ImportedListen, bytes: Int)? {
      let line: [UInt8]
      do throws(Errno) {
        guard let next = try lines.next(limit: Self.longestLine) else { return nil }
        line = next
      } catch Errno.fileTooLarge {
        throw problem("is longer than a listen is: the file must have one listen a line")
      } catch {
        throw Self.unreadable(name, error)
      }
      guard let listen = ListenLine.listen(line) else {
        throw problem(
          "is no listen of ListenBrainz's form: it wants listened_at in seconds, artist_name and track_name")
      }
      return (listen, line.count)
    }

    private static func unreadable(_ name: String, _ error: Errno) -> LunaraError {
      LunaraError("cli.badListenFile", "\(name) cannot be read.", cause: error)
    }

    private func problem(_ what: String) -> LunaraError {
      LunaraError(
        "cli.badListenFile",
        "Line \(lines.number) of \(name) \(what). The lines before it were imported. Correct the line, then import the whole file again."
      )
    }
  }
}

/// A listen as a line of JSON in ListenBrainz's form (listenbrainz.readthedocs.io, JSON Documentation).
enum ListenLine {
  /// Returns the line of a listen. It includes the listen's id, by which an import recognises it.
  static func json(_ entry: Scrobble.Entry) -> JSON {
    let track = entry.track
    var more: [JSON.Member] = [
      .init(key: "media_player", value: .string("Lunara")), .init(key: "submission_client", value: .string("Lunara")),
      .init(key: "lunara_listen", value: .text(entry.listen)),
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
    return .object(["listened_at": .count(entry.startedAt.seconds), "track_metadata": .object(metadata)])
  }

  /// The upper bound of accepted times, in seconds: a larger number would be a time in milliseconds.
  private static let latest: Int64 = 100_000_000_000

  /// Reads a line; nil if a valid time, the artist or the title is missing.
  static func listen(_ line: [UInt8]) -> Scrobble.ImportedListen? {
    guard let view = JSONView(line), let time = view["listened_at"]?.integer, time > 0, time < latest,
      let data = view["track_metadata"], let artist = data["artist_name"]?.string, !artist.isEmpty,
      let title = data["track_name"]?.string, !title.isEmpty
    else { return nil }
    let more = data["additional_info"]
    let duration = more?["duration_ms"]?.integer ?? more?["duration"]?.integer.map { $0 &* 1000 }
    return Scrobble.ImportedListen(
      listen: more?["lunara_listen"]?.string.map { ListenID(rawValue: $0) }, startedAt: Timestamp(seconds: time),
      title: title, artist: artist, album: data["release_name"]?.string,
      albumArtist: more?["release_artist_name"]?.string,
      number: more?["tracknumber"]?.integer.map { Int(clamping: $0) },
      duration: duration.flatMap { $0 > 0 ? Milliseconds($0) : nil },
      recordingID: more?["recording_mbid"]?.string ?? data["mbid_mapping"]?["recording_mbid"]?.string,
      releaseID: more?["release_mbid"]?.string ?? data["mbid_mapping"]?["release_mbid"]?.string)
  }
}

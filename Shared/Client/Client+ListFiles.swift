import Bus
public import ListFiles
public import Messages
public import Model

/// Bringing list files into playlists, and taking playlists out as list files.
extension Client {
  /// The result of an import.
  public struct ImportReport: Sendable {  // memberwise
    /// The new playlist.
    public var playlist: Playlist
    /// The number of tracks that were recognised by each sign.
    public var counts: [Library.TrackMatch: Int] = [:]
    /// The tracks that are not in the library. They are in the playlist by their descriptions.
    public var missing: [DescribedTrack] = []
    /// The entries that were left out, as sentences for people.
    public var problems: [String] = []
  }

  /// The most tracks, and about the most bytes, of one request.
  private static let batch = (tracks: 500, bytes: 150_000)

  /// Makes a playlist of a list file. Where that fails halfway, the playlist is deleted again.
  ///
  /// - Parameters:
  ///   - list: the contents of the file.
  ///   - title: the title of the playlist.
  ///   - folder: the folder of the file; nil if it is not known to the library's machine.
  /// - Throws: the errors of `Library.CreatePlaylist` and `Library.ImportToPlaylist`.
  public func makePlaylist(of list: ListFile, title: String, folder: LocalPath? = nil) async throws -> ImportReport {
    // Longer texts of a file are cut to what a playlist can have.
    let made = try await ask(
      Library.CreatePlaylist(title: Self.cut(title, to: 500), summary: list.summary.map { Self.cut($0, to: 4000) }),
      of: .library)
    var report = ImportReport(
      playlist: made,
      problems: list.problems.map { "Entry \($0.place): \($0.reason)" })
    do {
      for tracks in Self.batches(of: list.tracks) {
        let answer = try await ask(
          Library.ImportToPlaylist(id: made.id, tracks: tracks, folder: folder), of: .library)
        report.playlist = answer.playlist
        for (track, match) in zip(tracks, answer.matches) {
          report.counts[match, default: 0] += 1
          if match == .missing { report.missing.append(track) }
        }
      }
    } catch {
      _ = try await ask(Library.DeletePlaylist(id: made.id), of: .library)
      throw error
    }
    return report
  }

  /// Returns the beginning of a text with at most this number of bytes.
  private static func cut(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var size = 0
    return String(
      text.prefix { character in
        size += character.utf8.count
        return size <= bytes
      })
  }

  /// Returns the tracks in parts that fit into one request each.
  private static func batches(of tracks: [DescribedTrack]) -> [[DescribedTrack]] {
    var batches: [[DescribedTrack]] = []
    var bytes = Self.batch.bytes
    for track in tracks {
      // A character may take six bytes in JSON.
      let texts = [track.title, track.artist, track.album, track.location].compactMap(\.self)
      let size = 200 + texts.reduce(0) { $0 + 2 * $1.utf8.count }
      if bytes + size > batch.bytes || batches.last?.count == batch.tracks {
        batches.append([])
        bytes = 0
      }
      batches[batches.count - 1].append(track)
      bytes += size
    }
    return batches
  }

  /// Reads the list file at an address.
  public func listFile(at address: String) async throws -> ListFile {
    let contents = try await ask(Library.ReadListFile(address: address), of: .library)
    return ListFile(title: contents.title, summary: contents.summary, tracks: contents.tracks)
  }

  /// Reads a playlist with the files of its tracks.
  public func listFile(of id: PlaylistID) async throws -> ListFile {
    let whole = try await Self.whole {
      try await ask(Library.ExportPlaylist(id: id, after: $0), of: .library)
    } adding: {
      $0.tracks += $1.tracks
    }
    return ListFile(title: whole.playlist.title, summary: whole.playlist.summary, tracks: whole.tracks)
  }

  /// Makes a smart playlist of a file of rules (`.nsp`).
  ///
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - title: the title; nil for the name that the file says.
  ///   - other: the title where the file says none.
  public func makeSmartPlaylist(of text: String, title: String?, orElse other: String) async throws -> Playlist {
    let view = JSONView(Array(text.utf8))
    return try await ask(
      Library.CreatePlaylist(
        title: title ?? view?["name"]?.string ?? other, summary: view?["comment"]?.string, rules: text), of: .library)
  }

  /// Returns the rules of a smart playlist as a file of rules (`.nsp`), and its title.
  ///
  /// - Throws: `library.badRules` for a playlist that has none.
  public func ruleFile(of id: PlaylistID) async throws -> (title: String, text: String) {
    let page = try await ask(Library.ReadPlaylist(id: id), of: .library)
    guard let rules = page.rules else {
      throw LunaraError(
        "library.badRules", "\(page.playlist.title) has entries and no rules. Write it as M3U8, XSPF, JSPF or PLS.")
    }
    // The name and the description are the first members.
    var members = [JSON.Member(key: "name", value: .string(page.playlist.title))]
    if let summary = page.playlist.summary { members.append(.init(key: "comment", value: .string(summary))) }
    return (page.playlist.title, "\(JSON.object(members).description.dropLast()),\(rules.dropFirst())\n")
  }
}

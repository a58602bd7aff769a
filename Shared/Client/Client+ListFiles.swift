import Bus
public import ListFiles
public import Messages
public import Model

/// Bringing list files into playlists, and taking playlists out as list files.
extension Client {
  /// The result of an import.
  public struct ImportReport: Sendable {
    /// The new playlist.
    public var playlist: Playlist
    /// The number of tracks that were recognised by each sign.
    public var counts: [Library.TrackMatch: Int]
    /// The tracks that are not in the library. They are in the playlist by their descriptions.
    public var missing: [DescribedTrack]
    /// The entries that were left out, as sentences for people.
    public var problems: [String]
  }

  /// The most tracks, and about the most bytes, of one request.
  private static let batch = (tracks: 500, bytes: 150_000)

  /// Makes a playlist of a list file. Where that fails halfway, the playlist is deleted again.
  ///
  /// - Parameters:
  ///   - list: the contents of the file.
  ///   - title: the title of the playlist.
  ///   - folder: the folder of the file; nil where it is not known to the library's machine.
  /// - Throws: the errors of `Library.CreatePlaylist` and `Library.ImportToPlaylist`.
  public func makePlaylist(of list: ListFile, title: String, folder: LocalPath? = nil) async throws -> ImportReport {
    let made = try await ask(Library.CreatePlaylist(title: title, summary: list.summary), of: .library)
    var report = ImportReport(
      playlist: made, counts: [:], missing: [],
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
}

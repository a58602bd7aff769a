public import Model

/// Bringing list files into playlists, and taking playlists out as list files. Clients read and write the files
/// themselves (`ListFile`), so that a list may be on another machine than the library.
extension Library {
  /// Adds the tracks of a list file to the end of a playlist: those that are in the library as its tracks, all others
  /// as described ones. The client reads the file. The path of a track counts first, then the end of its path, the ids
  /// of its recording, and its artist and title. Since 0.2.
  public struct ImportToPlaylist: CommandRequest {
    public static let kind = "library.import-to-playlist"
    /// The playlist after the change, and how each track was found; refused with `library.unknownID`,
    /// `library.notEditable`, `library.badPlaylist`, `library.playlistFull`.
    public typealias Answer = ImportedTracks
    /// The playlist.
    public var id: PlaylistID
    /// The tracks, at most 500. Their `location` may be a path, relative to `folder` or absolute, or a `file:` URL.
    public var tracks: [DescribedTrack]
    /// The folder of the list file, for relative paths; nil if it is not known, or on another machine.
    public var folder: LocalPath? = nil
  }

  /// The result of adding the tracks of a list file.
  public struct ImportedTracks: Codable, Hashable, Sendable {
    /// The playlist after the change.
    public var playlist: Playlist
    /// The sign by which each track was recognised, in the order of the request.
    public var matches: [TrackMatch]
  }

  /// The sign by which a described track was recognised in the library.
  public enum TrackMatch: String, TolerantName, CaseIterable {
    /// Its file.
    case file
    /// The end of its path: the name of the file and at least one folder.
    case path
    /// The MusicBrainz id of the recording.
    case recording
    /// Its ISRC.
    case isrc
    /// Its artist and title.
    case names
    /// Nothing: it is not in the library.
    case missing
    /// A value that this version does not know.
    case unknown
  }

  /// Reads the list file at an address on the network. Addresses in a private network are refused. Since 0.2.
  public struct ReadListFile: ReadRequest {
    public static let kind = "library.read-list-file"
    /// The list; refused with `library.badListFile`, `library.listFileTooLarge`, `http.privateAddress` and the other
    /// errors of a request to a server. Other errors of a request to a server may refuse it too.
    public typealias Answer = ListFileContents
    /// The address, with https or http.
    public var address: String
  }

  /// The contents of a list file.
  public struct ListFileContents: Codable, Hashable, Sendable {
    /// The title that the file says; nil if it says none.
    public var title: String? = nil
    /// The description that the file says; nil if it says none.
    public var summary: String? = nil
    /// The tracks, at most 500.
    public var tracks: [DescribedTrack]
    /// The entries that were left out, as sentences for people, at most 20.
    public var problems: [String] = []
  }

  /// Reads a playlist with the files of its tracks, from which the client writes a list file. Since 0.2.
  public struct ExportPlaylist: ReadRequest {
    public static let kind = "library.export-playlist"
    /// The playlist and its tracks in its order; refused with `library.unknownID`, `library.badCursor`.
    public typealias Answer = ExportedPlaylist
    /// The playlist.
    public var id: PlaylistID
    /// The cursor: `next` of the page before; nil for the first page of at most 200 tracks.
    public var after: String? = nil
  }

  /// A page of a playlist with the files of its tracks.
  public struct ExportedPlaylist: Codable, Hashable, Sendable {
    /// The playlist.
    public var playlist: Playlist
    /// The tracks in the order of the playlist, 200 a page. Their `location` is the absolute path of the file on the
    /// library's machine, or a `file:` URL where the path is no UTF-8; nil for a track without a file there.
    public var tracks: [DescribedTrack]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }
}

public import Model

/// Reading playlists, those of sources and those of the library itself.
extension Library {
  /// Reads a page of playlists, by title.
  public struct ListPlaylists: ReadRequest {
    public static let kind = "library.list-playlists"
    /// Sorted playlists and the cursor of the next page; refused with `library.badCursor`.
    public typealias Answer = Page<Playlist>
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
  }

  /// Reads a playlist with a page of its tracks.
  public struct ReadPlaylist: ReadRequest {
    public static let kind = "library.read-playlist"
    /// The playlist and its tracks in its order; refused with `library.unknownID`, `library.badCursor`.
    public typealias Answer = PlaylistPage
    /// The playlist.
    public var id: PlaylistID
    /// The cursor: `next` of the page before; nil for the first page of at most 200 tracks.
    public var after: String? = nil
  }

  /// A playlist with a page of its entries.
  public struct PlaylistPage: Codable, Hashable, Sendable {
    /// The playlist.
    public var playlist: Playlist
    /// The tracks in the order of the playlist, 200 a page; the same track may occur several times.
    public var tracks: [Track]
    /// The entries in the order of the playlist: each without a description stands for the next one of `tracks`. Nil
    /// from a library that is too old for them: then each track is an entry.
    public var entries: [PlaylistEntry]? = nil
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
    /// The rules of a smart playlist of the library itself, as JSON in the form of `.nsp` files; nil for others. The
    /// entries of a smart playlist are numbered by their places.
    public var rules: String? = nil
  }

  /// Counts the tracks that the rules of a smart playlist find, for a person who is writing them. Since 0.2.
  public struct PreviewRules: ReadRequest {
    public static let kind = "library.preview-rules"
    /// The counts and the first tracks; refused with `library.badRules`, whose cause is the place in the rules.
    public typealias Answer = RulesPreview
    /// The rules, as JSON in the form of `.nsp` files.
    public var rules: String
  }

  /// The tracks that rules find.
  public struct RulesPreview: Codable, Hashable, Sendable {
    /// The number of tracks.
    public var trackCount: Int
    /// Their total length.
    public var duration: Milliseconds
    /// The first of them, at most 20.
    public var tracks: [Track]
  }

  /// One entry of a playlist.
  public struct PlaylistEntry: Codable, Hashable, Sendable {
    /// The id of the entry, from 1, which it keeps when it is moved; no other entry of any playlist has it.
    public var entry: Int64
    /// The description of a track that is not in the library; nil for one that is.
    public var described: DescribedTrack? = nil
  }
}

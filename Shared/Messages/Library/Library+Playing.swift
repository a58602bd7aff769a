public import Model

/// The requests of rooms and of the router: tracks to play, the location of their audio, and the albums with which a
/// queue continues.
extension Library {
  /// Lists the tracks of items of any kind in playing order. The router sends them to a room.
  public struct ListPlayable: ReadRequest {
    public static let kind = "library.list-playable"
    /// A page of tracks with their files; refused with `library.unknownID`, `library.tooManyIDs`, `library.badCursor`.
    public typealias Answer = PlayablePage
    /// The ids of albums, tracks, artists, works, folders, collections and playlists; ids of copies lead to the tracks
    /// that are shown. `library:all` means all tracks in the order of their arrival; `library:search:WORDS` all tracks
    /// that the words find, or if there are none all albums, or else all artists; `library:theme:NUMBER` the albums of
    /// a theme.
    public var ids: [PlayableID]
    /// The cursor: `next` of the page before; nil for the first page of at most 100 tracks.
    public var after: String? = nil
  }

  /// A page of tracks to play.
  public struct PlayablePage: Codable, Hashable, Sendable {
    /// The tracks in playing order, each with its file on the library's host.
    public var tracks: [PlayableTrack]
    /// The cursor of the next page; nil on the last.
    public var next: String?
  }

  /// A track and the file of its audio.
  public struct PlayableTrack: Codable, Hashable, Sendable {
    /// The track; for one that is not in the library `DescribedTrack.track`.
    public var track: Track
    /// The file on the library's host; nil if there is none.
    public var path: LocalPath?
    /// The id of the library's host.
    public var host: String
    /// The part of the file that is the track; nil for the whole file.
    public var segment: AudioSegment? = nil
    /// The description of a track that is not in the library, such as an entry of a playlist; nil for others.
    public var described: DescribedTrack? = nil
  }

  /// Asks for the location from which a track's audio can be read now: that of the best copy that is available soon. If
  /// a copy does not answer within 3 s the next one is tried, and the last one has 10 s.
  public struct LocateTrack: ReadRequest {
    public static let kind = "library.locate-track"
    /// The location; refused with `library.gone`, `library.outsideFolders`, `library.pathTooLong`, `library.mediaAway`,
    /// `library.signedOut`, `library.sourceAway`, `library.unknownID`, `library.fileMissing` or `library.notHere`.
    public typealias Answer = Locator
    /// The track.
    public var id: TrackID
    /// The id of the asking room's host: a path is returned only to the library's own host, and an address of
    /// `lunara-media` to others.
    public var host: String
    /// The description of a described track, which is looked for in the library now, by ids, artist and title; nil for
    /// others.
    public var described: DescribedTrack? = nil
  }

  /// Asks for the location from which a picture can be read now.
  public struct LocateArt: ReadRequest {
    public static let kind = "library.locate-art"
    /// The location of the picture file; refused with `library.outsideFolders`, `library.artUnwritable`,
    /// `library.badPicture`, `library.noArtworkWorker`, `library.noTagReader`, `library.pathTooLong`,
    /// `library.mediaAway`, `library.unknownID` or `library.fileMissing`.
    public typealias Answer = Locator
    /// The picture.
    public var id: ArtID
    /// The id of the asking node's host.
    public var host: String
    /// The needed length of the longest side, in pixels. The picture is returned in the smallest of the sizes 300 and
    /// 1024 that is not less; nil for the picture as the source has it.
    public var size: Int? = nil
    /// True if the asking node can show WebP; nil for false.
    public var takesWebP: Bool? = nil
  }

  /// The location of a file, and the part of it that is the track; nil for the whole file. It is kept in memory only:
  /// never journaled, logged or kept on disk.
  public enum Locator: Hashable, Sendable {
    /// The path of a file on the asking node's own host.
    case file(LocalPath, segment: AudioSegment? = nil)
    /// A URL with headers. `expiresIn` is the time after the answer for which it is valid; nil if only the source
    /// limits that. `plugin` is the plugin that gave it; nil for music of the library.
    case url(
      String, headers: [String: String], expiresIn: Milliseconds? = nil, segment: AudioSegment? = nil,
      plugin: PluginSource? = nil)

    /// The part of the file that is the track; nil for the whole file.
    public var segment: AudioSegment? {
      switch self {
      case .file(_, let segment), .url(_, _, _, let segment, _): segment
      }
    }
  }

  /// The plugin that gave the address of a described track.
  public struct PluginSource: Codable, Hashable, Sendable {
    /// The id of the plugin.
    public var id: String
    /// Its name for people.
    public var name: String
    /// The name of the plugin that comes before it, whose music could not be played; nil if there is none.
    public var insteadOf: String? = nil
    /// True if the address may be read at public servers only, as a stranger chose it.
    public var isPublic: Bool = true
    /// True if the address has only a preview, about 30 s of the track; nil for the whole track.
    public var isPreview: Bool? = nil
  }

  /// The list of albums in which a person chose one; a queue continues with it. At most one of `artist`, `collection`
  /// and `albums` is given; without one, all albums are meant.
  public struct AlbumList: Codable, Hashable, Sendable {
    /// The order of all albums, or of those with the tags, as for `ListAlbums`.
    public var sort: Sort = .name
    /// The seed of the random order.
    public var seed: Int64? = nil
    /// Only albums with this tag; nil for all.
    public var tag: Tag? = nil
    /// Only albums with these tags beside `tag`: of one kind any of them, of several kinds one of each.
    public var tags: [Tag]? = nil
    /// True for the opposite direction of the order; nil for false. Since 0.2.
    public var isReversed: Bool? = nil
    /// If set, the list is the albums of this artist, by year.
    public var artist: ArtistID? = nil
    /// If set, the list is the albums of this collection, in its order.
    public var collection: CollectionID? = nil
    /// If set, the list is these albums in this order, at most 200, such as the results of a search.
    public var albums: [AlbumID]? = nil
    /// If set, the list is this wall or feed, which `lunara-discovery` continues. Since 0.2.
    public var wall: Discovery.WallName? = nil
  }

  /// Lists the albums that follow one in a list. If that album was removed, the answer has the albums after its former
  /// position, or none if that is not known.
  public struct ListNextAlbums: ReadRequest {
    public static let kind = "library.list-following"
    /// The albums, and a cursor that is not nil if there are more.
    public typealias Answer = Page<Album>
    /// The list.
    public var list: AlbumList
    /// The album.
    public var after: AlbumID
    /// The largest number of albums; at most 20.
    public var limit: Int = 4
  }

  /// Asks which tracks of a queue are gone: their source has lost them since, or was removed. A track that only got
  /// another id at its server is not gone.
  public struct ListRemovedTracks: ReadRequest {
    public static let kind = "library.list-gone"
    /// The tracks that were removed for good; refused with `library.tooManyIDs`.
    public typealias Answer = RemovedTracks
    /// The tracks, at most 500.
    public var tracks: [TrackID]
  }

  /// Tracks that were removed.
  public struct RemovedTracks: Codable, Hashable, Sendable {
    /// The ids of the removed tracks, as they were given.
    public var tracks: [TrackID]
    /// The generation of the catalogue from which this follows.
    public var generation: Int64
  }
}

extension Library.Locator: Codable {
  private struct Form: Codable {
    enum Name: String, Codable { case file, url }

    /// `file` or `url`; a reader treats any other name as an error.
    var name: Name
    /// The path of `file`.
    var path: LocalPath?
    /// The address of `url`.
    var url: String?
    /// The names and values of HTTP headers, for `url`.
    var headers: [String: String]?
    /// The time after the answer for which the address of `url` is valid; nil if only the source limits that.
    var expiresIn: Milliseconds?
    /// The part of the file that is the track; nil for the whole file.
    var segment: AudioSegment?
    /// The plugin that gave the address; nil for music of the library.
    var plugin: Library.PluginSource?
  }

  /// Reads `{"name": "file", "path": …}` or `{"name": "url", "url": …, "headers": …, "expiresIn": …,
  /// "plugin": …}`, each with an optional `segment`. Any other name is an error, as a location of an unknown form is of
  /// no use.
  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    self =
      switch form.name {
      case .file: .file(try form.path.required(by: decoder), segment: form.segment)
      case .url:
        .url(
          try form.url.required(by: decoder), headers: form.headers ?? [:], expiresIn: form.expiresIn,
          segment: form.segment, plugin: form.plugin)
      }
  }

  /// Writes the form that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    let form =
      switch self {
      case .file(let path, let segment): Form(name: .file, path: path, segment: segment)
      case .url(let url, let headers, let time, let segment, let plugin):
        Form(name: .url, url: url, headers: headers, expiresIn: time, segment: segment, plugin: plugin)
      }
    try form.encode(to: encoder)
  }
}

extension Library.PlayableTrack {
  /// Creates the entry of a track that is not in the library.
  public init(_ described: DescribedTrack, host: String) {
    self.init(track: described.track, path: nil, host: host, described: described)
  }
}

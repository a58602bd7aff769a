import Model

/// A track of the library with its path in the tree that clients browse.
struct Song: Sendable, Equatable {
  let id: TrackID
  let album: AlbumID
  /// The path, such as `Artist/Album (1999)/01 Title`.
  let path: String
  let tags: SongTags
  let art: ArtID?
  let duration: Milliseconds

  init(_ track: Track, path: String) {
    id = track.id
    album = track.albumID
    self.path = path
    tags = SongTags(track)
    art = track.art
    duration = track.duration
  }

  func values(of tag: SongTag) -> [String] { tags.values(of: tag) }
}

/// The tags of a song.
struct SongTags: Sendable, Equatable {
  private let title: String
  private let artists: [String]
  private let album: String
  private let albumArtist: String
  private let disc: Int
  private let number: Int?
  private let year: Int?
  private let genres: [String]
  private let composer: String?
  private let work: String?
  private let recordingID: String?
  private let releaseID: String?
  private let artistIDs: [String]

  init(_ track: Track) {
    title = track.title
    artists = track.artists?.map(\.name) ?? (track.artist.isEmpty ? [] : [track.artist])
    album = track.album
    albumArtist = track.albumArtist
    disc = track.disc
    number = track.number
    year = track.year
    genres = track.genres
    composer = track.composer
    work = track.work?.title
    recordingID = track.recordingID
    releaseID = track.releaseID
    artistIDs = track.artistIDs ?? []
  }

  /// The values of a tag; empty if the song does not have it.
  func values(of tag: SongTag) -> [String] {
    switch tag {
    case .artist: artists
    case .album: album.isEmpty ? [] : [album]
    case .albumArtist: albumArtist.isEmpty ? artists : [albumArtist]
    case .title: title.isEmpty ? [] : [title]
    case .track: number.map { ["\($0)"] } ?? []
    case .genre: genres
    case .date: year.map { ["\($0)"] } ?? []
    case .composer: composer.map { [$0] } ?? []
    case .work: work.map { [$0] } ?? []
    case .disc: ["\(disc)"]
    case .artistID: artistIDs
    case .albumID: releaseID.map { [$0] } ?? []
    case .recordingID: recordingID.map { [$0] } ?? []
    }
  }
}

extension Reply {
  /// Adds a song: `file` first, then its tags as far as the client wants them, then its length.
  mutating func add(
    path: String, tags: SongTags, duration: Milliseconds, mask: Set<SongTag>
  ) {
    add("file", path)
    for tag in SongTag.allCases where mask.contains(tag) {
      for value in tags.values(of: tag) { add(tag.rawValue, value) }
    }
    guard duration > .zero else { return }
    add("Time", duration.roundedSeconds)
    add("duration", duration.decimal)
  }

  /// Adds a song of the library.
  mutating func add(_ song: Song, mask: Set<SongTag>) {
    add(path: song.path, tags: song.tags, duration: song.duration, mask: mask)
  }
}

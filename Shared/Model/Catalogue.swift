/// An album as programs show it.
public struct Album: Codable, Hashable, Sendable {
  /// The id; for an album that was merged from several, the smallest of its members' ids.
  public var id: AlbumID
  /// The title as the source spells it.
  public var title: String
  /// The album artist.
  public var artist: String
  /// The album artist's id; nil if the source does not give it.
  public var artistID: ArtistID?
  /// The year of release; nil if unknown.
  public var year: Int?
  /// The genres of all its tracks, each in its first spelling.
  public var genres: [String]
  /// The number of tracks.
  public var trackCount: Int
  /// The total length of all tracks.
  public var duration: Milliseconds
  /// The time when the library first found it.
  public var addedAt: Timestamp
  /// The last time when a track of it counted as heard; nil if never.
  public var lastPlayedAt: Timestamp?
  /// The cover; nil if it has none.
  public var art: ArtID?
  /// The rating by a person; nil if it has none.
  public var rating: Rating?
  /// The colours of the cover; nil until they are known.
  public var palette: Palette?

  public init(
    id: AlbumID, title: String, artist: String, artistID: ArtistID? = nil, year: Int? = nil, genres: [String] = [],
    trackCount: Int, duration: Milliseconds, addedAt: Timestamp, lastPlayedAt: Timestamp? = nil, art: ArtID? = nil,
    rating: Rating? = nil, palette: Palette? = nil
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.artistID = artistID
    self.year = year
    self.genres = genres
    self.trackCount = trackCount
    self.duration = duration
    self.addedAt = addedAt
    self.lastPlayedAt = lastPlayedAt
    self.art = art
    self.rating = rating
    self.palette = palette
  }
}

/// A track as programs show it.
public struct Track: Codable, Hashable, Sendable {
  /// The id.
  public var id: TrackID
  /// The id of its album.
  public var albumID: AlbumID
  /// The title.
  public var title: String
  /// The track's own artist, or the album artist if it has none.
  public var artist: String
  /// The album artist.
  public var albumArtist: String
  /// The title of its album.
  public var album: String
  /// The number of its disc, from 1.
  public var disc: Int
  /// The number on the disc, from 1; nil if unknown.
  public var number: Int?
  /// The year of release; nil if unknown.
  public var year: Int?
  /// The genres in the source's spelling.
  public var genres: [String]
  /// The length.
  public var duration: Milliseconds
  /// The MusicBrainz recording id; nil if unknown.
  public var recordingID: String?
  /// The MusicBrainz release id; nil if unknown.
  public var releaseID: String?
  /// The MusicBrainz id of its release group; nil if unknown.
  public var releaseGroupID: String?
  /// The MusicBrainz ids of its own artists, in their order; nil if unknown.
  public var artistIDs: [String]?
  /// The International Standard Recording Code; nil if unknown.
  public var isrc: String?
  /// The cover; nil if it has none.
  public var art: ArtID?
  /// The rating by a person; nil if it has none.
  public var rating: Rating?
  /// The loudness; nil if it was not measured.
  public var levels: Levels?
  /// The key of the library section that it is in, as in `SourceDetail.Section`; nil if the source has no sections.
  public var section: String?

  public init(
    id: TrackID, albumID: AlbumID, title: String, artist: String, albumArtist: String, album: String, disc: Int = 1,
    number: Int? = nil, year: Int? = nil, genres: [String] = [], duration: Milliseconds, recordingID: String? = nil,
    releaseID: String? = nil, releaseGroupID: String? = nil, artistIDs: [String]? = nil, isrc: String? = nil,
    art: ArtID? = nil, rating: Rating? = nil, levels: Levels? = nil, section: String? = nil
  ) {
    self.id = id
    self.albumID = albumID
    self.title = title
    self.artist = artist
    self.albumArtist = albumArtist
    self.album = album
    self.disc = disc
    self.number = number
    self.year = year
    self.genres = genres
    self.duration = duration
    self.recordingID = recordingID
    self.releaseID = releaseID
    self.releaseGroupID = releaseGroupID
    self.artistIDs = artistIDs
    self.isrc = isrc
    self.art = art
    self.rating = rating
    self.levels = levels
    self.section = section
  }
}

/// An album artist as programs show them.
public struct Artist: Codable, Hashable, Sendable {
  /// The artist's id.
  public var id: ArtistID
  /// The name as the source spells it.
  public var name: String
  /// The number of albums by this album artist.
  public var albumCount: Int
  /// The artist's picture; nil if there is none.
  public var art: ArtID?

  public init(id: ArtistID, name: String, albumCount: Int, art: ArtID? = nil) {
    self.id = id
    self.name = name
    self.albumCount = albumCount
    self.art = art
  }
}

/// A playlist as programs show it: tracks in the order that a person chose. It is read from its source and never
/// changed.
public struct Playlist: Codable, Hashable, Sendable {
  /// The id.
  public var id: PlaylistID
  /// The title as the source spells it.
  public var title: String
  /// The number of entries; a track may be in several.
  public var trackCount: Int
  /// The total length of all entries.
  public var duration: Milliseconds
  /// True if the source fills it by a rule.
  public var isSmart: Bool
  /// The picture; nil if it has none.
  public var art: ArtID?

  public init(
    id: PlaylistID, title: String, trackCount: Int, duration: Milliseconds, isSmart: Bool = false, art: ArtID? = nil
  ) {
    self.id = id
    self.title = title
    self.trackCount = trackCount
    self.duration = duration
    self.isSmart = isSmart
    self.art = art
  }
}

/// A collection as programs show it: items that a person gathered under a title.
public struct MusicCollection: Codable, Hashable, Sendable {
  /// The id.
  public var id: CollectionID
  /// The title as the source spells it.
  public var title: String
  /// The number of albums, artists and tracks in it.
  public var itemCount: Int
  /// True if a person pinned it, so that it is listed first.
  public var isPinned: Bool
  /// The source's description; nil if it has none.
  public var summary: String?
  /// The picture; nil if it has none.
  public var art: ArtID?

  public init(
    id: CollectionID, title: String, itemCount: Int, isPinned: Bool = false, summary: String? = nil, art: ArtID? = nil
  ) {
    self.id = id
    self.title = title
    self.itemCount = itemCount
    self.isPinned = isPinned
    self.summary = summary
    self.art = art
  }
}

/// A person's rating of an item, in half stars: 0 to 10, where 10 is five stars. Encoded as that number.
public struct Rating: RawRepresentable, Codable, Hashable, Sendable, Comparable {
  /// The number of half stars, 0 to 10.
  public var rawValue: Int

  /// Creates a rating of this number of half stars; nil unless it is 0 to 10.
  public init?(rawValue: Int) {
    guard (0...10).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Creates a rating from stars, such as 4 or 3.5; nil unless they are 0 to 5 in steps of a half.
  public init?(stars: Double) {
    guard stars.isFinite, (0...5).contains(stars), (stars * 2).rounded() == stars * 2 else { return nil }
    rawValue = Int(stars * 2)
  }

  /// The number of stars, 0 to 5 in steps of a half.
  public var stars: Double { Double(rawValue) / 2 }

  /// Orders by stars.
  public static func < (left: Rating, right: Rating) -> Bool { left.rawValue < right.rawValue }
}

/// The loudness of a track and its album, from the file's tags or from the server. Gains are relative to -18 LUFS
/// (ReplayGain 2); values that were not measured are nil.
public struct Levels: Codable, Hashable, Sendable {
  /// The gain that brings the track to the reference, in dB.
  public var trackGain: Double?
  /// The track's peak sample on a linear scale, where 1 is full scale.
  public var trackPeak: Double?
  /// The gain that brings the album to the reference, in dB.
  public var albumGain: Double?
  /// The album's peak sample on a linear scale.
  public var albumPeak: Double?

  public init(
    trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil
  ) {
    self.trackGain = trackGain
    self.trackPeak = trackPeak
    self.albumGain = albumGain
    self.albumPeak = albumPeak
  }

  /// True if nothing was measured.
  public var isEmpty: Bool { trackGain == nil && trackPeak == nil && albumGain == nil && albumPeak == nil }
}

/// The colours of a cover, each `#rrggbb`.
public struct Palette: Codable, Hashable, Sendable {
  /// The most prominent colour.
  public var first: String
  /// A second colour that can be told apart from the first.
  public var second: String
  /// A dark colour that is frequent in the picture, for use as a background.
  public var dark: String

  public init(first: String, second: String, dark: String) {
    self.first = first
    self.second = second
    self.dark = dark
  }
}

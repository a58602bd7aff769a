/// An album as every program shows it.
public struct Album: Codable, Hashable, Sendable {
  /// Its id; the smallest of its members' ids where it was merged from several.
  public var id: AlbumID
  /// Its title as the source spells it.
  public var title: String
  /// The album artist.
  public var artist: String
  /// The album artist's id; nil where the source knows none.
  public var artistID: ArtistID?
  /// The year of release; nil where unknown.
  public var year: Int?
  /// The union of its tracks' genres, first spelling wins.
  public var genres: [String]
  /// The number of tracks it has.
  public var trackCount: Int
  /// The length of all tracks together.
  public var duration: Milliseconds
  /// The moment it was first seen.
  public var addedAt: Timestamp
  /// The moment a track of it last counted as heard; nil where never.
  public var lastPlayedAt: Timestamp?
  /// Its cover; nil where it has none.
  public var art: ArtID?
  /// The rating that a person gave it; nil where it has none.
  public var rating: Rating?
  /// The colours of its cover; nil until they are known.
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

/// A track as every program shows it.
public struct Track: Codable, Hashable, Sendable {
  /// Its id.
  public var id: TrackID
  /// The album it is on.
  public var albumID: AlbumID
  /// Its title.
  public var title: String
  /// The track's own artist, or the album artist where it names none.
  public var artist: String
  /// The album artist.
  public var albumArtist: String
  /// The title of its album.
  public var album: String
  /// The number of its disc, from 1.
  public var disc: Int
  /// Its number on the disc, from 1; nil where unknown.
  public var number: Int?
  /// The year of release; nil where unknown.
  public var year: Int?
  /// Its genres in the source's spelling.
  public var genres: [String]
  /// Its length.
  public var duration: Milliseconds
  /// Its MusicBrainz recording id; nil where unknown.
  public var recordingID: String?
  /// Its MusicBrainz release id; nil where unknown.
  public var releaseID: String?
  /// The MusicBrainz id of its release group; nil where unknown.
  public var releaseGroupID: String?
  /// The MusicBrainz ids of its own artists, in their order; nil where unknown.
  public var artistIDs: [String]?
  /// Its International Standard Recording Code; nil where unknown.
  public var isrc: String?
  /// Its cover; nil where it has none.
  public var art: ArtID?
  /// The rating that a person gave it; nil where it has none.
  public var rating: Rating?
  /// Its loudness; nil where nobody measured it.
  public var levels: Levels?
  /// The library section of its source that it is in, as its source names it; nil where the source has none.
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

/// An artist as every program shows it: one who has albums of their own.
public struct Artist: Codable, Hashable, Sendable {
  /// The artist's id.
  public var id: ArtistID
  /// The name as the source spells it.
  public var name: String
  /// The number of albums that carry this album artist.
  public var albumCount: Int
  /// Their picture; nil where there is none.
  public var art: ArtID?

  public init(id: ArtistID, name: String, albumCount: Int, art: ArtID? = nil) {
    self.id = id
    self.name = name
    self.albumCount = albumCount
    self.art = art
  }
}

/// Tracks in an order that someone chose, as every program shows it. It is read from its source and not changed.
public struct Playlist: Codable, Hashable, Sendable {
  /// Its id.
  public var id: PlaylistID
  /// Its title as the source spells it.
  public var title: String
  /// The number of places it has; a track may stand at several.
  public var trackCount: Int
  /// The length of all of them together.
  public var duration: Milliseconds
  /// True if its source fills it by a rule.
  public var isSmart: Bool
  /// Its picture; nil where it has none.
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

/// Things that someone gathered under a name, as every program shows it.
public struct MusicCollection: Codable, Hashable, Sendable {
  /// Its id.
  public var id: CollectionID
  /// Its title as the source spells it.
  public var title: String
  /// The number of albums, artists and tracks it holds.
  public var itemCount: Int
  /// True if a person wants it first.
  public var isPinned: Bool
  /// The text that its source has about it; nil where it has none.
  public var summary: String?
  /// Its picture; nil where it has none.
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

/// A person's rating of something, in half stars: 0 to 10, where 10 is five stars. Encoded as that number.
public struct Rating: RawRepresentable, Codable, Hashable, Sendable, Comparable {
  /// Half stars, 0 to 10.
  public var rawValue: Int

  /// Makes a rating of so many half stars; nil for less than 0 or more than 10.
  public init?(rawValue: Int) {
    guard (0...10).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Reads stars as people write them, in halves: `4`, `3.5`; nil for anything else, and beyond 0 to 5.
  public init?(stars: Double) {
    guard stars.isFinite, (0...5).contains(stars), (stars * 2).rounded() == stars * 2 else { return nil }
    rawValue = Int(stars * 2)
  }

  /// Stars, 0 to 5 in halves.
  public var stars: Double { Double(rawValue) / 2 }

  /// Orders by stars.
  public static func < (left: Rating, right: Rating) -> Bool { left.rawValue < right.rawValue }
}

/// The loudness of a track and its album, as measured by who made the tags or by the server. Gains are relative to
/// -18 LUFS (ReplayGain 2); what was not measured is nil.
public struct Levels: Codable, Hashable, Sendable {
  /// The gain that brings the track to the reference, in dB.
  public var trackGain: Double?
  /// The track's highest sample, linear, where 1 is full scale.
  public var trackPeak: Double?
  /// The gain that brings the album to the reference, in dB.
  public var albumGain: Double?
  /// The album's highest sample, linear.
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
  /// The colour that stands out most.
  public var first: String
  /// Another one, well apart from the first.
  public var second: String
  /// A dark one that most of the picture agrees with: fit as a background.
  public var dark: String

  public init(first: String, second: String, dark: String) {
    self.first = first
    self.second = second
    self.dark = dark
  }
}

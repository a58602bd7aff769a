/// An album as every surface shows it.
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
  /// How many tracks it has.
  public var trackCount: Int
  /// The length of all tracks together.
  public var duration: Milliseconds
  /// When it was first seen.
  public var addedAt: Timestamp
  /// When a track of it last counted as heard; nil where never.
  public var lastPlayedAt: Timestamp?
  /// Its cover; nil where it has none.
  public var art: ArtID?
  /// What a person gave it; nil where it has no rating.
  public var rating: Rating?
  /// The colours of its cover; nil until they are known.
  public var palette: Palette?

  /// Makes an album from all its parts.
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

/// A track as every surface shows it.
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
  /// What a person gave it; nil where it has no rating.
  public var rating: Rating?
  /// How loud it is; nil where nobody measured it.
  public var levels: Levels?
  /// The library section of its source that it is in, as its source names it; nil where the source has none.
  public var section: String?

  /// Makes a track from all its parts.
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

/// An artist as every surface shows it: one who has albums of their own.
public struct Artist: Codable, Hashable, Sendable {
  /// The artist's id.
  public var id: ArtistID
  /// The name as the source spells it.
  public var name: String
  /// How many albums carry this album artist.
  public var albumCount: Int
  /// Their picture; nil where there is none.
  public var art: ArtID?

  /// Makes an artist from all its parts.
  public init(id: ArtistID, name: String, albumCount: Int, art: ArtID? = nil) {
    self.id = id
    self.name = name
    self.albumCount = albumCount
    self.art = art
  }
}

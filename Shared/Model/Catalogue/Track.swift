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
  /// The number as the tag writes it where that says more, such as `A1` for a side of a record; else nil.
  public var numberText: String?
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
  /// The rating by a person in half stars, 0 to 10; nil if it has none.
  public var rating: Rating?
  /// The loudness; nil if it was not measured.
  public var levels: Levels?
  /// The key of the library section that it is in, as in `SourceDetail.Section`; nil if the source has no sections.
  public var section: String?
  /// The names in `artist` one by one, with their artists; nil for a single artist, who is the one that `artist` names.
  public var artists: [ArtistName]?
  /// The composers as one text; nil if the tags name none.
  public var composer: String?
  /// The work that this is a recording of; nil if the tags name none.
  public var work: Work?

  public init(
    id: TrackID, albumID: AlbumID, title: String, artist: String, albumArtist: String, album: String, disc: Int = 1,
    number: Int? = nil, year: Int? = nil, genres: [String] = [], duration: Milliseconds, recordingID: String? = nil,
    releaseID: String? = nil, releaseGroupID: String? = nil, artistIDs: [String]? = nil, isrc: String? = nil,
    art: ArtID? = nil, rating: Rating? = nil, levels: Levels? = nil, section: String? = nil,
    artists: [ArtistName]? = nil, composer: String? = nil, work: Work? = nil
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
    self.artists = artists
    self.composer = composer
    self.work = work
  }
}

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
  public var disc: Int = 1
  /// The number on the disc, from 1; nil if unknown.
  public var number: Int? = nil
  /// The number as the tag writes it where that says more, such as `A1` for a side of a record; else nil.
  public var numberText: String? = nil
  /// The year of release; nil if unknown.
  public var year: Int? = nil
  /// The genres in the source's spelling.
  public var genres: [String] = []
  /// The length.
  public var duration: Milliseconds
  /// The MusicBrainz recording id; nil if unknown.
  public var recordingID: String? = nil
  /// The MusicBrainz release id; nil if unknown.
  public var releaseID: String? = nil
  /// The MusicBrainz id of its release group; nil if unknown.
  public var releaseGroupID: String? = nil
  /// The MusicBrainz ids of its own artists, in their order; nil if unknown.
  public var artistIDs: [String]? = nil
  /// The International Standard Recording Code; nil if unknown.
  public var isrc: String? = nil
  /// The cover; nil if it has none.
  public var art: ArtID? = nil
  /// The rating by a person in half stars, 0 to 10; nil if it has none.
  public var rating: Rating? = nil
  /// The loudness; nil if it was not measured.
  public var levels: Levels? = nil
  /// The key of the library section that it is in, as in `SourceDetail.Section`; nil if the source has no sections.
  public var section: String? = nil
  /// The names in `artist` one by one, with their artists; nil for a single artist, who is the one that `artist` names.
  public var artists: [ArtistName]? = nil
  /// The composers as one text; nil if the tags name none.
  public var composer: String? = nil
  /// The work that this is a recording of; nil if the tags name none.
  public var work: Work? = nil
}

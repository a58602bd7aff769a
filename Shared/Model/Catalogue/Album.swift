/// An album as programs show it.
public struct Album: Codable, Hashable, Sendable {
  /// The id; for an album that was merged from several, the smallest of its members' ids.
  public var id: AlbumID
  /// The title as the source spells it.
  public var title: String
  /// The album artist.
  public var artist: String
  /// The album artist's id; nil if the source does not give it.
  public var artistID: ArtistID? = nil
  /// The year of the original release, by which shelves are ordered; nil if unknown.
  public var year: Int? = nil
  /// The genres of all its tracks, each in its first spelling.
  public var genres: [String] = []
  /// The number of tracks.
  public var trackCount: Int
  /// The total length of all tracks.
  public var duration: Milliseconds
  /// The time when the library first saw it.
  public var addedAt: Timestamp
  /// The last time when a track of it counted as heard; nil if never.
  public var lastPlayedAt: Timestamp? = nil
  /// The cover; nil if it has none.
  public var art: ArtID? = nil
  /// The rating by a person in half stars, 0 to 10; nil if it has none.
  public var rating: Rating? = nil
  /// The colours of the cover; nil until they are known.
  public var palette: Palette? = nil
  /// The date on which this edition was released, as `1999`, `1999-05` or `1999-05-01`; nil if unknown.
  public var date: PartialDate? = nil
  /// The date of the original release, in the same form; nil if the tags give none beside `date`.
  public var originalDate: PartialDate? = nil
  /// The words that distinguish this edition, such as `Deluxe Edition`; nil if there are none.
  public var edition: String? = nil
  /// The types of the release; nil if unknown.
  public var types: [ReleaseType]? = nil
  /// The quality of its audio, such as `FLAC 24/96`; nil if its tracks differ or nothing is known.
  public var quality: String? = nil
  /// The folder of its files; only for an album whose artist, title and year another album has too.
  public var folder: String? = nil
  /// The number of editions of its release group in the catalogue; nil if it is the only one.
  public var editionCount: Int? = nil
}

/// The colours of a cover, each `#rrggbb`.
public struct Palette: Codable, Hashable, Sendable {
  /// The most prominent colour.
  public var first: String
  /// A second colour that can be told apart from the first.
  public var second: String
  /// A dark colour that is frequent in the picture, for use as a background.
  public var dark: String
}

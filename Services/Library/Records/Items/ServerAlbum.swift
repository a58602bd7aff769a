import Messages
package import Model
import MusicTags

/// An album as a source describes it. `native` is the server's id, or the key of the row for an album of files. Before
/// it is written, its names are not empty and it has sort keys.
///
/// docs/contributing.md lists the files of a new column.
package struct ServerAlbum: Codable, Hashable, Sendable {
  package var native: String
  package var title: String
  package var titleSort: String?
  /// The album artist.
  package var artist: String
  package var artistSort: String?
  /// The server's own id of the album artist.
  var artistNative: String?
  package var year: Int?
  package var genres: [String] = []
  package var moods: [String] = []
  package var styles: [String] = []
  package var guid: String?
  /// Its MusicBrainz release id.
  package var releaseID: String?
  /// The native part of the cover's id.
  package var art: String?
  package var rating: Rating?
  /// The time at which the source added it; nil where it does not say.
  package var addedAt: Timestamp?
  /// The time of the last play that the server counted; nil where there is none.
  package var lastPlayedAt: Timestamp?
  package var section: String?
  /// True where the server did not give its details, such as moods and styles: an album that is known stays as it is.
  package var isPartial: Bool?
  /// The tags of the release; nil if nothing but its year is known.
  package var tags: ReleaseTags?

  package init(
    native: String, title: String, titleSort: String? = nil, artist: String, artistSort: String? = nil,
    artistNative: String? = nil, year: Int? = nil, genres: [String] = [], moods: [String] = [],
    styles: [String] = [], guid: String? = nil, releaseID: String? = nil, art: String? = nil, rating: Rating? = nil,
    addedAt: Timestamp? = nil, lastPlayedAt: Timestamp? = nil, section: String? = nil, isPartial: Bool? = nil,
    tags: ReleaseTags? = nil
  ) {
    self.native = native
    self.title = title
    self.titleSort = titleSort
    self.artist = artist
    self.artistSort = artistSort
    (self.artistNative, self.year, self.genres, self.moods, self.styles) = (artistNative, year, genres, moods, styles)
    (self.guid, self.releaseID, self.art, self.rating, self.addedAt) = (guid, releaseID, art, rating, addedAt)
    (self.lastPlayedAt, self.section, self.isPartial, self.tags) = (lastPlayedAt, section, isPartial, tags)
  }
}

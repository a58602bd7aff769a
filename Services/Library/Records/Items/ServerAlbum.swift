import Messages
package import Model
import MusicTags

/// An album as a source describes it. `native` is the server's id, or the key of the row for an album of files. Before
/// it is written, its names are not empty and it has sort keys.
///
/// docs/contributing.md lists the files of a new column.
package struct ServerAlbum: Codable, Hashable, Sendable {  // memberwise
  package var native: String
  package var title: String
  package var titleSort: String? = nil
  /// The album artist.
  package var artist: String
  package var artistSort: String? = nil
  /// The server's own id of the album artist.
  var artistNative: String? = nil
  package var year: Int? = nil
  package var genres: [String] = []
  package var moods: [String] = []
  package var styles: [String] = []
  package var guid: String? = nil
  /// Its MusicBrainz release id.
  package var releaseID: String? = nil
  /// The native part of the cover's id.
  package var art: String? = nil
  package var rating: Rating? = nil
  /// The time when the source added it; nil if it does not say.
  package var addedAt: Timestamp? = nil
  /// The time of the last play that the server counted; nil if there is none.
  package var lastPlayedAt: Timestamp? = nil
  package var section: String? = nil
  /// True where the server did not give its details, such as moods and styles: an album that is known stays as it is.
  package var isPartial: Bool? = nil
  /// The tags of the release; nil if nothing but its year is known.
  package var tags: ReleaseTags? = nil
}

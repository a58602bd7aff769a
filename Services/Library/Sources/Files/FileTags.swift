import Model

/// What one file says about itself, as it is tagged: nothing here is guessed.
struct FileTags: Hashable, Sendable {
  var title: String?
  var titleSort: String?
  /// The track's own artists as one text; never "Various Artists".
  var artist: String?
  /// The first of them, by which an album is gathered that names no album artist.
  var firstArtist: String?
  var artistSort: String?
  var album: String?
  var albumSort: String?
  var albumArtist: String?
  var albumArtistSort: String?
  var disc: Int?
  var number: Int?
  var year: Int?
  var genres: [String] = []
  var isCompilation = false
  var recordingID: String?
  var releaseID: String?
  var releaseGroupID: String?
  /// The MusicBrainz id of the first of the track's artists.
  var artistID: String?
  /// Those of all of them, in their order.
  var artistIDs: [String] = []
  /// The International Standard Recording Code.
  var isrc: String?
  /// The MusicBrainz id of the first of the album artists.
  var albumArtistID: String?
  /// How loud it is; nil where nobody measured.
  var levels: Levels?
  /// Whether nothing was lost in its encoding.
  var isLossless = false
  var duration = Milliseconds.zero
  var hasPicture = false

  /// What services are told of it.
  var ids: MusicIDs {
    MusicIDs(
      artists: artistIDs.isEmpty ? [artistID].compactMap { $0 } : artistIDs, releaseGroup: releaseGroupID, isrc: isrc)
  }

  /// Whether it names neither title nor artist nor album.
  var isEmpty: Bool { title == nil && artist == nil && album == nil && albumArtist == nil }
}

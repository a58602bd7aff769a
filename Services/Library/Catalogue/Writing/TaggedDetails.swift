import MusicTags

/// The values of a track that are in tables of their own.
struct TaggedDetails {
  /// Everybody who is credited otherwise than as artist of the album.
  var credits: [TaggedCredit] = []
  var work: TaggedWork?
}

/// The work that a track is a recording of, as tags name it.
struct TaggedWork: Hashable {
  var title: String
  /// The MusicBrainz id.
  var id: String?
  var movement: String?
  var number: Int?
  var total: Int?
}

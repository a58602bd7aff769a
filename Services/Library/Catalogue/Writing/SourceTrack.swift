import Messages
import Model
import MusicTags
import Records

/// A track as one source describes it, as it is written to its row. A new column of tracks is added here, in
/// `TrackRecord.swift` and in `Schema.swift`.
struct SourceTrack {
  var album: Int64
  var title: String
  var titleSort: String
  /// The track's own artist, or the album artist.
  var artist: String
  var artistSort: String?
  var disc: Int
  var number: Int?
  /// The number as the tag writes it where it names the side of a record.
  var numberText: String?
  var year: Int?
  var genres: [String] = []
  var moods: [String] = []
  var duration: Milliseconds
  var recording: String?
  var release: String?
  var ids = MusicIDs()
  var format: String?
  var isLossless = false
  var audio = AudioProperties()
  var levels: Levels?
  var identity: TrackIdentity
  var details = TaggedDetails()
  /// The time when the source added the track.
  var addedAt: Timestamp
  var server = ServerColumns()

  /// The columns that only servers set.
  struct ServerColumns {
    var native: String?
    var guid: String?
    var file: String?
    var part: String?
    var section: String?
    var digest: Int64?
    var rating: Rating?
    var plays: Int?
    var listeners: Int?
    /// The time of the last play that the server counted; a listen in Lunara may be later.
    var heardAt = Timestamp(microseconds: 0)
  }
}

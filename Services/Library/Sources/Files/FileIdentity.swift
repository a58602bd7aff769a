import Model
import Text

/// By what a track is known when its file has another name, number and contents.
struct FileIdentity: Hashable {
  private var artist: String
  private var album: String
  private var title: String
  private var disc: Int
  private var number: Int?

  init(_ reading: FileMetadata) {
    artist = (reading.tags.albumArtist ?? reading.tags.firstArtist ?? "").folded
    album = (reading.tags.album ?? "").folded
    title = reading.title.folded
    disc = reading.disc
    number = reading.number
  }

  /// Whether two lengths can be those of one track.
  static func isNear(_ one: Milliseconds, _ other: Milliseconds) -> Bool {
    abs(one.rawValue - other.rawValue) <= 2000
  }
}

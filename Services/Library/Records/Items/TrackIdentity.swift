package import Model
import Text

/// Identifies a track by its names where ids have changed: in a rebuilt library, and for ratings and plays.
package struct TrackIdentity: Hashable {
  /// The largest difference, in milliseconds, between two durations of one track.
  private static let tolerance: Int64 = 2000

  /// Returns true if two durations can be those of one track; one that is unknown can be any.
  package static func isNear(_ one: Milliseconds, _ other: Milliseconds) -> Bool {
    one <= .zero || other <= .zero || abs(one.rawValue - other.rawValue) <= tolerance
  }

  private let text: String

  /// Makes an identity from the album artist, the album, and the track's place and title on it.
  package init(artist: String, album: String, disc: Int, number: Int?, title: String) {
    text = [
      artist.trimmed.folded, album.trimmed.folded, "\(disc)", number.map(String.init) ?? "", title.trimmed.folded,
    ].joined(separator: "\u{1F}")
  }

  /// The content hash of the names, as the store keeps it.
  package var hash64: Int64 { contentHash(of: text.utf8) }
}

import Model
import System
import Text

/// Finds tracks that are copies of each other, among the members of one album. A pure function of the tracks.
///
/// Two tracks of different members are copies if disc, number and folded title are equal and the durations differ by at
/// most 2 s. The best copy is shown: lossless before lossy, local before remote, then by the person's order of sources,
/// then by the lowest number.
struct TrackPairing {
  struct Track {
    var number: Int64
    var album: Int64
    var place: Place
    var duration: Milliseconds
    var rank: Rank
  }

  /// The position of a track on its album, and its title there.
  struct Place: Hashable {
    var disc: Int
    var number: Int?
    var title: String

    init(disc: Int, number: Int?, title: String) {
      (self.disc, self.number, self.title) = (disc, number, title.trimmed.folded)
    }
  }

  /// The order of copies; the smallest is best.
  struct Rank: Comparable {
    var isLossless: Bool
    var source: SourceRank
    var number: Int64

    static func < (left: Rank, right: Rank) -> Bool {
      (left.isLossless ? 0 : 1, left.source, left.number) < (right.isLossless ? 0 : 1, right.source, right.number)
    }
  }

  private struct Pair {
    var first: Track
    var albums: Set<Int64>
    var numbers: [Int64]
  }

  /// Returns the copies of each track that is shown, best first.
  static func pairs(of tracks: [Track]) -> [[Int64]] {
    var places: [Place: [Track]] = [:]
    for track in tracks { places[track.place, default: []].append(track) }
    return places.values.flatMap { tracks in
      var pairs: [Pair] = []
      for track in tracks.sorted(by: { $0.rank < $1.rank }) {
        let match = pairs.firstIndex { pair in
          !pair.albums.contains(track.album)
            && TrackIdentity.isNear(pair.first.duration, track.duration)
        }
        if let match {
          pairs[match].albums.insert(track.album)
          pairs[match].numbers.append(track.number)
        } else {
          pairs.append(Pair(first: track, albums: [track.album], numbers: [track.number]))
        }
      }
      return pairs.map(\.numbers)
    }
  }
}

/// The order of sources: those on this host first, then in the person's order.
struct SourceRank: Comparable {
  var isRemote: Bool
  var position: Int
  var name: String

  static func < (left: SourceRank, right: SourceRank) -> Bool {
    (left.isRemote ? 1 : 0, left.position, left.name) < (right.isRemote ? 1 : 0, right.position, right.name)
  }
}

/// Identifies a track by its names where ids have changed: in a rebuilt library, and for ratings and plays.
struct TrackIdentity: Hashable {
  /// The largest difference, in milliseconds, between two durations of one track.
  private static let tolerance: Int64 = 2000

  /// Returns true if two durations can be those of one track.
  static func isNear(_ one: Milliseconds, _ other: Milliseconds) -> Bool {
    abs(one.rawValue - other.rawValue) <= tolerance
  }

  private let text: String

  /// Makes an identity from the album artist, the album, and the track's place and title on it.
  init(artist: String, album: String, disc: Int, number: Int?, title: String) {
    text = [
      artist.trimmed.folded, album.trimmed.folded, "\(disc)", number.map(String.init) ?? "", title.trimmed.folded,
    ].joined(separator: "\u{1F}")
  }

  /// The content hash of the names, as the store keeps it.
  var hash64: Int64 { contentHash(of: text.utf8) }
}

/// Returns a 64-bit hash by which changes of contents are detected; never 0.
func contentHash(of bytes: some Sequence<UInt8>) -> Int64 {
  let hash = FNV1a.hash(bytes)
  return hash == 0 ? 1 : Int64(bitPattern: hash)
}

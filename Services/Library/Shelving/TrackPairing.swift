import Model
import Text

/// Which tracks of the members of one album are copies of one. A pure function of the tracks.
///
/// Two are, where disc, number and folded title are equal and the lengths differ by 2 s at most; never two of one
/// member. Of those that are, the best is shown: lossless before lossy, local before remote, then the person's order of
/// sources, then the one known longest.
struct TrackPairing {
  /// A track of a member.
  struct Track {
    var number: Int64
    /// The member it is on.
    var album: Int64
    var place: Place
    var duration: Milliseconds
    var rank: Rank
  }

  /// Where a track stands on its album, and what it is called there.
  struct Place: Hashable {
    var disc: Int
    var number: Int?
    /// The title, folded.
    var title: String

    init(disc: Int, number: Int?, title: String) {
      (self.disc, self.number, self.title) = (disc, number, title.trimmed.folded)
    }
  }

  /// How good a copy is; the smallest is best.
  struct Rank: Comparable {
    var isLossless: Bool
    var source: SourceRank
    var number: Int64

    static func < (left: Rank, right: Rank) -> Bool {
      if left.isLossless != right.isLossless { return left.isLossless }
      return left.source == right.source ? left.number < right.number : left.source < right.source
    }
  }

  private struct Pair {
    var first: Track
    var albums: Set<Int64>
    var numbers: [Int64]
  }

  /// All copies of each track that is shown, best first.
  static func pairs(of tracks: [Track]) -> [[Int64]] {
    var places: [Place: [Track]] = [:]
    for track in tracks { places[track.place, default: []].append(track) }
    return places.values.flatMap { tracks in
      var pairs: [Pair] = []
      for track in tracks.sorted(by: { $0.rank < $1.rank }) {
        let match = pairs.firstIndex { pair in
          !pair.albums.contains(track.album)
            && abs(pair.first.duration.rawValue - track.duration.rawValue) <= TrackIdentity.tolerance
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

/// How near a source is: those on this host first, then in the person's order.
struct SourceRank: Comparable {
  var isRemote: Bool
  var position: Int
  var name: String

  static func < (left: SourceRank, right: SourceRank) -> Bool {
    if left.isRemote != right.isRemote { return right.isRemote }
    return (left.position, left.name) < (right.position, right.name)
  }
}

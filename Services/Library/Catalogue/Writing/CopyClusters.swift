import Model
import Records

/// Decides which albums of one merge key are copies of each other. A pure function of the albums.
///
/// Albums of one artist, title and year may be the same album in two formats, its discs in two folders, or two albums
/// that share no more than their names. The tracks tell: copies have most of their tracks in common, parts of one album
/// have no place in common.
struct CopyClusters {
  /// An album of one source, for files one of one folder.
  struct Member {
    var number: Int64
    /// Its MusicBrainz release id; nil if unknown, or where a server only guessed it.
    var release: String?
    var tracks: [TrackPairing.Track]
  }

  /// A position on a disc, whatever the title.
  private struct Position: Hashable {
    var disc: Int
    var number: Int

    /// Creates the position of a place; nil for a track without a number.
    init?(_ place: TrackPairing.Place) {
      guard let number = place.number else { return nil }
      disc = place.disc
      self.number = number
    }
  }

  /// The numbers of the members, in ascending order.
  private var members: [Int64] = []
  private var releases: Set<String> = []
  private var durations: [TrackPairing.Place: [Milliseconds]] = [:]
  private var positions: Set<Position> = []

  /// Returns the numbers of the albums that are copies or parts of one album, each list and all lists in ascending
  /// order of their first number.
  ///
  /// A member joins the first cluster with which at least as many of its tracks agree as disagree; else the first with
  /// which it has no place in common, as a disc has with another. Members with different releases never meet.
  static func clusters(of members: [Member]) -> [[Int64]] {
    var clusters: [CopyClusters] = []
    for member in members.sorted(by: { $0.number < $1.number }) {
      let open = clusters.indices.filter { clusters[$0].admits(member.release) }
      let common = open.map { (index: $0, common: clusters[$0].comparison(with: member)) }
      let match =
        common.first { $0.common.pairs > 0 && $0.common.pairs >= $0.common.conflicts }
        ?? common.first { $0.common.pairs == 0 && $0.common.conflicts == 0 }
      if let match {
        clusters[match.index].add(member)
      } else {
        var cluster = CopyClusters()
        cluster.add(member)
        clusters.append(cluster)
      }
    }
    return clusters.map(\.members)
  }

  private func admits(_ release: String?) -> Bool {
    release.map { releases.isEmpty || releases.contains($0) } ?? true
  }

  /// Returns how many tracks of a member are here as well, and how many have their place taken by others.
  private func comparison(with member: Member) -> (pairs: Int, conflicts: Int) {
    var (pairs, conflicts) = (0, 0)
    for track in member.tracks {
      let known = durations[track.place]
      if known?.contains(where: { TrackIdentity.isNear($0, track.duration) }) == true {
        pairs += 1
      } else if known != nil || Position(track.place).map(positions.contains) == true {
        conflicts += 1
      }
    }
    return (pairs, conflicts)
  }

  private mutating func add(_ member: Member) {
    members.append(member.number)
    if let release = member.release { releases.insert(release) }
    for track in member.tracks {
      durations[track.place, default: []].append(track.duration)
      if let position = Position(track.place) { positions.insert(position) }
    }
  }
}

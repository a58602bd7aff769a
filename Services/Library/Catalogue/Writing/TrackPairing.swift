import Model
import Records
import Storage
import System
import Text

/// Finds tracks that are copies of each other, among the members of one album. A pure function of the tracks.
///
/// Two tracks of different members are copies if disc, number and folded title are equal and the durations differ by at
/// most 2 s. The best copy is shown; see `Rank`.
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
      self.disc = disc
      self.number = number
      self.title = title.trimmed.folded
    }
  }

  /// The order of copies; the smallest is best: lossless before lossy, local before remote, then by the person's order
  /// of sources. Within a source stereo comes before more channels, then the highest quality, then the lowest number.
  struct Rank: Comparable {
    private var isLossless: Bool
    private var source: SourceRank
    private var hasManyChannels: Bool
    private var quality: Quality
    private var number: Int64

    init(isLossless: Bool, audio: AudioProperties, source: SourceRank, number: Int64) {
      self.isLossless = isLossless
      self.source = source
      self.number = number
      hasManyChannels = (audio.channels ?? 0) > 2
      quality = Quality(audio, isLossless: isLossless)
    }

    static func < (left: Rank, right: Rank) -> Bool {
      let before = (left.isLossless ? 0 : 1, left.source, left.hasManyChannels ? 1 : 0)
      let after = (right.isLossless ? 0 : 1, right.source, right.hasManyChannels ? 1 : 0)
      if before != after { return before < after }
      return left.quality == right.quality ? left.number < right.number : left.quality > right.quality
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

  init(isRemote: Bool, position: Int, name: String) {
    self.isRemote = isRemote
    self.position = position
    self.name = name
  }

  /// Creates the rank of a source that has no row yet.
  init(unknown name: String) { self.init(isRemote: name != MusicFolders.source, position: 0, name: name) }

  /// Returns the ranks of all sources by their names.
  static func all(_ transaction: ReadTransaction) throws -> [String: SourceRank] {
    let ranked = try transaction.rows("SELECT name, kind <> ?, position FROM sources", MusicFolders.source) {
      SourceRank(isRemote: try $0.value(1), position: try $0.value(2), name: try $0.value(0))
    }
    return Dictionary(ranked.map { ($0.name, $0) }) { $1 }
  }

  static func < (left: SourceRank, right: SourceRank) -> Bool {
    (left.isRemote ? 1 : 0, left.position, left.name) < (right.isRemote ? 1 : 0, right.position, right.name)
  }
}

/// The fidelity of audio, to compare copies that are both lossless or both lossy; the largest is best.
struct Quality: Comparable {
  /// The bits of a sample; 0 for lossy audio.
  private var bitDepth: Int
  /// The sample rate in Hz; 0 for lossy audio, whose rate says nothing about what was left out.
  private var sampleRate: Int
  /// The bit rate that an MP3 would need for the same quality, in kbit/s; 0 for lossless audio.
  private var bitRate: Double

  /// The sampling of DSD is 64 times as fast as that of comparable PCM of 16 bits.
  private static let dsd = (ratio: 64, bitDepth: 16)
  /// The bit rate that MP3 needs for the quality of a codec, as a multiple of that codec's.
  private static let efficiency = ["opus": 2, "aac": 1.3, "vorbis": 1.3, "musepack": 1.3]

  init(_ audio: AudioProperties, isLossless: Bool) {
    guard isLossless else {
      bitDepth = 0
      sampleRate = 0
      bitRate = Double(audio.bitRate ?? 0) * (audio.codec.flatMap { Self.efficiency[$0] } ?? 1)
      return
    }
    let isDSD = audio.codec == "dsd"
    bitDepth = isDSD ? Self.dsd.bitDepth : audio.bitDepth ?? 0
    sampleRate = (audio.sampleRate ?? 0) / (isDSD ? Self.dsd.ratio : 1)
    bitRate = 0
  }

  static func < (left: Quality, right: Quality) -> Bool {
    (left.bitDepth, left.sampleRate, left.bitRate) < (right.bitDepth, right.sampleRate, right.bitRate)
  }
}

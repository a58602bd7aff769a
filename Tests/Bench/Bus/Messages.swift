import Messages
import Model

/// The payload of each message of the benchmark: about 300 bytes of JSON, in the shape of a fact about a track.
///
/// The clients of the other systems write and read the same text: `Tests/Bench/Peers/peer.h`.
struct Track: Codable, Sendable {
  var album = "The Well-Tempered Measure"
  var artists = ["An Ensemble of Invention", "A Second Name"]
  var disc = 1
  var id = "files:4d2f6c1e9a7b40538d1e6f"
  /// Counts the messages from 1; those with 0 only warm up.
  var number: Int
  var room = "kitchen"
  var seconds = 287.5
  /// The time of publication, in nanoseconds of the monotonic clock.
  var stamp: Int64
  var title = "Prelude and Fugue in the Key of a Quiet Afternoon"
  var url = "file:///music/An%20Ensemble/Measure/01.flac"
  var year = 1994
}

/// Published as a signal.
struct BenchSignal: Signal {
  static let kind = "bench.said"
  var track: Track

  init(_ track: Track) { self.track = track }
  init(from decoder: any Decoder) throws { track = try Track(from: decoder) }
  func encode(to encoder: any Encoder) throws { try track.encode(to: encoder) }
}

/// A fact that survives `kill -9`.
struct KillSafeFact: Fact {
  static let kind = "bench.noted"
  static let survives = Durability.process
  var track: Track

  init(_ track: Track) { self.track = track }
  init(from decoder: any Decoder) throws { track = try Track(from: decoder) }
  func encode(to encoder: any Encoder) throws { try track.encode(to: encoder) }
}

/// A fact that survives a power cut.
struct PowerSafeFact: Fact {
  static let kind = "bench.engraved"
  static let survives = Durability.power
  var track: Track

  init(_ track: Track) { self.track = track }
  init(from decoder: any Decoder) throws { track = try Track(from: decoder) }
  func encode(to encoder: any Encoder) throws { try track.encode(to: encoder) }
}

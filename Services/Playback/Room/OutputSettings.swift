import Messages
import Model

/// How a room sounds, as people set it.
struct OutputSettings: Hashable, Sendable {
  /// The name of the output; nil for the first that works.
  var device: String?
  /// How levels are evened out.
  var levelling = Playback.Levelling.off
  /// What is added to levels that are evened out, in dB.
  var preamp = 0.0
  /// The volume at the start of the service, in percent; nil for the one of last time.
  var startVolume: Int?
  /// The volume that is not exceeded, in percent.
  var maximumVolume = 100
  /// Whether a room that was killed while it played plays on by itself.
  var resumesAfterCrash = false

  /// How far levels may be moved, in dB.
  static let preampLimit = 15.0

  /// Takes what a request sets; numbers out of range become the nearest.
  ///
  /// - Throws: `playback.badSetting`.
  mutating func take(_ request: Playback.SetOutput) throws(LunaraError) {
    if let device = request.device {
      guard !device.isEmpty, device.utf8.count <= 500, !device.contains(where: { $0.isNewline || $0 == "\0" }) else {
        throw LunaraError("playback.badSetting", "An output's name is none. `lunara output` lists those there are.")
      }
    }
    if request.levelling == .unknown {
      throw LunaraError("playback.badSetting", "Levels are off, track, album or smart.")
    }
    if let preamp = request.preamp, !preamp.isFinite {
      throw LunaraError("playback.badSetting", "The preamp is a number of dB from -15 to 15.")
    }
    if let device = request.device { self.device = device == "auto" ? nil : device }
    if let levelling = request.levelling { self.levelling = levelling }
    if let preamp = request.preamp { self.preamp = max(-Self.preampLimit, min(Self.preampLimit, preamp)) }
    if let maximum = request.maximumVolume { maximumVolume = max(1, min(100, maximum)) }
    if let start = request.startVolume { startVolume = start < 0 ? nil : min(100, start) }
    if let resumes = request.resumesAfterCrash { resumesAfterCrash = resumes }
  }
}

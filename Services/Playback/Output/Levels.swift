import Glibc
import Messages
import Model

extension Playback.Levelling {
  /// Returns the gain for a track, in dB; nil to leave the track unchanged.
  ///
  /// The gain never raises the peak over full scale. An unmeasured peak counts as full scale, so such a track is only
  /// made quieter. A track without any measured gain is left unchanged.
  ///
  /// - Parameters:
  ///   - track: the track with its measured levels.
  ///   - before: the track before it in the queue, if any.
  ///   - after: the track after it in the queue, if any.
  ///   - preamp: the gain in dB, limited to -15 to 15, that is added to the measured one.
  func gain(of track: Track, before: Track?, after: Track?, preamp: Double) -> Double? {
    guard let levels = track.levels, let measured = measure(of: track, levels, [before, after]) else { return nil }
    let wanted = measured.gain + (preamp.isFinite ? max(-15, min(15, preamp)) : 0)
    let gain = max(Self.floor, min(wanted, Decibels.headroom(over: measured.peak)))
    // Nobody can hear a hundredth of a decibel, and no gain needs no filter.
    return abs(gain) < 0.01 ? nil : (gain * 100).rounded(.down) / 100
  }

  /// The lowest gain, in dB: a lower one is due to a wrong measurement, and would make the track inaudible.
  private static let floor = -50.0

  private func measure(of track: Track, _ levels: Levels, _ neighbours: [Track?]) -> (gain: Double, peak: Double?)? {
    let ofTrack = levels.trackGain.usable.map { ($0, levels.trackPeak.peak ?? levels.albumPeak.peak) }
    let ofAlbum = levels.albumGain.usable.map { ($0, levels.albumPeak.peak ?? levels.trackPeak.peak) }
    switch self {
    case .off, .unknown: return nil
    case .track: return ofTrack ?? ofAlbum
    case .album: return ofAlbum ?? ofTrack
    case .smart:
      let isAmongItsOwn = neighbours.contains { $0?.albumID == track.albumID }
      return isAmongItsOwn ? ofAlbum ?? ofTrack : ofTrack ?? ofAlbum
    }
  }
}

enum Decibels {
  /// Returns the gain that raises a peak to full scale, in dB; negative for a peak above that, 0 for an unknown one.
  static func headroom(over peak: Double?) -> Double { peak.map { -20 * log10($0) } ?? 0 }
}

extension Double? {
  fileprivate var usable: Double? { flatMap { $0.isFinite ? $0 : nil } }

  fileprivate var peak: Double? { flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }
}

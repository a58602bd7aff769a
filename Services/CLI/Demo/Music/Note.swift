/// One note of a piece.
struct Note: Sendable, Equatable {
  /// When it begins, in seconds.
  var start: Double
  /// How long it is held, in seconds.
  var length: Double
  /// Its pitch as a MIDI number; 69 is 440 Hz.
  var pitch: Double
  /// How hard it is played, from 0 to 1.
  var velocity: Double
  /// What plays it.
  var voice: Voice
  /// Where it stands between left (-1) and right (1).
  var pan: Double = 0
}

/// What can play a note.
enum Voice: Sendable, Equatable, CaseIterable {
  case guitar, piano, electricPiano, bell, pad, strings, arpeggio, bass, synthBass
  case kick, brush, hat, shaker, rim, wind

  /// How loud it stands in the mix.
  var level: Float {
    switch self {
    case .guitar: 0.95
    case .piano: 0.5
    case .electricPiano: 0.4
    case .bell: 0.2
    case .pad: 0.13
    case .strings: 0.08
    case .arpeggio: 0.17
    case .bass: 0.28
    case .synthBass: 0.26
    case .kick: 0.42
    case .brush: 0.15
    case .hat: 0.08
    case .shaker: 0.09
    case .rim: 0.16
    case .wind: 0.05
    }
  }

  /// How much of it goes into the room.
  var reverb: Float {
    switch self {
    case .guitar, .piano: 0.24
    case .electricPiano: 0.22
    case .bell: 0.6
    case .pad, .strings: 0.42
    case .arpeggio: 0.26
    case .bass, .synthBass, .kick: 0.03
    case .brush, .hat, .shaker: 0.12
    case .rim: 0.3
    case .wind: 0.5
    }
  }
}

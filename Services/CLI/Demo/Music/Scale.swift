/// Seven notes to the octave on a tonic.
struct Scale {
  /// The steps of a mode, in semitones above its tonic.
  enum Mode {
    case major, dorian, lydian, mixolydian, minor

    var steps: [Int] {
      switch self {
      case .major: [0, 2, 4, 5, 7, 9, 11]
      case .dorian: [0, 2, 3, 5, 7, 9, 10]
      case .lydian: [0, 2, 4, 6, 7, 9, 11]
      case .mixolydian: [0, 2, 4, 5, 7, 9, 10]
      case .minor: [0, 2, 3, 5, 7, 8, 10]
      }
    }
  }

  /// The MIDI number of the tonic, near middle C (60).
  let tonic: Int
  /// The mode.
  let mode: Mode

  /// The pitch of a degree, 0 for the tonic; degrees beyond the octave go on above and below.
  func pitch(_ degree: Int) -> Int {
    let octave = degree >= 0 ? degree / 7 : (degree - 6) / 7
    return tonic + 12 * octave + mode.steps[degree - 7 * octave]
  }

  /// The degree whose pitch lies nearest to a pitch.
  func degree(near pitch: Int) -> Int {
    let start = (pitch - tonic) / 12 * 7
    return (start - 8...start + 8).min { abs(self.pitch($0) - pitch) < abs(self.pitch($1) - pitch) } ?? start
  }
}

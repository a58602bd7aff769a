extension Voice {
  /// The sound of a note in mono, as long as it rings.
  static func render(_ note: Note, _ random: inout SeededRandom) -> [Float] {
    switch note.voice {
    case .guitar: guitar(note, &random)
    case .piano: piano(note)
    case .electricPiano: modulated(note, ratio: 1, depth: 1.6, ring: 4, tremolo: 0.18)
    case .bell: modulated(note, ratio: 3.5, depth: 1.1, ring: 4.5, tremolo: 0)
    case .pad: pad(note, brightness: 1.25, &random)
    case .strings: pad(note, brightness: 2.1, &random)
    case .arpeggio: arpeggio(note, brightness: 1)
    case .bass: bass(note, edge: 0.35)
    case .synthBass: bass(note, edge: 2.2)
    case .kick: kick(note)
    case .brush: noise(note, at: 3400, attack: 0.012, ring: 0.2, &random)
    case .hat: noise(note, at: 9000, attack: 0.001, ring: 0.07, &random)
    case .shaker: noise(note, at: 6200, attack: 0.03, ring: 0.09, &random)
    case .rim: rim(note)
    case .wind: wind(note, &random)
    }
  }
}

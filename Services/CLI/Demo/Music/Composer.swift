/// Writes pieces in one manner.
enum Composer: Sendable {
  /// Fingerpicked guitars.
  case folk
  /// A piano alone, then with strings.
  case piano
  /// Slow pads that never stop.
  case ambient
  /// Arpeggios and a soft beat.
  case night
  /// Electric piano and brushes.
  case lounge

  /// The notes of a piece.
  func compose(_ piece: Piece) -> [Note] {
    switch self {
    case .folk: Self.folk(piece)
    case .piano: Self.piano(piece)
    case .ambient: Self.ambient(piece)
    case .night: Self.night(piece)
    case .lounge: Self.lounge(piece)
    }
  }

  /// The room and loudness that suit the manner.
  var mix: Mix {
    switch self {
    case .folk: Mix(reverb: Reverb(size: 0.76, damping: 0.35), loudness: -18)
    case .piano: Mix(reverb: Reverb(size: 0.83, damping: 0.3), loudness: -19)
    case .ambient: Mix(reverb: Reverb(size: 0.9, damping: 0.45), loudness: -19)
    case .night: Mix(reverb: Reverb(size: 0.8, damping: 0.25), loudness: -16.5)
    case .lounge: Mix(reverb: Reverb(size: 0.74, damping: 0.4), loudness: -17.5)
    }
  }
}

/// What a piece is made from.
struct Piece: Sendable {
  /// Its key.
  let scale: Scale
  /// Beats a minute, four a bar.
  let tempo: Double
  /// How long it is.
  let bars: Int
  /// The chords of its first idea, a bar each.
  let verse: [Chord]
  /// The chords of its second idea, a bar each.
  let chorus: [Chord]
  /// Whether the next piece follows without a pause.
  var playsOn = false
  /// What makes it different from others of its kind.
  let seed: UInt64

  /// How long it is in seconds.
  var seconds: Double { Double(bars * 4) * 60 / tempo }

  /// The part of a piece that a bar belongs to.
  enum Part {
    case intro, verse, chorus, reprise, ending
  }

  /// Where a bar stands: an intro of an eighth, the ideas in turn, at the end one bar that rings out.
  func part(of bar: Int) -> Part {
    if bar == bars - 1, !playsOn { return .ending }
    switch Double(bar) / Double(bars) {
    case ..<0.125: return .intro
    case ..<0.45: return .verse
    case ..<0.72: return .chorus
    default: return .reprise
    }
  }

  /// The chord of a bar.
  func chord(of bar: Int) -> Chord {
    switch part(of: bar) {
    case .ending: verse[0]
    case .chorus: chorus[bar % chorus.count]
    case .intro, .verse, .reprise: verse[bar % verse.count]
    }
  }
}

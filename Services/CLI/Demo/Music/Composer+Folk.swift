extension Composer {
  /// Two guitars: one picks the chords, the other sings; a bass, a shaker and a foot come in later.
  static func folk(_ piece: Piece) -> [Note] {
    var score = Score(tempo: piece.tempo, scale: piece.scale, looseness: 0.009, swing: 0.03, seed: piece.seed)
    let patterns = [
      [0, 2, 3, 1, 2, 3, 1, 2], [0, 1, 2, 3, 2, 1, 2, 3], [0, 3, 1, 2, 0, 3, 2, 1], [0, 2, 1, 3, 0, 2, 3, 2],
    ]
    let pattern = score.random.pick(patterns) ?? patterns[0]
    let verse = Melody(over: piece.verse, around: 8, &score.random)
    let chorus = Melody(over: piece.chorus, around: 10, &score.random)
    for bar in 0..<piece.bars {
      let beat = Double(bar * 4)
      let chord = piece.chord(of: bar)
      let part = piece.part(of: bar)
      let root = chord.bass(in: piece.scale, from: 40)
      let strings = score.voicing(chord, for: .guitar, from: 52)
      if part == .ending {
        score.spread(.guitar, [root] + strings, at: beat, for: 4, 0.6, width: 0.5, strum: 0.06)
        continue
      }
      for (index, string) in pattern.enumerated() {
        let pitch = string == 0 ? (index < 4 ? root : root + 7) : strings[min(string - 1, strings.count - 1)]
        let accent = index == 0 ? 0.72 : index == 4 ? 0.62 : 0.42
        score.play(.guitar, pitch, at: beat + Double(index) * 0.5, for: string == 0 ? 2 : 1.4, accent, pan: -0.35)
      }
      accompany(&score, part, beat, root)
      if part == .chorus || part == .reprise {
        score.spread(.strings, strings.suffix(2).map { $0 + 12 }, at: beat, for: 4, 0.3, width: 0.7)
      }
    }
    sing(&score, piece, verse, in: [.verse, .reprise], voice: .guitar, velocity: 0.72, pan: 0.4)
    sing(&score, piece, chorus, in: [.chorus], voice: .guitar, velocity: 0.78, pan: 0.4)
    return score.notes
  }

  private static func accompany(_ score: inout Score, _ part: Piece.Part, _ beat: Double, _ root: Int) {
    guard part == .chorus || part == .reprise else { return }
    score.play(.bass, root - 12, at: beat, for: 1.7, 0.6)
    score.play(.bass, root - 5, at: beat + 2, for: 1.5, 0.5)
    score.strike(.kick, at: beat, 0.5)
    score.strike(.kick, at: beat + 2, 0.35)
    for eighth in 0..<8 {
      score.strike(.shaker, at: beat + Double(eighth) * 0.5, eighth % 2 == 1 ? 0.75 : 0.4, pan: 0.25)
    }
  }

  /// Plays a tune over every whole phrase of the parts it belongs to.
  static func sing(
    _ score: inout Score, _ piece: Piece, _ melody: Melody, in parts: Set<Piece.Part>, voice: Voice, velocity: Double,
    pan: Double, octave: Int = 0
  ) {
    for bar in 0..<piece.bars where parts.contains(piece.part(of: bar)) {
      let length = piece.part(of: bar) == .chorus ? piece.chorus.count : piece.verse.count
      let place = Double(bar % length * 4)
      for tone in melody.tones where tone.beat >= place && tone.beat < place + 4 {
        let pitch = piece.scale.pitch(tone.degree) + 12 * octave
        let beat = Double(bar * 4) + tone.beat - place
        score.play(voice, pitch, at: beat, for: tone.length * 0.95, velocity, pan: pan)
      }
    }
  }
}

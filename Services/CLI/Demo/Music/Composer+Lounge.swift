extension Composer {
  /// An electric piano with wide chords, a walking bass, brushes that swing, bells that tell the tune.
  static func lounge(_ piece: Piece) -> [Note] {
    var score = Score(tempo: piece.tempo, scale: piece.scale, looseness: 0.01, swing: 0.14, seed: piece.seed)
    let comps: [[(Double, Double)]] = [
      [(0, 1.4), (1.5, 0.9), (3, 0.8)], [(0, 2.2), (2.5, 1.2)], [(0.5, 1), (2, 0.9), (3.5, 0.5)],
    ]
    let verse = Melody(over: piece.verse, around: 7, &score.random)
    let chorus = Melody(over: piece.chorus, around: 9, &score.random)
    for bar in 0..<piece.bars {
      let beat = Double(bar * 4)
      let chord = piece.chord(of: bar)
      let part = piece.part(of: bar)
      let pitches = score.voicing(chord, for: .electricPiano, from: 53)
      let root = chord.bass(in: piece.scale, from: 33)
      if part == .ending {
        score.spread(.electricPiano, pitches, at: beat, for: 4, 0.55, width: 0.5, strum: 0.08)
        score.play(.bass, root, at: beat, for: 3.5, 0.6)
        continue
      }
      for (place, length) in comps[Int(score.random.next() % 3)] {
        score.spread(.electricPiano, pitches, at: beat + place, for: length, place == 0 ? 0.55 : 0.42, width: 0.5)
      }
      guard part != .intro else { continue }
      walk(&score, piece, bar, root)
      brushes(&score, beat, isFull: part != .verse)
    }
    sing(&score, piece, verse, in: [.verse], voice: .bell, velocity: 0.7, pan: 0.3)
    sing(&score, piece, chorus, in: [.chorus], voice: .guitar, velocity: 0.7, pan: -0.3, octave: 0)
    sing(&score, piece, verse, in: [.reprise], voice: .bell, velocity: 0.75, pan: 0.3)
    return score.notes
  }

  /// Four steps from this bar's root towards the next one's.
  private static func walk(_ score: inout Score, _ piece: Piece, _ bar: Int, _ root: Int) {
    let beat = Double(bar * 4)
    let degree = piece.scale.degree(near: root)
    let next = piece.chord(of: min(bar + 1, piece.bars - 1)).bass(in: piece.scale, from: 33)
    let target = piece.scale.degree(near: next)
    let approach = target > degree ? target - 1 : target + 1
    for (quarter, step) in [degree, degree + 2, degree + 4, approach].enumerated() {
      score.play(
        .bass, piece.scale.pitch(step), at: beat + Double(quarter), for: 0.9, quarter == 0 ? 0.7 : 0.55)
    }
  }

  private static func brushes(_ score: inout Score, _ beat: Double, isFull: Bool) {
    for quarter in 0..<4 {
      score.strike(.brush, at: beat + Double(quarter), quarter % 2 == 1 ? 0.9 : 0.45, pan: 0.2)
      if quarter % 2 == 1 { score.strike(.hat, at: beat + Double(quarter) + 0.5, 0.5, pan: -0.2) }
    }
    guard isFull else { return }
    score.strike(.kick, at: beat, 0.55)
    score.strike(.kick, at: beat + 2.5, 0.4)
    score.strike(.rim, at: beat + 3, 0.35, pan: -0.2)
  }
}

extension Composer {
  /// A left hand that rocks, a right hand that sings slowly; strings join for the middle.
  static func piano(_ piece: Piece) -> [Note] {
    var score = Score(tempo: piece.tempo, scale: piece.scale, looseness: 0.012, seed: piece.seed)
    let figures = [[0, 2, 4, 7, 4, 2, 4, 2], [0, 4, 7, 9, 7, 4, 7, 4], [0, 4, 2, 4, 7, 4, 2, 4]]
    let figure = score.random.pick(figures) ?? figures[0]
    let verse = Melody(over: piece.verse, around: 7, &score.random)
    let chorus = Melody(over: piece.chorus, around: 9, &score.random)
    for bar in 0..<piece.bars {
      let beat = Double(bar * 4)
      let chord = piece.chord(of: bar)
      let part = piece.part(of: bar)
      let root = piece.scale.degree(near: chord.bass(in: piece.scale, from: 41))
      if part == .ending {
        let pitches = [root - 7, root, root + 4, root + 9, root + 14].map { piece.scale.pitch($0) }
        score.spread(.piano, pitches, at: beat, for: 4, 0.45, width: 0.4, strum: 0.12)
        continue
      }
      // The dynamics breathe over four bars.
      let breath = 0.05 * Double(bar % 4) - 0.03
      for (index, step) in figure.enumerated() {
        let velocity = (index == 0 ? 0.5 : 0.34) + breath
        let pitch = piece.scale.pitch(root + step)
        score.play(.piano, pitch, at: beat + Double(index) * 0.5, for: 1.6, velocity, pan: -0.25)
      }
      if part == .chorus || part == .reprise {
        score.play(.piano, piece.scale.pitch(root - 7), at: beat, for: 3.6, 0.42, pan: -0.3)
        let pitches = score.voicing(chord, for: .strings, from: 55)
        score.spread(.strings, pitches, at: beat, for: 3.9, part == .chorus ? 0.55 : 0.35, width: 0.8)
      }
    }
    sing(&score, piece, verse, in: [.verse, .reprise], voice: .piano, velocity: 0.62, pan: 0.25, octave: 1)
    sing(&score, piece, chorus, in: [.chorus], voice: .piano, velocity: 0.72, pan: 0.25, octave: 1)
    return score.notes
  }
}

extension Composer {
  /// Chords that swell into one another, a low drone, wind, and bells now and then.
  static func ambient(_ piece: Piece) -> [Note] {
    var score = Score(tempo: piece.tempo, scale: piece.scale, looseness: 0.03, seed: piece.seed)
    let pentatonic = [0, 1, 2, 4, 5, 7, 8, 9, 11]
    for bar in stride(from: 0, to: piece.bars, by: 2) {
      let beat = Double(bar * 4)
      let chord = piece.chord(of: bar / 2 % 2 == 0 ? bar : min(bar + 1, piece.bars - 1))
      let pitches = score.voicing(chord, for: .pad, from: 50)
      score.spread(.pad, pitches, at: beat, for: 8, 0.75, width: 0.75)
      score.play(.bass, chord.bass(in: piece.scale, from: 33), at: beat, for: 7.5, 0.4)
      score.play(.wind, 60, at: beat, for: 9, 0.8, pan: score.random.between(-0.8, 0.8))
      if piece.part(of: bar) == .chorus || piece.part(of: bar) == .reprise {
        score.spread(.strings, pitches.suffix(2).map { $0 + 12 }, at: beat + 2, for: 5, 0.35, width: 1)
      }
      for eighth in 0..<16 where score.random.chance(piece.part(of: bar) == .intro ? 0.12 : 0.24) {
        let pitch = piece.scale.pitch(score.random.pick(pentatonic) ?? 0) + 12
        let pan = score.random.between(-0.9, 0.9)
        let velocity = score.random.between(0.3, 0.75)
        let place = beat + Double(eighth) * 0.5
        score.play(.bell, pitch, at: place, for: 3, velocity, pan: pan)
        // An echo on the other side.
        guard place + 1.5 < Double(piece.bars * 4) else { continue }
        score.play(.bell, pitch, at: place + 1.5, for: 2, velocity * 0.4, pan: -pan)
      }
    }
    return score.notes
  }
}

extension Composer {
  /// Arpeggios in sixteenths over pads; bass and beat come, go for a moment, and come back.
  static func night(_ piece: Piece) -> [Note] {
    var score = Score(tempo: piece.tempo, scale: piece.scale, looseness: 0.002, seed: piece.seed)
    let figures = [
      [0, 2, 1, 3, 2, 1, 3, 2], [0, 1, 2, 3, 4, 3, 2, 1], [0, 3, 1, 4, 2, 3, 1, 2], [0, 0, 2, 3, 1, 1, 4, 2],
    ]
    let figure = score.random.pick(figures) ?? figures[0]
    let theme = Melody(over: piece.chorus, around: 9, &score.random)
    for bar in 0..<piece.bars {
      let beat = Double(bar * 4)
      let chord = piece.chord(of: bar)
      let part = piece.part(of: bar)
      let pitches = score.voicing(chord, for: .pad, from: 53)
      let root = chord.bass(in: piece.scale, from: 33)
      score.spread(.pad, pitches, at: beat, for: 4, part == .intro ? 0.5 : 0.65, width: 0.8)
      if part == .ending {
        score.play(.synthBass, root, at: beat, for: 3, 0.5)
        continue
      }
      let ladder = pitches + [pitches[0] + 12, pitches[1 % pitches.count] + 12]
      // The arpeggio opens up over the intro and leans on the first of four.
      let swell = part == .intro ? 0.3 + 0.3 * Double(bar) / Double(max(1, piece.bars / 8)) : 0.65
      for sixteenth in 0..<16 {
        let pitch = ladder[figure[sixteenth % figure.count] % ladder.count]
        let velocity = swell * (sixteenth % 4 == 0 ? 1 : sixteenth % 2 == 0 ? 0.75 : 0.55)
        let pan = sixteenth % 2 == 0 ? -0.45 : 0.45
        score.play(.arpeggio, pitch + 12, at: beat + Double(sixteenth) * 0.25, for: 0.2, velocity, pan: pan)
      }
      guard part != .intro else { continue }
      for eighth in 0..<8 where eighth != 3 && (eighth != 6 || bar % 2 == 1) {
        let velocity = eighth % 2 == 0 ? 0.6 : 0.72
        score.play(.synthBass, eighth == 7 ? root + 12 : root, at: beat + Double(eighth) * 0.5, for: 0.4, velocity)
      }
      // Two bars without drums before the reprise.
      let isBreak = part == .chorus && piece.part(of: min(bar + 2, piece.bars - 1)) == .reprise
      if !isBreak { beatOfNight(&score, beat, isFull: part != .verse) }
    }
    sing(&score, piece, theme, in: [.chorus], voice: .bell, velocity: 0.8, pan: 0.15, octave: 1)
    return score.notes
  }

  private static func beatOfNight(_ score: inout Score, _ beat: Double, isFull: Bool) {
    for quarter in 0..<4 {
      let place = beat + Double(quarter)
      score.strike(.kick, at: place, quarter % 2 == 0 ? 0.8 : 0.68)
      score.strike(.hat, at: place + 0.5, 0.8, pan: 0.2)
      guard isFull else { continue }
      if quarter % 2 == 1 { score.strike(.rim, at: place, 0.7, pan: -0.1) }
      if quarter % 2 == 1 { score.strike(.brush, at: place, 0.8, pan: 0.1) }
      score.strike(.shaker, at: place + 0.25, 0.4, pan: -0.4)
      score.strike(.shaker, at: place + 0.75, 0.5, pan: -0.4)
    }
  }
}

/// A tune: a motif of one bar, varied over the chords of a phrase.
struct Melody {
  /// One note of a tune.
  struct Tone: Equatable {
    /// When, in beats from the phrase's start.
    var beat: Double
    /// How long, in beats.
    var length: Double
    /// The degree in the scale.
    var degree: Int
  }

  /// The notes of the phrase.
  private(set) var tones: [Tone] = []

  private static let rhythms: [[Double]] = [
    [1, 1, 2], [1.5, 0.5, 2], [2, 1, 1], [0.5, 0.5, 1, 2], [1, 0.5, 0.5, 2], [3, 1], [1.5, 1.5, 1],
  ]

  /// Invents a phrase over one chord a bar of four beats, around a degree.
  init(over chords: [Chord], around center: Int, _ random: inout SeededRandom) {
    let motif = random.pick(Self.rhythms) ?? [4]
    let answer = random.pick(Self.rhythms) ?? [4]
    var steps: [Int] = []
    for _ in 0..<6 { steps.append(random.pick([-2, -1, -1, 0, 1, 1, 2, 3]) ?? 0) }
    var degree = center
    for (bar, chord) in chords.enumerated() {
      let isLast = bar == chords.count - 1
      let rhythm = isLast ? [3] : bar % 2 == 0 ? motif : answer
      var beat = Double(bar * 4)
      for (index, length) in rhythm.enumerated() {
        // Strong notes belong to the chord; between them the motif's own steps lead.
        degree = index == 0 ? Self.tone(of: chord, near: degree) : degree + steps[(index + bar / 2) % steps.count]
        if degree > center + 5 { degree -= 3 }
        if degree < center - 4 { degree += 3 }
        tones.append(Tone(beat: beat, length: length, degree: degree))
        beat += length
      }
    }
    if let last = tones.indices.last, let chord = chords.last {
      tones[last].degree = Self.tone(of: chord, near: degree)
    }
  }

  private static func tone(of chord: Chord, near degree: Int) -> Int {
    let candidates = (-2...2).flatMap { octave in chord.degrees.prefix(3).map { $0 + 7 * octave } }
    return candidates.min { abs($0 - degree) < abs($1 - degree) } ?? degree
  }
}

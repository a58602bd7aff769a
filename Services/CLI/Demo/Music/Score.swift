import Glibc

/// A piece while it is written: notes placed by beats.
struct Score {
  /// Beats a minute.
  let tempo: Double
  /// Its key.
  let scale: Scale
  /// How much players deviate from the beat, in seconds.
  let looseness: Double
  /// How late the second half of a beat comes, in beats.
  let swing: Double
  /// The choices of its composer.
  var random: SeededRandom
  /// What was written so far.
  private(set) var notes: [Note] = []
  private var voicings: [Voice: [Int]] = [:]

  /// An empty piece.
  init(tempo: Double, scale: Scale, looseness: Double = 0.006, swing: Double = 0, seed: UInt64) {
    self.tempo = tempo
    self.scale = scale
    self.looseness = looseness
    self.swing = swing
    random = SeededRandom(seed)
  }

  /// How long a number of beats takes, in seconds.
  func seconds(_ beats: Double) -> Double { beats * 60 / tempo }

  /// Writes a note.
  mutating func play(
    _ voice: Voice, _ pitch: Int, at beat: Double, for beats: Double, _ velocity: Double, pan: Double = 0
  ) {
    let part = beat - beat.rounded(.down)
    let swung = abs(part - 0.5) < 0.01 ? beat + swing : beat
    let start = max(0, seconds(swung) + random.between(-looseness, looseness))
    let touch = min(1, max(0.05, velocity * random.between(0.9, 1.08)))
    notes.append(
      Note(
        start: start, length: seconds(beats), pitch: Double(pitch), velocity: touch, voice: voice, pan: pan))
  }

  /// Writes a drum.
  mutating func strike(_ voice: Voice, at beat: Double, _ velocity: Double, pan: Double = 0) {
    play(voice, 60, at: beat, for: 0.25, velocity, pan: pan)
  }

  /// The pitches of a chord for a voice, led smoothly from its chord before.
  mutating func voicing(_ chord: Chord, for voice: Voice, from low: Int) -> [Int] {
    let pitches = chord.voicing(in: scale, from: low, near: voicings[voice] ?? [])
    voicings[voice] = pitches
    return pitches
  }

  /// Writes a chord whose notes are spread from left to right and begin one after the other.
  mutating func spread(
    _ voice: Voice, _ pitches: [Int], at beat: Double, for beats: Double, _ velocity: Double, width: Double,
    strum: Double = 0
  ) {
    for (index, pitch) in pitches.enumerated() {
      let place = pitches.count > 1 ? Double(index) / Double(pitches.count - 1) * 2 - 1 : 0
      let delay = strum * Double(index)
      play(voice, pitch, at: beat + delay, for: beats - delay, velocity, pan: place * width)
    }
  }
}

import Testing

@testable import lunara

/// The generated music is music: in tune, at a pleasant level, and the same every time.
struct DemoMusicTests {
  @Test func theSameSeedGivesTheSameSound() {
    let piece = Self.short(.folk, seed: 4)
    let mix = Composer.folk.mix
    func sound(_ piece: Piece) -> StereoSound {
      mix.render(
        Composer.folk.compose(piece), frames: Waveform.frames(piece.seconds), fadeIn: 0.01, fadeOut: 0.5, seed: 1)
    }
    #expect(sound(piece) == sound(piece))
    #expect(sound(piece) != sound(Self.short(.folk, seed: 5)))
  }

  @Test(arguments: [Composer.folk, .piano, .ambient, .night, .lounge])
  func everyMannerFillsItsTimeWithoutLeavingIt(composer: Composer) {
    let piece = Self.short(composer, seed: 7, bars: 16)
    let notes = composer.compose(piece)
    #expect(notes.count > 20)
    #expect(notes.allSatisfy { $0.start >= 0 && $0.start < piece.seconds && $0.length > 0 })
    #expect(
      notes.allSatisfy { (0...1).contains($0.velocity) && (-1...1).contains($0.pan) && (20...110).contains($0.pitch) })
    // No bar is silent.
    let bar = piece.seconds / 16
    for index in 0..<16 {
      let time = (Double(index) + 0.6) * bar
      #expect(notes.contains { $0.start <= time && $0.start + $0.length + bar > time })
    }
  }

  @Test(arguments: [Voice.guitar, .piano, .electricPiano, .bass, .synthBass, .arpeggio])
  func voicesAreInTune(voice: Voice) {
    for pitch in [45.0, 57, 64] {
      var random = SeededRandom(3)
      let note = Note(start: 0, length: 1.2, pitch: pitch, velocity: 0.6, voice: voice)
      let cents = Self.cents(Voice.render(note, &random), from: Waveform.frequency(pitch))
      #expect(abs(cents) < 8, "\(voice) at \(pitch) is \(cents) cents off")
    }
  }

  @Test func loudnessIsMeasuredAsTheStandardSays() throws {
    // BS.1770: a full-scale sine of 997 Hz in one channel measures -3.01 LUFS.
    var sine = Sine(997)
    var sound = StereoSound(frames: Waveform.rate * 3)
    for index in 0..<sound.frames { sound.left[index] = sine.next() }
    let measured = try #require(Loudness.integrated(sound))
    #expect(abs(measured + 3.01) < 0.1)
    #expect(Loudness.integrated(StereoSound(frames: 44_100)) == nil)
  }

  @Test func aSoundIsBroughtToItsLoudnessWithoutClipping() throws {
    let piece = Self.short(.night, seed: 2)
    let sound = Composer.night.mix.render(
      Composer.night.compose(piece), frames: Waveform.frames(piece.seconds), fadeIn: 0.005, fadeOut: 0.005, seed: 1)
    let loudness = try #require(Loudness.integrated(sound))
    #expect((-18.0 ... -15.5).contains(loudness))
    let peak = (sound.left + sound.right).map { abs($0) }.max() ?? 1
    #expect(peak < 0.9 && peak > 0.2)
  }

  @Test(arguments: Voice.allCases) func voicesSwingAroundZero(voice: Voice) {
    var random = SeededRandom(3)
    let sound = Voice.render(Note(start: 0, length: 2, pitch: 50, velocity: 0.8, voice: voice), &random)
    let mean = sound.reduce(0, +) / Float(sound.count)
    let peak = sound.map { abs($0) }.max() ?? 0
    #expect(peak > 0.01 && abs(mean) < peak * 0.01)
  }

  @Test func fadesEndInSilence() {
    let piece = Self.short(.piano, seed: 2)
    let sound = Composer.piano.mix.render(
      Composer.piano.compose(piece), frames: Waveform.frames(piece.seconds), fadeIn: 0.01, fadeOut: 1, seed: 1)
    #expect(abs(sound.left[0]) < 0.0001 && abs(sound.right[sound.frames - 1]) < 0.0001)
  }

  @Test func samplesAreLittleEndianLeftThenRight() {
    var sound = StereoSound(frames: 2)
    sound.left = [0, 1]
    sound.right = [-1, 0.5]
    #expect(sound.samples(0..<2) == [0, 0, 1, 128, 255, 127, 0, 64])
  }

  private static func short(_ composer: Composer, seed: UInt64, bars: Int = 4) -> Piece {
    let chords = [0, 5, 3, 4].map(composer.chord(on:))
    return Piece(
      scale: Scale(tonic: 57, mode: .minor), tempo: 120, bars: bars, verse: chords, chorus: chords, seed: seed)
  }

  /// How far a sound's period is from a frequency's, by the peak of its autocorrelation.
  private static func cents(_ sound: [Float], from frequency: Double) -> Double {
    let period = Double(Waveform.rate) / frequency
    let start = Waveform.rate / 10
    // Over many periods, so that a fraction of a frame shows.
    let cycles = max(1, Int(8000 / period))
    func likeness(_ lag: Int) -> Double {
      var sum = 0.0
      for index in start..<start + 4000 { sum += Double(sound[index] * sound[index + lag]) }
      return sum
    }
    let center = Int((period * Double(cycles)).rounded())
    let reach = Int(period / 3)
    let likenesses = (center - reach...center + reach).map(likeness)
    let top = likenesses.indices.dropFirst().dropLast().max { likenesses[$0] < likenesses[$1] } ?? reach
    let best = center - reach + top
    let (left, middle, right) = (likenesses[top - 1], likenesses[top], likenesses[top + 1])
    let vertex = Double(best) + 0.5 * (left - right) / (left - 2 * middle + right)
    return 1200 * Self.log2(period * Double(cycles) / vertex)
  }

  private static func log2(_ value: Double) -> Double {
    // Near 1, which is where it is asked: the series suffices.
    let part = value - 1
    return (part - part * part / 2 + part * part * part / 3) / 0.693_147_180_559_945_3
  }
}

import Glibc

/// Turns notes into sound.
struct Mix {
  /// The room.
  let reverb: Reverb
  /// How loud the result is, in LUFS.
  let loudness: Double

  /// The sound of notes, of exactly a number of frames; it fades in and out over the given seconds.
  func render(_ notes: [Note], frames: Int, fadeIn: Double, fadeOut: Double, seed: UInt64) -> StereoSound {
    var random = SeededRandom(seed)
    var dry = StereoSound(frames: frames)
    // The room is stereo, what is sent into it need not be.
    var sent = [Float](repeating: 0, count: frames)
    for note in notes {
      let sound = Voice.render(note, &random)
      let start = Waveform.frames(note.start)
      dry.add(sound, at: start, pan: note.pan, level: note.voice.level)
      Self.add(sound, to: &sent, at: start, level: note.voice.level * note.voice.reverb)
    }
    reverb.addEchoes(of: sent, to: &dry)
    Loudness.set(&dry, to: loudness)
    fade(&dry, fadeIn, fadeOut)
    return dry
  }

  private static func add(_ sound: [Float], to sent: inout [Float], at start: Int, level: Float) {
    let count = min(sound.count, sent.count - start)
    guard start >= 0, count > 0 else { return }
    sound.withUnsafeBufferPointer { sound in
      sent.withUnsafeMutableBufferPointer { sent in
        for index in 0..<count { sent[start + index] += sound[index] * level }
      }
    }
  }

  private func fade(_ sound: inout StereoSound, _ fadeIn: Double, _ fadeOut: Double) {
    let rise = min(sound.frames, max(1, Waveform.frames(fadeIn)))
    let fall = min(sound.frames, max(1, Waveform.frames(fadeOut)))
    let end = sound.frames
    sound.shape(0..<rise) { 0.5 - 0.5 * cosf(.pi * Float($0) / Float(rise)) }
    sound.shape(end - fall..<end) { 0.5 - 0.5 * cosf(.pi * Float(end - 1 - $0) / Float(fall)) }
  }
}

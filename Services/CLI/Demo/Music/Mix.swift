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
    var wet = StereoSound(frames: frames)
    for note in notes {
      let sound = Voice.render(note, &random)
      let start = Waveform.frames(note.start)
      dry.add(sound, at: start, pan: note.pan, level: note.voice.level)
      wet.add(sound, at: start, pan: note.pan * 0.6, level: note.voice.level * note.voice.reverb)
    }
    reverb.addEchoes(of: wet, to: &dry)
    Loudness.set(&dry, to: loudness)
    fade(&dry, fadeIn, fadeOut)
    return dry
  }

  private func fade(_ sound: inout StereoSound, _ fadeIn: Double, _ fadeOut: Double) {
    let rise = min(sound.frames, max(1, Waveform.frames(fadeIn)))
    let fall = min(sound.frames, max(1, Waveform.frames(fadeOut)))
    let end = sound.frames
    sound.shape(0..<rise) { 0.5 - 0.5 * cosf(.pi * Float($0) / Float(rise)) }
    sound.shape(end - fall..<end) { 0.5 - 0.5 * cosf(.pi * Float(end - 1 - $0) / Float(fall)) }
  }
}

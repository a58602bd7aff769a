import Model

/// A kind of audio output. A new kind is a file beside this one with its `parse`, and its name in `all`.
struct AudioOutputKind: Sendable {
  /// Returns the output for a value of `LUNARA_AUDIO`, or nil for a value of another kind. The second argument returns other
  /// settings by their names. Throws `playback.badSetting`.
  let parse: @Sendable (_ audio: String, _ setting: (String) -> String?) throws(LunaraError) -> AudioOutput?

  /// The kinds in the order in which they are asked. `device` accepts every name, so it is the last.
  static let all: [AudioOutputKind] = [.automatic, .null, .file, .device]

  init(
    _ parse: @escaping @Sendable (_ audio: String, _ setting: (String) -> String?) throws(LunaraError) -> AudioOutput?
  ) {
    self.parse = parse
  }
}

extension AudioOutputKind {
  /// `auto`: the first sound server or card that works.
  static let automatic = AudioOutputKind { (audio, _) throws(LunaraError) in
    guard audio.isEmpty || audio == "auto" else { return nil }
    return AudioOutput(
      // The list has an end: without it libmpv would go on to drivers that accept sound and let nobody hear it.
      options: [("ao", "pipewire,pulse,alsa"), ("gapless-audio", "weak")],
      failureMessage:
        "No sound device was found: neither PipeWire, PulseAudio nor ALSA has one. Connect one or start the sound server, then resume; or choose with LUNARA_AUDIO.",
      usesSoundServer: true)
  }

  /// `null`: no sound, at the pace of a real device. `LUNARA_AUDIO_SPEED` is a multiple of that from 1 to 100, or `max` for as
  /// fast as the sound can be decoded.
  static let null = AudioOutputKind { (audio, setting) throws(LunaraError) in
    guard audio == "null" else { return nil }
    var output = AudioOutput(
      options: [("ao", "null"), ("gapless-audio", "weak")],
      failureMessage: "The null output could not be opened. Resume to try again.")
    let speed = setting("LUNARA_AUDIO_SPEED") ?? "1"
    if speed == "max" {
      output.pace = .free
      output.options.append(("ao-null-untimed", "yes"))
      return output
    }
    guard let rate = Double(speed), (1...100).contains(rate) else {
      throw LunaraError("playback.badSetting", "LUNARA_AUDIO_SPEED is \(speed). Give a number from 1 to 100, or max.")
    }
    output.pace = .steady(rate)
    // The player is made faster, not the output (`ao-null-speed`), whose buffers empty between two looks at them.
    if rate != 1 { output.options += [("speed", "\(rate)"), ("audio-pitch-correction", "no")] }
    return output
  }

  /// `pcm:FILE`: a WAV file, as fast as the sound can be decoded.
  static let file = AudioOutputKind { (audio, _) throws(LunaraError) in
    guard audio.hasPrefix("pcm:") else { return nil }
    let path = String(audio.dropFirst(4))
    guard !path.isEmpty else {
      throw LunaraError("playback.badSetting", "LUNARA_AUDIO is pcm: without a file. Give one, as in pcm:/tmp/a.wav.")
    }
    return AudioOutput(
      pace: .free,
      // A new format would start the file again, so later tracks are brought to the format of the first.
      options: [("ao", "pcm"), ("ao-pcm-file", path), ("gapless-audio", "yes")],
      failureMessage: "The file \(path) for the sound cannot be written. Check LUNARA_AUDIO, then resume.",
      isShared: false)
  }

  /// A device by libmpv's name for it, `DRIVER` or `DRIVER/DEVICE`.
  static let device = AudioOutputKind { (name, _) throws(LunaraError) in
    AudioOutput(
      options: AudioOutput.options(of: name) + [("gapless-audio", "weak")],
      failureMessage: "The sound device \(name) cannot be opened. Connect it or check LUNARA_AUDIO, then resume.",
      usesSoundServer: name.hasPrefix("pulse") || name.hasPrefix("pipewire"))
  }
}

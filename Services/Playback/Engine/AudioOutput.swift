import Model

/// Where sound goes, as `LUNARA_AUDIO` and `LUNARA_AUDIO_SPEED` say.
struct AudioOutput: Hashable, Sendable {
  /// The kinds of output.
  enum Kind: Hashable, Sendable {
    /// The first sound server or card that works.
    case automatic
    /// Nowhere, at the pace of a real device or a multiple of it.
    case null(speed: Double)
    /// Nowhere, as fast as it can be decoded.
    case nullUntimed
    /// A WAV file, as fast as it can be decoded.
    case file(String)
    /// A device by libmpv's name for it, `DRIVER` or `DRIVER/DEVICE`.
    case device(String)
  }

  var kind: Kind

  /// Reads the settings.
  ///
  /// - Parameters:
  ///   - audio: `auto`, `null`, `pcm:FILE` or a device.
  ///   - speed: for `null` only: how many times faster than real time, from 1 to 100, or `max` for as fast as can be;
  ///     nil is 1.
  /// - Throws: `playback.badSetting`.
  init(audio: String, speed: String? = nil) throws(LunaraError) {
    switch audio {
    case "", "auto": kind = .automatic
    case "null":
      switch speed {
      case nil: kind = .null(speed: 1)
      case "max": kind = .nullUntimed
      case .some(let text):
        guard let value = Double(text), (1...100).contains(value) else {
          throw LunaraError(
            "playback.badSetting", "LUNARA_AUDIO_SPEED is \(text). Give a number from 1 to 100, or max.")
        }
        kind = .null(speed: value)
      }
    case _ where audio.hasPrefix("pcm:"):
      guard audio.utf8.count > 4 else {
        throw LunaraError("playback.badSetting", "LUNARA_AUDIO is pcm: without a file. Give one, as in pcm:/tmp/a.wav.")
      }
      kind = .file(String(audio.dropFirst(4)))
    default: kind = .device(audio)
    }
  }

  /// How media time passes there.
  var pace: Pace {
    switch kind {
    case .null(let speed): .steady(speed)
    case .automatic, .device: .steady(1)
    case .nullUntimed, .file: .free
    }
  }

  /// The options of libmpv that choose it (manual of mpv 0.35, "Audio" and "Audio output drivers").
  var options: [(name: String, value: String)] {
    switch kind {
    case .automatic:
      // The list has an end: without it libmpv would go on to drivers that take sound and let nobody hear it.
      [("ao", "pipewire,pulse,alsa"), ("gapless-audio", "weak")]
    case .null(let speed):
      // Speed is that of the player, not `ao-null-speed`, whose buffers empty between two looks at them.
      [("ao", "null"), ("gapless-audio", "weak")]
        + (speed == 1 ? [] : [("speed", "\(speed)"), ("audio-pitch-correction", "no")])
    case .nullUntimed: [("ao", "null"), ("ao-null-untimed", "yes"), ("gapless-audio", "weak")]
    case .file(let path):
      // A new format would start the file anew, so later tracks are brought to the format of the first.
      [("ao", "pcm"), ("ao-pcm-file", path), ("gapless-audio", "yes")]
    case .device(let name):
      // Naming the driver as well keeps libmpv from trying others when it fails.
      [("ao", String(name.prefix { $0 != "/" })), ("audio-device", name), ("gapless-audio", "weak")]
    }
  }

  /// The options of libmpv that send the sound to a device while it plays; nil for what this says.
  func switching(to device: String?) -> [(name: String, value: String)] {
    if let device { return [("ao", String(device.prefix { $0 != "/" })), ("audio-device", device)] }
    let named = options.filter { ["ao", "audio-device"].contains($0.name) }
    return named.count == 2 ? named : named + [("audio-device", "auto")]
  }

  /// What to tell a person when it cannot be opened.
  func failure(cause: String?) -> LunaraError {
    let message =
      switch kind {
      case .automatic:
        "No sound device was found: neither PipeWire, PulseAudio nor ALSA has one. Connect one or start the sound server, then resume; or choose with LUNARA_AUDIO."
      case .null, .nullUntimed: "The null output could not be opened. Resume to try again."
      case .file(let path): "The file \(path) for the sound cannot be written. Check LUNARA_AUDIO, then resume."
      case .device(let name):
        "The sound device \(name) cannot be opened. Connect it or check LUNARA_AUDIO, then resume."
      }
    return LunaraError("playback.noOutput", message, cause: cause)
  }
}

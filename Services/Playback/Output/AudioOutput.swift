import Model

/// The audio output that `LUNARA_AUDIO` chooses: what libmpv is told, and what the room has to know of it.
struct AudioOutput: Sendable {
  /// An option of libmpv (manual of mpv 0.35, "Audio" and "Audio output drivers").
  typealias Option = (name: String, value: String)

  var pace = Pace.steady(1)
  /// The options of libmpv that choose it.
  var options: [Option]
  /// The message for a person when it cannot be opened.
  var failureMessage: String
  /// True if its sound may go to a sound server, which tells of headphones and may come back after it was lost.
  var usesSoundServer = false
  /// True if several players can have it open at once.
  var isShared = true

  /// Returns the options that send the sound to a device while it plays; nil for the output itself.
  func switching(to device: String?) -> [Option] {
    if let device { return Self.options(of: device) }
    let named = options.filter { ["ao", "audio-device"].contains($0.name) }
    return named.count == 2 ? named : named + [("audio-device", "auto")]
  }

  /// Returns the options for a device by libmpv's name, `DRIVER` or `DRIVER/DEVICE`. Naming the driver as well keeps
  /// libmpv from trying others when it fails.
  static func options(of device: String) -> [Option] {
    [("ao", String(device.prefix { $0 != "/" })), ("audio-device", device)]
  }

  func failure(cause: String?) -> LunaraError { LunaraError("playback.noOutput", failureMessage, cause: cause) }
}

/// The kinds of outputs. A new kind is one more case of `init(audio:setting:)`.
extension AudioOutput {
  /// Reads the value of `LUNARA_AUDIO`: `auto`, `null`, `pcm:FILE` or a device; `setting` returns those of other
  /// settings by their names. Throws `playback.badSetting`.
  init(audio: String, setting: (String) -> String? = { _ in nil }) throws(LunaraError) {
    switch audio {
    case "", "auto": self = .automatic
    case "null": try self.init(speed: setting("LUNARA_AUDIO_SPEED") ?? "1")
    case _ where audio.hasPrefix("pcm:"): try self.init(file: String(audio.dropFirst(4)))
    default: self.init(device: audio)
    }
  }

  /// `auto`: the first sound server or card that works.
  private static let automatic = AudioOutput(
    // The list has an end: without it libmpv would go on to drivers that accept sound and let nobody hear it.
    options: [("ao", "pipewire,pulse,alsa"), ("gapless-audio", "weak")],
    failureMessage:
      "No sound device was found: neither PipeWire, PulseAudio nor ALSA has one. Connect one or start the sound server, then resume; or choose with LUNARA_AUDIO.",
    usesSoundServer: true)

  /// `null`: no sound, at the pace of a real device. `speed` is a multiple of that pace from 1 to 100, or `max` for as
  /// fast as the sound can be decoded.
  private init(speed: String) throws(LunaraError) {
    self.init(
      options: [("ao", "null"), ("gapless-audio", "weak")],
      failureMessage: "The null output could not be opened. Resume to try again.")
    if speed == "max" {
      pace = .free
      options.append(("ao-null-untimed", "yes"))
      return
    }
    guard let rate = Double(speed), (1...100).contains(rate) else {
      throw LunaraError("playback.badSetting", "LUNARA_AUDIO_SPEED is \(speed). Give a number from 1 to 100, or max.")
    }
    pace = .steady(rate)
    // The player is made faster, not the output (`ao-null-speed`), whose buffers empty between two looks at them.
    if rate != 1 { options += [("speed", "\(rate)"), ("audio-pitch-correction", "no")] }
  }

  /// `pcm:FILE`: a WAV file, as fast as the sound can be decoded.
  private init(file path: String) throws(LunaraError) {
    guard !path.isEmpty else {
      throw LunaraError("playback.badSetting", "LUNARA_AUDIO is pcm: without a file. Give one, as in pcm:/tmp/a.wav.")
    }
    self.init(
      pace: .free,
      // A new format would start the file again, so later tracks are brought to the format of the first.
      options: [("ao", "pcm"), ("ao-pcm-file", path), ("gapless-audio", "yes")],
      failureMessage: "The file \(path) for the sound cannot be written. Check LUNARA_AUDIO, then resume.",
      isShared: false)
  }

  /// A device by libmpv's name for it, `DRIVER` or `DRIVER/DEVICE`.
  private init(device name: String) {
    self.init(
      options: Self.options(of: name) + [("gapless-audio", "weak")],
      failureMessage: "The sound device \(name) cannot be opened. Connect it or check LUNARA_AUDIO, then resume.",
      usesSoundServer: name.hasPrefix("pulse") || name.hasPrefix("pipewire"))
  }
}

/// The passing of media time on an output.
enum Pace: Hashable, Sendable {
  /// That many media seconds a second.
  case steady(Double)
  /// As fast as the output accepts sound, as when writing a file.
  case free

  /// The media seconds a second, for those who extrapolate; 0 where nobody can.
  var rate: Double { if case .steady(let rate) = self { rate } else { 0 } }
}

import Model

/// The audio output that `LUNARA_AUDIO` chooses: what libmpv is told, and what the room has to know of it.
struct AudioOutput: Sendable {
  /// An option of libmpv (manual of mpv 0.35, "Audio" and "Audio output drivers").
  typealias Option = (name: String, value: String)

  /// The passing of media time on it.
  var pace = Pace.steady(1)
  /// The options of libmpv that choose it.
  var options: [Option]
  /// The message for a person when it cannot be opened.
  var failureMessage: String
  /// True if its sound may go to a sound server, which tells of headphones and may come back after it was lost.
  var usesSoundServer = false
  /// True if several players can have it open at once.
  var isShared = true

  /// Reads the settings.
  ///
  /// - Parameters:
  ///   - audio: the value of `LUNARA_AUDIO`: `auto`, `null`, `pcm:FILE` or a device.
  ///   - setting: returns the value of another setting by its name; nil where it is not set.
  /// - Throws: `playback.badSetting`.
  init(audio: String, setting: (String) -> String? = { _ in nil }) throws(LunaraError) {
    for kind in AudioOutputKind.all {
      guard let output = try kind.parse(audio, setting) else { continue }
      self = output
      return
    }
    throw LunaraError("playback.badSetting", "LUNARA_AUDIO is \(audio). Give auto, null, pcm:FILE or a device.")
  }

  init(
    pace: Pace = .steady(1), options: [Option], failureMessage: String, usesSoundServer: Bool = false,
    isShared: Bool = true
  ) {
    self.pace = pace
    self.options = options
    self.failureMessage = failureMessage
    self.usesSoundServer = usesSoundServer
    self.isShared = isShared
  }

  /// Returns the options that send the sound to a device while it plays; nil for the output itself.
  func switching(to device: String?) -> [Option] {
    if let device { return Self.options(of: device) }
    let named = options.filter { ["ao", "audio-device"].contains($0.name) }
    return named.count == 2 ? named : named + [("audio-device", "auto")]
  }

  /// Returns the options for a device by libmpv's name, `DRIVER` or `DRIVER/DEVICE`. Naming the driver as well keeps libmpv
  /// from trying others when it fails.
  static func options(of device: String) -> [Option] {
    [("ao", String(device.prefix { $0 != "/" })), ("audio-device", device)]
  }

  /// Returns the error for an output that cannot be opened.
  func failure(cause: String?) -> LunaraError { LunaraError("playback.noOutput", failureMessage, cause: cause) }
}

/// The passing of media time on an output.
enum Pace: Hashable, Sendable {
  /// That many media seconds a second.
  case steady(Double)
  /// As fast as the output accepts sound, as when writing a file.
  case free

  /// The media seconds a second, for those who extrapolate; 0 where nobody can.
  var rate: Double {
    switch self {
    case .steady(let rate): rate
    case .free: 0
    }
  }
}

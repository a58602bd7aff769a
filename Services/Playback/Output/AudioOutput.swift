import Confinement
import Glibc
import Model
import System

/// The audio output that `LUNARA_AUDIO` chooses: its options for libmpv, and its properties for the room.
struct AudioOutput: Sendable {
  /// An option of libmpv (manual of mpv 0.35, "Audio" and "Audio output drivers").
  typealias Option = (name: String, value: String)

  var pace = Pace.steady(1)
  /// The options with which libmpv opens the output.
  var options: [Option]
  /// The message for a person if the output cannot be opened.
  var failureMessage: String
  /// True if the sound may go to a sound server, which reports headphones and may come back after it was lost.
  var usesSoundServer = false
  /// True if several players can have the output open at once.
  var isShared = true

  /// Returns the options that send the sound to a device while it plays; nil for this output itself.
  func switching(to device: String?) -> [Option] {
    if let device { return Self.options(of: device) }
    let named = options.filter { ["ao", "audio-device"].contains($0.name) }
    return named.count == 2 ? named : named + [("audio-device", "auto")]
  }

  /// Returns the options for a device by libmpv's name, `DRIVER` or `DRIVER/DEVICE`. The driver is set as well, as
  /// libmpv would try other ones after a failure.
  static func options(of device: String) -> [Option] {
    [("ao", String(device.prefix { $0 != "/" })), ("audio-device", device)]
  }

  /// The file to which the sound is written; nil for a device.
  var file: String? { options.first { $0.name == "ao-pcm-file" }?.value }

  /// True if the output takes sound only as fast as somebody listens: a device, or a pipe, but not a file.
  var takesSoundInTime: Bool {
    guard pace == .free else { return true }
    guard let file else { return false }
    return Files.status(file, followingLinks: true)?.kind == .other
  }

  /// The inode of the file to which the sound is written; nil if there is none.
  var fileNumber: UInt64? { file.flatMap { Files.status($0, followingLinks: true)?.inode } }

  /// Creates the file to which the sound is written, as a player reaches only a file that is there when it starts.
  func createFile() {
    guard let file, fileNumber == nil else { return }
    do throws(Errno) { try Descriptor(opening: file, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666).close() } catch {
      // The output then fails to open it as well, which is reported.
    }
  }

  /// Returns the files that a player with this output needs, for the environment of its process.
  func reachableFiles(_ environment: Environment) -> ReachableFiles {
    let drivers = options.filter { ["ao", "audio-device"].contains($0.name) }.map(\.value)
    return .player(environment, recording: file, sharesMemory: drivers.contains { $0.contains("jack") })
  }

  func failure(cause: String?) -> LunaraError { LunaraError("playback.noOutput", failureMessage, cause: cause) }
}

/// The kinds of outputs. A new kind is added as a case of `init(audio:setting:)`.
extension AudioOutput {
  /// Reads the value of `LUNARA_AUDIO`: `auto`, `null`, `pcm:FILE` or a device. `setting` returns the value of another
  /// setting by its name. Throws `playback.badSetting`.
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
    // The list of drivers has no comma at its end: with one libmpv would try further drivers, which may accept sound
    // that nobody hears.
    options: [("ao", "pipewire,pulse,alsa"), ("gapless-audio", "weak")],
    failureMessage:
      "No sound device was found: neither PipeWire, PulseAudio nor ALSA has one. Connect one or start the sound server, then resume; or choose with LUNARA_AUDIO.",
    usesSoundServer: true)

  /// `null`: no sound, at the speed of a real device. `speed` is a factor from 1 to 100, or `max` for as fast as the
  /// sound can be decoded.
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
    // The player is made faster and not the output (`ao-null-speed`), whose buffer would run empty between two checks
    // of it.
    if rate != 1 { options += [("speed", "\(rate)"), ("audio-pitch-correction", "no")] }
  }

  /// `pcm:FILE`: a WAV file, as fast as the sound can be decoded.
  private init(file path: String) throws(LunaraError) {
    guard !path.isEmpty else {
      throw LunaraError("playback.badSetting", "LUNARA_AUDIO is pcm: without a file. Give one, as in pcm:/tmp/a.wav.")
    }
    self.init(
      pace: .free,
      // A change of format would start the file again, so all tracks are converted to the format of the first.
      options: [("ao", "pcm"), ("ao-pcm-file", path), ("gapless-audio", "yes")],
      failureMessage: "The file \(path) for the sound cannot be written. Check LUNARA_AUDIO, then resume.",
      isShared: false)
  }

  /// A device by libmpv's name, `DRIVER` or `DRIVER/DEVICE`.
  private init(device name: String) {
    self.init(
      options: Self.options(of: name) + [("gapless-audio", "weak")],
      failureMessage: "The sound device \(name) cannot be opened. Connect it or check LUNARA_AUDIO, then resume.",
      usesSoundServer: name.hasPrefix("pulse") || name.hasPrefix("pipewire"))
  }
}

/// The speed at which media time passes on an output.
enum Pace: Hashable, Codable, Sendable {
  /// This number of media seconds in a second.
  case steady(Double)
  /// As fast as the output accepts sound, for example a file.
  case free

  /// The media seconds in a second, for extrapolation; 0 if that is impossible.
  var rate: Double { if case .steady(let rate) = self { rate } else { 0 } }
}

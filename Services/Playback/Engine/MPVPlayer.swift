import CMPV
import Glibc
import Messages
import Model
import System

/// One libmpv core. Used on one thread only, except `wake`.
final class MPVPlayer {
  let library: MPVLibrary
  let handle: OpaquePointer
  /// The first message that libmpv logged since a file was started.
  var complaint: String?
  /// The inputs of the files in libmpv's list.
  let inputs = CueInputs()
  /// The marks of the load commands, by the entries that they added to the list.
  var marks: [Int64: UInt64] = [:]
  /// The mark of the load command of the open file; 0 for none.
  var openMark: UInt64 = 0
  /// The mark of the last command that added a file to the end of the list; 0 for none.
  private var preparedMark: UInt64 = 0
  /// True if the header of the open file was read.
  var isOpened = false
  /// True if any part of the open file was played.
  var hasRestarted = false
  /// The end of the sound in the open file where libavformat does not know it, in seconds.
  var soundEnd: Double?
  /// The end at which libmpv was told to stop in the open file, in seconds; nil for the end of the file.
  var openEnd: Double?
  /// The signals that were read but not yet returned by `next`.
  var waiting: [PlayerSignal] = []
  private let output: AudioOutput
  private var drivers: String?
  /// The properties whose changes are reported.
  private var observed: Set<String> = []

  struct Start {
    /// The volume, in percent.
    var volume = 100
    var isMuted = false
    /// The device to use; nil for the output that `LUNARA_AUDIO` chooses.
    var device: String?
    var options: [(String, String)] = []
  }

  /// Starts a core with nothing to play. Throws `playback.engineFailed`.
  init(_ library: MPVLibrary, output: AudioOutput, start: Start) throws(LunaraError) {
    self.library = library
    self.output = output
    guard let handle = library.with({ lunara_mpv_create($0) }) else {
      throw Self.failure("It has no memory, or LC_NUMERIC is not C.")
    }
    self.handle = handle
    let own = [("volume", "\(start.volume)"), ("mute", start.isMuted ? "yes" : "no")] + start.options
    let place = output.options + (start.device.map { output.switching(to: $0) } ?? [])
    drivers = place.last { $0.name == "ao" }?.value
    var refused: String?
    for (name, value) in Self.options + place + own where refused == nil {
      let code = library.with { lunara_mpv_set_option($0, handle, name, value) }
      if code < 0 { refused = "\(name)=\(value): \(Self.text(code, library))" }
    }
    let code = library.with { lunara_mpv_initialize($0, handle) }
    if refused == nil, code < 0 { refused = Self.text(code, library) }
    let added = inputs.register(in: library, handle)
    if refused == nil, added < 0 { refused = Self.text(added, library) }
    if let refused {
      library.with { lunara_mpv_end($0, handle) }
      throw Self.failure(refused)
    }
    library.with { mpv in
      // Warnings are needed as well: they report a server's refusal.
      _ = lunara_mpv_request_log(mpv, handle, "warn")
      _ = lunara_mpv_hook(mpv, handle, "on_preloaded")
      _ = lunara_mpv_hook(mpv, handle, "on_unload")
    }
    observe("paused-for-cache", MPV_FORMAT_FLAG)
    observe("duration", MPV_FORMAT_DOUBLE)
    observe("current-ao", MPV_FORMAT_STRING)
  }

  deinit { library.with { lunara_mpv_end($0, handle) } }

  /// The options of every player: audio only, and independent of the user's own mpv, without its configuration,
  /// scripts, keys and windows, and without other files beside the one that is played.
  private static let options: [(String, String)] = [
    ("config", "no"), ("load-scripts", "no"), ("ytdl", "no"), ("osc", "no"), ("load-stats-overlay", "no"),
    ("load-osd-console", "no"), ("load-auto-profiles", "no"), ("input-default-bindings", "no"),
    ("input-builtin-bindings", "no"), ("input-media-keys", "no"), ("input-cursor", "no"), ("terminal", "no"),
    ("vid", "no"), ("vo", "null"), ("sid", "no"), ("audio-display", "no"), ("osd-level", "0"),
    ("sub-auto", "no"), ("audio-file-auto", "no"), ("cover-art-auto", "no"), ("sub-font-provider", "none"),
    ("ordered-chapters", "no"), ("save-position-on-quit", "no"), ("resume-playback", "no"), ("idle", "yes"),
    ("keep-open", "no"), ("audio-fallback-to-null", "no"), ("volume-max", "100"), ("replaygain", "no"),
    ("hr-seek", "yes"), ("audio-client-name", "Lunara"),
    // A decoder of lossy audio needs what comes before a position, and libavformat may lead past a position in Ogg
    // files, so each jump starts a little earlier and drops that part.
    ("hr-seek-demuxer-offset", "0.5"),
    // The buffer holds a whole CD track, so that a short network failure is not heard and the next track is opened
    // early.
    ("demuxer-max-bytes", "32MiB"), ("demuxer-max-back-bytes", "2MiB"), ("prefetch-playlist", "yes"),
    // libmpv's own demuxers, which read lists of files, are not tried, and libavformat reads only containers of audio
    // and opens no address by itself: `CueInputs` gives it the one resource that it has to read.
    ("demuxer", "lavf"), ("demuxer-lavf-o", demuxerLimits), ("ad-lavc-o", decoderLimits), ("access-references", "no"),
    ("load-unsafe-playlists", "no"),
  ]

  /// The options of libavformat. No protocol has the name `none`.
  private static let demuxerLimits =
    list("format_whitelist", AudioContainer.demuxers) + "," + list("codec_whitelist", AudioDecoders.probed)
    + ",protocol_whitelist=none"

  /// The options of libavcodec.
  private static let decoderLimits = list("codec_whitelist", AudioDecoders.names)

  /// Returns an option whose value is a list of names, in the form `name=%length%value`.
  private static func list(_ option: String, _ names: [String]) -> String {
    let value = names.joined(separator: ",")
    return "\(option)=%\(value.utf8.count)%\(value)"
  }

  /// Carries out a command; libmpv's events report a refusal.
  func perform(_ command: PlayerCommand) {
    switch command {
    case .load(let cue, let append, let mark): load(cue, append, mark)
    case .next: run(["playlist-next", "weak"])
    case .clearPrepared:
      if preparedMark != openMark { inputs[preparedMark]?.cancel() }
      run(["playlist-clear"])
    case .stop:
      inputs.cancelAll()
      run(["stop"])
    case .seek(let cue, let position): run(["seek", MPVText.seconds(of: position, in: cue), "absolute+exact"])
    case .end(let cue): setEnd(of: cue)
    case .pause(let held): set("pause", held)
    case .mute(let isMuted): set("mute", isMuted)
    case .volume(let percent): library.with { _ = lunara_mpv_set_number($0, handle, "volume", percent) }
    case .askPosition(let mark): library.with { _ = lunara_mpv_ask_number($0, handle, mark, "audio-pts") }
    }
  }

  private func load(_ cue: Cue, _ append: Bool, _ mark: UInt64) {
    // libmpv waits for a file that is being opened or read before it opens another one.
    if append { preparedMark = mark } else { inputs.cancelAll() }
    if cue.isStream { observe("demuxer-cache-time", MPV_FORMAT_DOUBLE) }
    let options = MPVText.options(of: cue, isBuffered: cue.isStream || Self.isDistant(cue.locator))
    run(["loadfile", inputs.add(cue, mark), append ? "append" : "replace", options], mark: mark)
  }

  /// Returns true for a file on a share, which may not answer for some seconds.
  private static func isDistant(_ locator: Library.Locator) -> Bool {
    guard case .file(let path, _) = locator else { return false }
    return MountTable.ofSystem().map { $0.kind(of: path.bytes) != .local } ?? false
  }

  /// Sends the sound to a device; nil for the output that `LUNARA_AUDIO` chooses.
  func use(_ device: String?) {
    for (name, value) in output.switching(to: device) {
      // Each change of an option reopens the output.
      if name == "ao" {
        if value == drivers { continue }
        drivers = value
      }
      library.with { _ = lunara_mpv_set_text($0, handle, name, value) }
    }
  }

  /// Asks libmpv to report the devices, now and whenever they change.
  func watchDevices() { observe("audio-device-list", MPV_FORMAT_STRING) }

  /// Asks for the devices once more: not every driver reports changes.
  func askDevices() { library.with { _ = lunara_mpv_ask_text($0, handle, 0, "audio-device-list") } }

  private func observe(_ name: String, _ format: mpv_format) {
    guard observed.insert(name).inserted else { return }
    library.with { _ = lunara_mpv_observe($0, handle, name, format) }
  }

  private func set(_ name: String, _ flag: Bool) {
    library.with { _ = lunara_mpv_set_flag($0, handle, name, flag ? 1 : 0) }
  }

  func run(_ words: [String], mark: UInt64 = 0) {
    CStrings.with(words) { words in
      words.withMemoryRebound(to: UnsafePointer<CChar>?.self, capacity: 1) { words in
        library.with { _ = lunara_mpv_command($0, handle, mark, UnsafeMutablePointer(mutating: words)) }
      }
    }
  }

  /// Makes `next` return. May be called on any thread while the player exists.
  var wake: @Sendable () -> Void {
    let library = library
    let handle = UInt(bitPattern: handle)
    return { library.with { mpv in OpaquePointer(bitPattern: handle).map { lunara_mpv_wakeup(mpv, $0) } } }
  }

  private static func text(_ code: Int32, _ library: MPVLibrary) -> String {
    library.with { String(cString: lunara_mpv_error($0, code)) }
  }

  private static func failure(_ cause: String) -> LunaraError {
    LunaraError("playback.engineFailed", "The player could not be started. Resume to try again.", cause: cause)
  }
}

extension MPVPlayer.Start {
  /// Stores the settings with which the next core must start.
  mutating func apply(_ command: EngineCommand) {
    switch command {
    case .volume(let percent, _): volume = max(0, min(100, percent))
    case .mute(let isMuted): self.isMuted = isMuted
    case .output(let name): device = name
    case .play, .prepare, .pause, .seek, .stop, .listDevices: break
    }
  }
}

/// The loaded libmpv. It stays loaded until the process ends, as a library that has started threads cannot be unloaded.
struct MPVLibrary: Sendable {
  private let functions: lunara_mpv

  /// Throws `playback.engineMissing`.
  init(_ file: String = "libmpv.so.2") throws(LunaraError) {
    // libmpv refuses to work in a locale with a decimal comma (client.h, "Basic environment requirements").
    setlocale(LC_NUMERIC, "C")
    var functions = lunara_mpv()
    let fault = lunara_mpv_load(&functions, file).map { String(cString: $0) }
    guard fault == nil, lunara_mpv_version(&functions) >> 16 == 2 else {
      throw LunaraError(
        "playback.engineMissing", "The player library \(file) cannot be used. Install Debian's libmpv2, then resume.",
        cause: fault ?? "it speaks another version of its interface")
    }
    lunara_mpv_quieten_alsa()
    self.functions = functions
  }

  func with<T>(_ body: (UnsafePointer<lunara_mpv>) throws -> T) rethrows -> T {
    try withUnsafePointer(to: functions, body)
  }
}

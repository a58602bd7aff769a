import CMPV
import Glibc
import Model

/// One libmpv core. Used by one thread, but for `wake`.
final class MPVPlayer {
  private let library: MPVLibrary
  private let handle: OpaquePointer
  /// What libmpv complained about first since a file was started.
  private(set) var complaint: String?

  /// Starts a core with nothing to play.
  ///
  /// - Throws: `playback.engineFailed`.
  init(_ library: MPVLibrary, output: AudioOutput, volume: Int) throws(LunaraError) {
    self.library = library
    guard let handle = library.with({ lunara_mpv_create($0) }) else {
      throw Self.failure("It has no memory, or LC_NUMERIC is not C.")
    }
    self.handle = handle
    var refused: String?
    for (name, value) in Self.options + output.options + [("volume", "\(volume)")] where refused == nil {
      let code = library.with { lunara_mpv_set_option($0, handle, name, value) }
      if code < 0 { refused = "\(name)=\(value): \(Self.text(code, library))" }
    }
    let code = library.with { lunara_mpv_initialize($0, handle) }
    if refused == nil, code < 0 { refused = Self.text(code, library) }
    if let refused {
      library.with { lunara_mpv_end($0, handle) }
      throw Self.failure(refused)
    }
    library.with { mpv in
      _ = lunara_mpv_request_log(mpv, handle, "error")
      _ = lunara_mpv_observe(mpv, handle, "paused-for-cache", MPV_FORMAT_FLAG)
      _ = lunara_mpv_observe(mpv, handle, "duration", MPV_FORMAT_DOUBLE)
      _ = lunara_mpv_hook(mpv, handle, "on_unload")
    }
  }

  deinit { library.with { lunara_mpv_end($0, handle) } }

  /// Audio only, and nothing of what a person's own player is set to: no configuration, scripts, keys, windows, other
  /// files beside the one that is played.
  private static let options: [(String, String)] = [
    ("config", "no"), ("load-scripts", "no"), ("ytdl", "no"), ("osc", "no"), ("load-stats-overlay", "no"),
    ("load-osd-console", "no"), ("load-auto-profiles", "no"), ("input-default-bindings", "no"),
    ("input-builtin-bindings", "no"), ("input-media-keys", "no"), ("input-cursor", "no"), ("terminal", "no"),
    ("vid", "no"), ("vo", "null"), ("sid", "no"), ("audio-display", "no"), ("osd-level", "0"),
    ("sub-auto", "no"), ("audio-file-auto", "no"), ("cover-art-auto", "no"), ("sub-font-provider", "none"),
    ("ordered-chapters", "no"), ("save-position-on-quit", "no"), ("resume-playback", "no"), ("idle", "yes"),
    ("keep-open", "no"), ("audio-fallback-to-null", "no"), ("volume-max", "100"), ("replaygain", "no"),
    ("hr-seek", "yes"), ("demuxer-max-bytes", "16MiB"), ("demuxer-max-back-bytes", "2MiB"), ("network-timeout", "10"),
    ("audio-client-name", "Lunara"),
  ]

  /// Carries out a command; what libmpv refuses outright is seen in its events.
  func perform(_ command: PlayerCommand) {
    switch command {
    case .load(let cue, let append, let mark):
      let words: [[UInt8]] = [
        Array("loadfile".utf8), PlayerWords.address(of: cue.locator), Array((append ? "append" : "replace").utf8),
        PlayerWords.options(of: cue),
      ]
      run(words, mark: mark)
    case .clearPrepared: run([Array("playlist-clear".utf8)])
    case .stop: run([Array("stop".utf8)])
    case .seek(let position): run(["seek", "\(position.seconds)", "absolute+exact"].map { Array($0.utf8) })
    case .pause(let held): library.with { _ = lunara_mpv_set_flag($0, handle, "pause", held ? 1 : 0) }
    case .volume(let percent): library.with { _ = lunara_mpv_set_number($0, handle, "volume", Double(percent)) }
    case .askPosition(let mark): library.with { _ = lunara_mpv_ask_number($0, handle, mark, "audio-pts") }
    }
  }

  private func run(_ words: [[UInt8]], mark: UInt64 = 0) {
    var copies: [UnsafeMutablePointer<CChar>?] = words.map { word in
      strdup(word.map { CChar(bitPattern: $0) } + [0])
    }
    copies.append(nil)
    defer { for copy in copies { free(copy) } }
    var pointers = copies.map { UnsafePointer($0) }
    library.with { _ = lunara_mpv_command($0, handle, mark, &pointers) }
  }

  /// Makes `next` return; from any thread, while the player lives.
  var wake: @Sendable () -> Void {
    let library = library
    let handle = UInt(bitPattern: handle)
    return { library.with { mpv in OpaquePointer(bitPattern: handle).map { lunara_mpv_wakeup(mpv, $0) } } }
  }

  /// Waits for the next event and copies it; nil when `seconds` passed, when woken, and for events that say nothing
  /// here. A negative time is for ever.
  func next(within seconds: Double) -> PlayerSignal? {
    signal(of: library.with { lunara_mpv_wait($0, handle, seconds) })
  }

  private func signal(of event: UnsafePointer<mpv_event>) -> PlayerSignal? {
    switch event.pointee.event_id {
    case MPV_EVENT_COMMAND_REPLY:
      guard event.pointee.reply_userdata != 0 else { return nil }
      let entry = event.pointee.error < 0 ? -1 : lunara_mpv_entry(event)
      return .added(mark: event.pointee.reply_userdata, entry: entry < 0 ? nil : entry)
    case MPV_EVENT_START_FILE:
      complaint = nil
      return .started(entry: lunara_mpv_start(event).pointee.playlist_entry_id)
    case MPV_EVENT_PLAYBACK_RESTART: return .restarted
    case MPV_EVENT_GET_PROPERTY_REPLY: return answer(event)
    case MPV_EVENT_PROPERTY_CHANGE: return change(lunara_mpv_property(event))
    case MPV_EVENT_END_FILE:
      let end = lunara_mpv_end_file(event).pointee
      return .ended(entry: end.playlist_entry_id, .init(end))
    case MPV_EVENT_HOOK: return unloading(lunara_mpv_hook_event(event).pointee.id)
    case MPV_EVENT_IDLE: return .idle
    case MPV_EVENT_SHUTDOWN: return .shutdown
    case MPV_EVENT_LOG_MESSAGE:
      if complaint == nil { complaint = PlayerWords.complaint(String(cString: lunara_mpv_log(event).pointee.text)) }
      return nil
    default: return nil
    }
  }

  /// The position of the ear. There is none before an output is fed, nor while what was decoded runs out.
  private func answer(_ event: UnsafePointer<mpv_event>) -> PlayerSignal {
    var seconds = 0.0
    let isKnown = event.pointee.error >= 0 && lunara_mpv_number(lunara_mpv_property(event), &seconds) != 0
    return .position(mark: event.pointee.reply_userdata, seconds: isKnown ? seconds : nil)
  }

  private func change(_ property: UnsafePointer<mpv_event_property>) -> PlayerSignal {
    guard String(cString: property.pointee.name) == "duration" else { return .starving(lunara_mpv_flag(property) != 0) }
    var seconds = 0.0
    return .duration(seconds: lunara_mpv_number(property, &seconds) != 0 ? seconds : nil)
  }

  /// The core waits within this hook, which is the only moment to learn where the decoded sound ended.
  private func unloading(_ hook: UInt64) -> PlayerSignal {
    var seconds = 0.0
    let code = library.with { lunara_mpv_get_number($0, handle, "time-pos", &seconds) }
    library.with { _ = lunara_mpv_continue($0, handle, hook) }
    return .unloading(end: code < 0 ? nil : seconds)
  }

  private static func text(_ code: Int32, _ library: MPVLibrary) -> String {
    library.with { String(cString: lunara_mpv_error($0, code)) }
  }

  private static func failure(_ cause: String) -> LunaraError {
    LunaraError("playback.engineFailed", "The player could not be started. Resume to try again.", cause: cause)
  }
}

extension PlayerSignal.Ending {
  /// Reads the end of a file; what is unknown counts as a failure (client.h asks for that).
  init(_ end: mpv_event_end_file) {
    switch (end.reason, mpv_error(rawValue: end.error)) {
    case (MPV_END_FILE_REASON_EOF, _): self = .endOfFile
    case (MPV_END_FILE_REASON_STOP, _), (MPV_END_FILE_REASON_QUIT, _): self = .stopped
    case (MPV_END_FILE_REASON_REDIRECT, _): self = .redirected
    case (MPV_END_FILE_REASON_ERROR, MPV_ERROR_AO_INIT_FAILED): self = .noOutput
    case (MPV_END_FILE_REASON_ERROR, MPV_ERROR_LOADING_FAILED): self = .unopenable
    default: self = .unplayable
    }
  }
}

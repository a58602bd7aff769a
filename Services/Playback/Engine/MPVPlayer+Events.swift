import CMPV
import Messages
import Model

/// What libmpv says.
extension MPVPlayer {
  /// Waits for the next event and copies it; nil when `seconds` passed, when woken, and for events that say nothing
  /// here. A negative time is for ever.
  func next(within seconds: Double) -> PlayerSignal? {
    if waiting.isEmpty, let signal = read(within: seconds) {
      waiting.append(signal)
      // libmpv gives its log after its events, and the log says why a file ended.
      if case .ended(_, let ending) = signal, ending != .stopped { readAll() }
    }
    guard !waiting.isEmpty else { return nil }
    switch waiting.removeFirst() {
    case .started(let entry):
      complaint = nil
      earlierTrouble = trouble
      trouble = nil
      isOpened = false
      hasRestarted = false
      return .started(entry: entry)
    case .restarted:
      hasRestarted = true
      earlierTrouble = nil
      return .restarted
    case .ended(let entry, let ending):
      defer { if ending != .endOfFile { trouble = nil } }
      return .ended(entry: entry, explained(ending))
    case let signal: return signal
    }
  }

  /// The end of a file, with what kept it from being played where that was on the way to it.
  private func explained(_ ending: PlayerSignal.Ending) -> PlayerSignal.Ending {
    switch ending {
    case .endOfFile where hasRestarted: .endOfFile
    case .endOfFile where isOpened && isBroken, .unplayable where isOpened && isBroken: .cut
    case .endOfFile, .unopenable, .unplayable: (trouble ?? earlierTrouble).map { .troubled($0) } ?? ending
    case .stopped, .redirected, .cut, .troubled, .noOutput: ending
    }
  }

  /// Whether the connection that the open file comes over broke, or does not go on.
  var isBroken: Bool { if case .network? = trouble { true } else { false } }

  private func read(within seconds: Double) -> PlayerSignal? {
    signal(of: library.with { lunara_mpv_wait($0, handle, seconds) })
  }

  private func readAll() {
    for _ in 0..<1000 {
      let event = library.with { lunara_mpv_wait($0, handle, 0) }
      if event.pointee.event_id == MPV_EVENT_NONE { return }
      if let signal = signal(of: event) { waiting.append(signal) }
    }
  }

  private func signal(of event: UnsafePointer<mpv_event>) -> PlayerSignal? {
    switch event.pointee.event_id {
    case MPV_EVENT_COMMAND_REPLY:
      guard event.pointee.reply_userdata != 0 else { return nil }
      let entry = event.pointee.error < 0 ? -1 : lunara_mpv_entry(event)
      return .added(mark: event.pointee.reply_userdata, entry: entry < 0 ? nil : entry)
    case MPV_EVENT_START_FILE: return .started(entry: lunara_mpv_start(event).pointee.playlist_entry_id)
    case MPV_EVENT_PLAYBACK_RESTART: return .restarted
    case MPV_EVENT_GET_PROPERTY_REPLY:
      return event.pointee.reply_userdata == 0 ? change(lunara_mpv_property(event)) : answer(event)
    case MPV_EVENT_PROPERTY_CHANGE: return change(lunara_mpv_property(event))
    case MPV_EVENT_END_FILE:
      let end = lunara_mpv_end_file(event).pointee
      return .ended(entry: end.playlist_entry_id, .init(end))
    case MPV_EVENT_HOOK:
      let hook = lunara_mpv_hook_event(event).pointee
      return String(cString: hook.name) == "on_unload" ? unloading(hook.id) : opened(hook.id)
    case MPV_EVENT_IDLE: return .idle
    case MPV_EVENT_SHUTDOWN: return .shutdown
    case MPV_EVENT_LOG_MESSAGE:
      note(String(cString: lunara_mpv_log(event).pointee.text))
      return nil
    default: return nil
    }
  }

  private func note(_ line: String) {
    if let found = StreamFailure(line) { trouble = trouble?.joined(with: found) ?? found }
    if complaint == nil { complaint = MPVText.complaint(line) }
  }

  /// The position of the ear. There is none before an output is fed, nor while what was decoded runs out.
  private func answer(_ event: UnsafePointer<mpv_event>) -> PlayerSignal {
    .position(mark: event.pointee.reply_userdata, seconds: event.pointee.error < 0 ? nil : number(event))
  }

  private func number(_ event: UnsafePointer<mpv_event>) -> Double? { number(lunara_mpv_property(event)) }

  private func number(_ property: UnsafePointer<mpv_event_property>) -> Double? {
    var seconds = 0.0
    return lunara_mpv_number(property, &seconds) != 0 ? seconds : nil
  }

  private func change(_ property: UnsafePointer<mpv_event_property>) -> PlayerSignal? {
    switch String(cString: property.pointee.name) {
    case "paused-for-cache": .starving(lunara_mpv_flag(property) != 0)
    case "duration": .duration(seconds: number(property))
    case "demuxer-cache-time": .cached(seconds: number(property))
    case "current-ao": .output(driver: lunara_mpv_text(property).map { String(cString: $0) })
    case "audio-device-list":
      lunara_mpv_text(property).map { text in
        let json = String(cString: text)
        return .devices(MPVText.devices(json), names: Set(MPVText.everyDevice(json).map(\.name)))
      }
    default: nil
    }
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

import CMPV
import Messages
import Model

extension MPVPlayer {
  /// Waits for the next event and returns a copy; nil after `seconds`, after a wake, and for irrelevant events. A
  /// negative time waits without limit.
  func next(within seconds: Double) -> PlayerSignal? {
    if waiting.isEmpty, let signal = read(within: seconds) {
      waiting.append(signal)
      // libmpv delivers its log after its events, and the log says why a file ended.
      if case .ended(_, let ending) = signal, ending != .stopped { readAll() }
    }
    guard !waiting.isEmpty else { return nil }
    switch waiting.removeFirst() {
    case .started(let entry):
      complaint = nil
      openMark = marks.removeValue(forKey: entry) ?? 0
      isOpened = false
      hasRestarted = false
      return .started(entry: entry)
    case .restarted:
      hasRestarted = true
      return .restarted
    case .ended(let entry, let ending): return .ended(entry: entry, explained(ending))
    case .added(let mark, let entry?):
      marks[entry] = mark
      return .added(mark: mark, entry: entry)
    case let signal: return signal
    }
  }

  /// Returns the end of a file, replaced by the failure of its input if that was the cause.
  private func explained(_ ending: PlayerSignal.Ending) -> PlayerSignal.Ending {
    switch ending {
    case .endOfFile where hasRestarted: .endOfFile
    case .endOfFile where isOpened && isBroken, .unplayable where isOpened && isBroken: .cut
    case .endOfFile, .unopenable, .unplayable: inputs[openMark]?.failure.map { .inputFailed($0) } ?? ending
    case .stopped, .redirected, .cut, .inputFailed, .noOutput: ending
    }
  }

  /// True if the stream of the open file broke.
  var isBroken: Bool { if case .stream? = inputs[openMark]?.failure { true } else { false } }

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
      if complaint == nil { complaint = MPVText.complaint(String(cString: lunara_mpv_log(event).pointee.text)) }
      return nil
    default: return nil
    }
  }

  /// Returns the audible position. There is none before the output gets sound, nor while the last decoded sound is
  /// played.
  private func answer(_ event: UnsafePointer<mpv_event>) -> PlayerSignal {
    .position(
      mark: event.pointee.reply_userdata, seconds: event.pointee.error < 0 ? nil : number(lunara_mpv_property(event)))
  }

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
  /// Reads the end of a file; an unknown reason counts as a failure, as client.h requires.
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

/// The hooks. libmpv's core waits until a hook is continued, so properties can be read meanwhile.
extension MPVPlayer {
  /// The sample rates of sound, in Hz. Outputs accept no others, or never finish playing them.
  private static let sampleRates = 1000.0...6_144_000

  /// Handles that a file was opened, before any of it is decoded.
  ///
  /// A file whose header claims an impossible sample rate is damaged. None of its sound is chosen, so that libmpv
  /// reports a failure of the file and not of the output.
  ///
  /// Encoders add silence before and after the sound of an MP4 file. libavformat 59 skips only the first, so the second
  /// would be a gap of up to 23 ms. So libmpv is told to end playback at the end of the sound.
  func opened(_ hook: UInt64) -> PlayerSignal? {
    isOpened = true
    soundEnd = nil
    openEnd = nil
    defer { continueHook(hook) }
    // The event of this file's start may not have been handled yet.
    let input = text("path").flatMap { inputs.input(at: $0) }
    guard hasPossibleSampleRates, canStart(input) else {
      library.with { _ = lunara_mpv_put($0, handle, "file-local-options/aid", "no") }
      return nil
    }
    if let format = text("file-format"), format.split(separator: ",").contains("mp4"),
      let duration = number("duration"), let rate = number("track-list/0/demux-samplerate")
    {
      soundEnd = SoundEnd.of(duration: duration, rate: rate, gapless: text("metadata/by-key/iTunSMPB"))
    }
    openEnd = end(of: input?.cue)
    if let soundEnd, openEnd == soundEnd {
      library.with { _ = lunara_mpv_put($0, handle, "file-local-options/end", "\(soundEnd)") }
    }
    return nil
  }

  /// Returns false for a segment in the middle of a stream that can only be read from its start: libmpv would play the
  /// start in its place.
  private func canStart(_ input: CueInput?) -> Bool {
    guard let input, let segment = input.cue.locator.segment, segment.start > 0, text("seekable") != "yes" else {
      return true
    }
    input.recordFailure(.unusable(CueFailure.notAudio(input.cue, "can be played only from its start")))
    return false
  }

  /// Returns the end at which libmpv has to stop for a cue in the open file, in seconds; nil for the end of the file.
  private func end(of cue: Cue?) -> Double? {
    [cue.flatMap { MPVText.end(of: $0) }.flatMap { Double($0) }, soundEnd].compactMap { $0 }.min()
  }

  /// Makes libmpv stop at the end of a cue in the open file.
  func setEnd(of cue: Cue) {
    openEnd = end(of: cue)
    let text = openEnd.map { $0 == soundEnd ? "\($0)" : MPVText.end(of: cue) ?? "none" } ?? "none"
    library.with { _ = lunara_mpv_set_text($0, handle, "file-local-options/end", text) }
  }

  /// False if a sound track of the open file claims a sample rate that no sound has.
  private var hasPossibleSampleRates: Bool {
    let count = Int(number("track-list/count") ?? 0)
    return (0..<count).allSatisfy { track in
      number("track-list/\(track)/demux-samplerate").map(Self.sampleRates.contains) ?? true
    }
  }

  /// Handles that a file is about to be closed, which is the last moment to read up to where it was decoded. If its
  /// stream broke, the next file in the list must not start, as the room opens this one again.
  func unloading(_ hook: UInt64) -> PlayerSignal {
    let end = number("time-pos")
    let sounded = hasRestarted ? end ?? .infinity : 0
    let length = number("duration").map { min($0, openEnd ?? $0) }
    if isBroken, isOpened, let length, sounded + Self.cutTolerance < length {
      run(["playlist-clear"])
    }
    continueHook(hook)
    return .unloading(end: end)
  }

  /// The time, in seconds, by which a stream may be shorter than its header says without counting as cut.
  private static let cutTolerance = 0.5

  private func continueHook(_ hook: UInt64) { library.with { _ = lunara_mpv_continue($0, handle, hook) } }

  private func number(_ name: String) -> Double? {
    var value = 0.0
    let code = library.with { lunara_mpv_get_number($0, handle, name, &value) }
    return code < 0 ? nil : value
  }

  private func text(_ name: String) -> String? {
    library.with { mpv in
      guard let text = lunara_mpv_get_text(mpv, handle, name) else { return nil }
      defer { lunara_mpv_free(mpv, text) }
      return String(cString: text)
    }
  }
}

/// The end of the sound of an MP4 file.
enum SoundEnd {
  /// Returns the end in seconds, half a sample after the last one; nil if it is not known reliably.
  ///
  /// `duration` is the duration in the file's header, in seconds, often rounded to milliseconds. `gapless` is the tag
  /// `iTunSMPB` of iTunes and most encoders except FFmpeg: hexadecimal numbers, of which the fourth is the number of
  /// samples.
  static func of(duration: Double, rate: Double, gapless: String?) -> Double? {
    guard duration.isFinite, duration > 0, rate.isFinite, rate >= 1000 else { return nil }
    let words = (gapless ?? "").split(separator: " ")
    if words.count >= 4, let samples = UInt64(words[3], radix: 16) {
      let exact = Double(samples) / rate
      // If this file was cut from a longer one, the tag may be that of the longer one: it is used only if it fits.
      if abs(exact - duration) < 0.25 { return exact + 0.5 / rate }
    }
    return duration + 0.5 / rate
  }
}

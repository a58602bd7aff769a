import Messages
import Model

extension RoomMachine {
  /// Sets the volume, to the nearest allowed one.
  mutating func setVolume(_ percent: Int) { apply(volume.set(percent, maximum: output.settings.maximumVolume)) }

  mutating func setMuted(_ isMuted: Bool) { apply(volume.mute(isMuted)) }

  private mutating func apply(_ command: EngineCommand?) {
    guard let command else { return }
    effects.append(.engine(command))
    recordAndPublish()
  }

  mutating func restoreVolume() {
    if let command = volume.restore() { effects.append(.engine(command)) }
  }

  mutating func setSleep(after time: Milliseconds?, at now: Now) {
    restoreVolume()
    volume.timer = time.map { time in
      let end = now.later(max(.zero, min(SleepTimer.limit, time)))
      return SleepTimer(at: end.moment, date: end.date)
    }
    recordAndPublish()
  }

  var sleepDeadline: MonotonicTime? {
    guard let timer = volume.timer else { return nil }
    return volume.isFaded || !isEngaged || !wantsSound ? timer.at : timer.at - SleepTimer.fade
  }

  /// Fades out, or pauses, if it is time for that.
  mutating func wakeSleep(at now: Now) {
    guard let timer = volume.timer, let sleepDeadline, now.moment >= sleepDeadline else { return }
    guard now.moment >= timer.at else { return effects.append(.engine(volume.fadeOut(over: timer.at - now.moment))) }
    volume.timer = nil
    interruptions = Interruptions()
    // The volume is restored when the sound has stopped.
    pause(at: now)
    recordAndPublish()
  }

  /// Changes the output settings. Throws `playback.badSetting`.
  mutating func set(_ request: Playback.SetOutput, at now: Now) throws(LunaraError) {
    let before = output.settings
    try output.settings.apply(request)
    let settings = output.settings
    guard settings != before else { return }
    if settings.device != before.device { effects.append(.engine(.output(settings.device))) }
    if volume.percent > settings.maximumVolume { setVolume(settings.maximumVolume) }
    if settings.levelling != before.levelling || settings.preamp != before.preamp { prepareAnew(at: now) }
    if settings.levelling != before.levelling { readNeighbours() }
    if !settings.resumesLongTracks { leftTracks = LeftTracks() }
    record()
    effects.append(.publishOutput)
    publish()
  }
}

// MARK: - Modes and title

extension RoomMachine {
  /// Sets the repeat mode. Throws `playback.badSetting`.
  mutating func setRepeats(_ repeats: Playback.Repeat, at now: Now) throws(LunaraError) {
    guard repeats != .unknown else { throw LunaraError("playback.badSetting", "Repeat must be off, one or all.") }
    guard repeats != queue.repeats else { return }
    queue.repeats = repeats
    recordAndPublish()
    prepareNext(at: now)
  }

  static let longestTitle = 64

  /// Sets the title that people give the room; nil for none, so that the name is shown. Throws `playback.badSetting`.
  mutating func setTitle(_ title: String?) throws(LunaraError) {
    let words = title?.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let isPlain = words?.unicodeScalars.allSatisfy { $0.value >= 32 && !(127..<160).contains($0.value) } ?? true
    guard words?.isEmpty != true, isPlain, words?.count ?? 0 <= Self.longestTitle, words?.utf8.count ?? 0 <= 512 else {
      throw LunaraError(
        "playback.badSetting",
        "A room's title has 1 to \(Self.longestTitle) characters on one line. Give none to go by its name.")
    }
    guard words != self.title else { return }
    self.title = words
    recordAndPublish()
  }
}

// MARK: - The test sound

extension RoomMachine {
  /// Returns the reason why no test sound may be played now; nil if it may. `isShared` is true if several players
  /// can have the output open at once.
  func refusalOfTestSound(sharing isShared: Bool) -> LunaraError? {
    let reason: String? =
      if isEngaged, wantsSound {
        "Music plays in \(room), so the output works. Pause it to hear the test sound."
      } else if isEngaged, !isShared {
        "The music that is held in \(room) has the output open. Stop it to hear the test sound."
      } else if moves.arrival != nil {
        "Music is on its way to \(room). Wait until it is heard."
      } else if volume.isMuted {
        "\(room) is muted. Let it sound again to hear the test sound."
      } else {
        volume.percent == 0 ? "The volume of \(room) is 0. Turn it up to hear the test sound." : nil
      }
    return reason.map { LunaraError("playback.noTestSound", $0) }
  }
}

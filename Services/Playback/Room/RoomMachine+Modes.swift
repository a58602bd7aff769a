import Messages
import Model

/// What a room does by itself, and how loud it is.
extension RoomMachine {
  /// A sleep timer that runs.
  struct Sleep: Hashable, Sendable {
    /// When it pauses the room.
    var at: MonotonicTime
    /// The same on the wall clock, which lasts over a restart.
    var date: Timestamp
  }

  /// Over how long the sleep timer fades out.
  static let fade = Milliseconds(10_000)
  /// For how long a sleep timer runs at most.
  static let sleepLimit = Milliseconds(24 * 3_600_000)

  /// Sets the volume, to the nearest that is allowed.
  mutating func setVolume(_ percent: Int) {
    let percent = max(0, min(output.maximumVolume, percent))
    guard percent != volume || isFaded else { return }
    volume = percent
    isFaded = false
    effects.append(.engine(.volume(percent, over: .zero)))
    record()
    show()
  }

  /// Lets no sound through, or lets it through again.
  mutating func setMuted(_ isMuted: Bool) {
    guard isMuted != self.isMuted else { return }
    self.isMuted = isMuted
    effects.append(.engine(.mute(isMuted)))
    record()
    show()
  }

  /// Sets what follows the end.
  ///
  /// - Throws: `playback.badSetting`.
  mutating func setRepeats(_ repeats: Playback.Repeat, at now: Now) throws(LunaraError) {
    guard repeats != .unknown else { throw LunaraError("playback.badSetting", "Repeat is off, one or all.") }
    guard repeats != queue.repeats else { return }
    queue.repeats = repeats
    record()
    show()
    prepareNext(at: now)
  }

  /// Has the room stop when the current item is over, or not.
  mutating func setStopsAfterCurrent(_ stops: Bool, at now: Now) {
    guard stops != stopsAfterCurrent else { return }
    stopsAfterCurrent = stops
    record()
    show()
    prepareNext(at: now)
  }

  /// When the current track has been heard, where the room is to stop then and the engine has gone on to the next one already: its
  /// word of the end comes when a little of that was heard.
  var endDeadline: MonotonicTime? {
    guard stopsAfterCurrent, isFlowing, wantsSound, pace.rate > 0, tracks.dropFirst().first?.stage == .decoding,
      let duration = tracks.first?.duration
    else { return nil }
    return anchor.at + Milliseconds(Int64(Double((duration - anchor.position).rawValue) / pace.rate))
  }

  /// Stops at the end of the current track, where that has come.
  mutating func stopAtEnd(at now: Now) {
    guard let endDeadline, now.moment >= endDeadline, let first = tracks.first else { return }
    ended(first.id, at: first.duration ?? anchor.position, now)
  }

  /// Starts, changes or ends the sleep timer.
  mutating func setSleep(after time: Milliseconds?, at now: Now) {
    unfade()
    sleep = time.map { time in
      let end = now.later(max(.zero, min(Self.sleepLimit, time)))
      return Sleep(at: end.moment, date: end.date)
    }
    record()
    show()
  }

  /// When the sleep timer has something to do.
  var sleepDeadline: MonotonicTime? {
    guard let sleep else { return nil }
    return isFaded || phase != .engaged || !wantsSound ? sleep.at : sleep.at - Self.fade
  }

  /// Fades out, or pauses, where that is due.
  mutating func wakeSleep(at now: Now) {
    guard let sleep, let sleepDeadline, now.moment >= sleepDeadline else { return }
    guard now.moment >= sleep.at else {
      isFaded = true
      return effects.append(.engine(.volume(0, over: sleep.at - now.moment)))
    }
    self.sleep = nil
    forgetInterruptions()
    // The volume comes back when the sound is known to hold.
    pause(at: now)
    record()
    show()
  }

  /// Takes back what the sleep timer did to the volume.
  mutating func unfade() {
    guard isFaded else { return }
    isFaded = false
    effects.append(.engine(.volume(volume, over: .zero)))
  }

  /// Takes what a person sets of how the room sounds.
  ///
  /// - Throws: `playback.badSetting`.
  mutating func set(_ request: Playback.SetOutput, at now: Now) throws(LunaraError) {
    let before = output
    try output.take(request)
    guard output != before else { return }
    if output.device != before.device { effects.append(.engine(.output(output.device))) }
    if volume > output.maximumVolume { setVolume(output.maximumVolume) }
    if output.levelling != before.levelling || output.preamp != before.preamp { prepareAnew(at: now) }
    if output.levelling != before.levelling { readNeighbours() }
    record()
    effects.append(.showOutput)
    show()
  }
}

extension MonotonicTime {
  /// The moment that lies `length` before this one.
  static func - (left: MonotonicTime, right: Milliseconds) -> MonotonicTime { left + Milliseconds(-right.rawValue) }
}

import Messages
import Model

extension RoomMachine {
  mutating func handle(_ event: EngineEvent, at now: Now) {
    if handleForMove(event, at: now) { return }
    switch event {
    case .opening: break
    case .decoding(let id): decoding(id, at: now)
    case .duration(let id, let duration):
      guard let index = tracks.firstIndex(where: { $0.id == id }), tracks[index].duration != duration else { return }
      tracks[index].duration = duration
      guard index == 0 else { return }
      if let item = tracks[0].item { meter.setDuration(duration, of: item.entry) }
      publish()
    case .began(let id):
      guard isFirst(id) else { return }
      tracks[0].stage = .audible
      prepareNext(at: now)
    case .flowing(let id, let position): flowing(id, from: position, at: now)
    case .position(let id, let position):
      guard isFirst(id) else { return }
      let facts = meter.advance(to: position, at: now.moment)
      guard isFlowing else { return recordIfDue(facts) }
      self.position.set(position, at: now)
      recordIfDue(facts)
      if self.position.isStale(at: now) { publish() }
    case .halted(let id, let position, let reason): halted(id, at: position, reason, now)
    case .ended(let id, let position): ended(id, at: position, now)
    case .reopened(let id):
      guard isFirst(id) else { return }
      tracks.removeSubrange(1...)
      prepareNext(at: now)
    case .failed(let id, let error):
      if isFirst(id) { return firstFailed(error, at: now) }
      tracks.removeAll { $0.id == id }
    case .outputLost(let error):
      setUsedDevice(nil, error)
      interrupt(.output, at: now)
    case .output(let used, let problem):
      setUsedDevice(used, problem)
      if used != nil, problem == nil { interruptionOver(.output, at: now) }
    case .outputFailed(let error):
      guard isEngaged else { return }
      fail(error, retries: true, at: now)
    case .devices(let devices): if output.set(devices: devices) { effects.append(.publishOutput) }
    case .buffered(let id, let end): buffered(id, upTo: end)
    case .exhausted(let id):
      guard let id, isEngaged else { return }
      if isFirst(id) { open(at: tracks[0].start, at: now) } else { tracks.removeAll { $0.id == id } }
    }
  }

  /// Handles a failure of the current track. If it was played from the path in its item, that may be out of date or
  /// unreadable: then the router is asked for another locator.
  private mutating func firstFailed(_ error: LunaraError, at now: Now) {
    if reopenWithoutPrefetched(after: error, at: now) { return }
    guard tracks[0].isOwnPath, ["playback.fileMissing", "playback.fileUnreadable"].contains(error.code) else {
      return trackFailed(error, at: now)
    }
    tracks[0].locator = nil
    open(at: position.anchor.position, at: now)
  }

  private mutating func setUsedDevice(_ device: String?, _ problem: LunaraError?) {
    let changes = output.set(used: device, problem: problem)
    if changes.used { effects.append(.publishOutput) }
    if changes.problem { publish() }
  }

  private mutating func buffered(_ id: CueID, upTo end: Milliseconds) {
    guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
    let before = tracks[index].buffered
    tracks[index].buffered = end
    // Published at once if nothing was known before, or if the whole track is buffered; else with the next change.
    if index == 0, before == nil || before != end && duration.map({ end >= $0 }) ?? false { publish() }
  }

  private mutating func decoding(_ id: CueID, at now: Now) {
    guard isEngaged else { return }
    guard let index = tracks.firstIndex(where: { $0.id == id }) else {
      // The engine went on to a prepared track that was replaced too late. If the engine has since been told to play
      // another track, the event is outdated.
      if tracks.first?.stage == .audible { leaveForNext(at: now) }
      return
    }
    if tracks[index].stage == .prepared { tracks[index].stage = .decoding }
    prepareNext(at: now)
  }

  private mutating func flowing(_ id: CueID, from position: Milliseconds, at now: Now) {
    guard isFirst(id), var playing, let item = tracks[0].item else { return }
    playing.tracks[0].stage = .audible
    playing.isFlowing = true
    playing.silentSince = nil
    playing.graceUntil = nil
    playing.recovery.failuresInRow = 0
    playing.recovery.retry = nil
    self.playing = playing
    self.position.set(position, at: now)
    // A part of a track is no listen to it.
    let facts =
      playing.tracks[0].isPreview
      ? meter.end(.skipped)
      : meter.soundStarted(
        item, length: tracks[0].duration, from: position, at: now.moment, on: now.date, device: output.used,
        drawing: drawListenID)
    recordIfDue(facts)
    publish()
  }

  private mutating func halted(_ id: CueID, at position: Milliseconds, _ reason: HoldReason, _ now: Now) {
    guard isFirst(id) else { return }
    record(meter.hold(at: position, now.moment, reason))
    if reason == .pause, !wantsSound { restoreVolume() }
    // After a jump the position is already the target's.
    guard reason != .seek else { return publish() }
    playing?.hold(at: now)
    // A pause was published with the calculated position; a difference of a few milliseconds is not published.
    if !wantsSound, abs((position - self.position.anchor.position).rawValue) <= 50 { return }
    self.position.set(position, at: now)
    publish()
  }

  /// Handles that a track was heard to the end of its file or stream.
  mutating func ended(_ id: CueID, at position: Milliseconds, _ now: Now) {
    guard isFirst(id) else { return }
    passedOver = nil
    var facts = meter.advance(to: position, at: now.moment)
    if let item = tracks[0].item, let error = cutShort(item, at: position) {
      if reopenCut(at: position, facts, now) { return }
      leaveCurrent(.failed, at: now)
      facts.append(.failed(item, error))
      facts += meter.end(.failed)
    } else {
      leaveCurrent(.finished, at: now)
      facts += meter.finish(at: position)
    }
    let wasWanted = wantsToGoOn && !stopsAfterCurrent
    queue.advance()
    stepToNext(facts, at: now)
    waitForMore(if: wasWanted, at: now)
  }

  /// Returns the error for a track that ended long before its length in library and header; nil for a complete track.
  private func cutShort(_ item: QueueItem, at position: Milliseconds) -> LunaraError? {
    if tracks[0].isPreview { return nil }
    let lengths = [item.track.duration, tracks[0].duration ?? .zero].filter { $0 > .zero }
    guard let expected = lengths.min() else { return nil }
    let tolerance = max(Milliseconds(2000), Milliseconds(expected.rawValue / 30))
    guard position + tolerance < expected else { return nil }
    return Self.cutShort(item.track.title, at: position, of: expected)
  }
}

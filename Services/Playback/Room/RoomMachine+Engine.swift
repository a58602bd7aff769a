import Messages
import Model

/// What the engine reports.
extension RoomMachine {
  /// Takes an event; `now` is when it happened.
  mutating func handle(_ event: EngineEvent, at now: Now) {
    if takeForMove(event, at: now) { return }
    switch event {
    case .decoding(let id): decoding(id, at: now)
    case .duration(let id, let duration):
      guard let index = tracks.firstIndex(where: { $0.id == id }), tracks[index].duration != duration else { return }
      tracks[index].duration = duration
      guard index == 0 else { return }
      if let item = tracks[0].item { meter.learn(duration, of: item.entry) }
      show()
    case .began(let id):
      guard isFirst(id) else { return }
      tracks[0].stage = .audible
      prepareNext(at: now)
    case .flowing(let id, let position): flowing(id, from: position, at: now)
    case .position(let id, let position):
      guard isFirst(id) else { return }
      let facts = meter.hear(upTo: position, at: now.moment).map { RoomFact.listen($0) }
      guard isFlowing else { return recordIfDue(facts) }
      setAnchor(position, at: now)
      recordIfDue(facts)
      showIfStale(at: now)
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
      sounds(on: nil, error)
      interrupt(.output, at: now)
    case .output(let used, let trouble):
      sounds(on: used, trouble)
      if used != nil, trouble == nil { interruptionOver(.output, at: now) }
    case .outputFailed(let error):
      guard phase == .engaged else { return }
      fail(error, retries: true, at: now)
    case .devices(let found):
      guard found != devices else { return }
      devices = found
      effects.append(.showOutput)
    case .buffered(let id, let end): buffered(id, upTo: end)
    case .exhausted(let id):
      guard let id, phase == .engaged else { return }
      if isFirst(id) { open(at: tracks[0].start, at: now) } else { tracks.removeAll { $0.id == id } }
    }
  }

  /// The track that is heard, or is about to be, cannot be played on. A path that the item brought along may have been
  /// moved, or be for others to read: then the router knows better.
  private mutating func firstFailed(_ error: LunaraError, at now: Now) {
    if reopenCopy(after: error, at: now) { return }
    guard tracks[0].isOwnPath, ["playback.fileMissing", "playback.fileUnreadable"].contains(error.code) else {
      return trackFailed(error, at: now)
    }
    tracks[0].locator = nil
    open(at: anchor.position, at: now)
  }

  private mutating func sounds(on device: String?, _ trouble: LunaraError?) {
    if device != usedDevice {
      usedDevice = device
      effects.append(.showOutput)
    }
    guard trouble != outputTrouble else { return }
    outputTrouble = trouble
    show()
  }

  private mutating func buffered(_ id: CueID, upTo end: Milliseconds) {
    guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
    let before = tracks[index].buffered
    tracks[index].buffered = end
    // Published with the next change, or once where it is all there, or where nothing was known.
    if index == 0, before == nil || before != end && duration.map({ end >= $0 }) ?? false { show() }
  }

  private func isFirst(_ id: CueID) -> Bool { tracks.first?.id == id }

  private mutating func decoding(_ id: CueID, at now: Now) {
    guard phase == .engaged else { return }
    guard let index = tracks.firstIndex(where: { $0.id == id }) else {
      // It was replaced too late. Where the engine has since been told to play something else this is old news.
      if tracks.first?.stage == .audible { leaveForNext(at: now) }
      return
    }
    if tracks[index].stage == .prepared { tracks[index].stage = .decoding }
    prepareNext(at: now)
  }

  private mutating func flowing(_ id: CueID, from position: Milliseconds, at now: Now) {
    guard isFirst(id), var item = tracks[0].item else { return }
    // Where the library knows no length, the file's own decides whether the listen counts.
    if item.track.duration <= .zero, let length = tracks[0].duration { item.track.duration = length }
    tracks[0].stage = .audible
    isFlowing = true
    silentSince = nil
    graceUntil = nil
    failuresInRow = 0
    retry = nil
    setAnchor(position, at: now)
    let facts = meter.flow(item, from: position, at: now.moment, on: now.date, device: usedDevice, drawing: draw)
    recordIfDue(facts.map { .listen($0) })
    show()
  }

  private mutating func halted(_ id: CueID, at position: Milliseconds, _ reason: Halt, _ now: Now) {
    guard isFirst(id) else { return }
    let facts = meter.halt(at: position, now.moment, reason).map { RoomFact.listen($0) }
    record(facts)
    if reason == .pause, !wantsSound { unfade() }
    // After a jump the anchor is at its target already.
    guard reason != .seek else { return show() }
    isFlowing = false
    silentSince = wantsSound ? now.moment : nil
    // A pause was published with the position where it should be; a few milliseconds are not worth another word.
    if !wantsSound, abs((position - anchor.position).rawValue) <= 50 { return }
    setAnchor(position, at: now)
    show()
  }

  mutating func ended(_ id: CueID, at position: Milliseconds, _ now: Now) {
    guard isFirst(id) else { return }
    var facts = meter.hear(upTo: position, at: now.moment).map { RoomFact.listen($0) }
    if let item = tracks[0].item, let error = cutShort(item, at: position) {
      if reopenCut(at: position, facts, now) { return }
      facts.append(.failed(item, error))
      facts += meter.end(.failed).map { .listen($0) }
    } else {
      facts += meter.end(.finished).map { .listen($0) }
    }
    let wasWanted = wantsToGoOn && !stopsAfterCurrent
    queue.advance()
    stepToNext(facts, at: now)
    runDry(if: wasWanted, at: now)
  }

  /// What to say of a track that ended long before both its length in the library and that in its own header; nil for
  /// one that was whole.
  private func cutShort(_ item: QueueItem, at position: Milliseconds) -> LunaraError? {
    let lengths = [item.track.duration, tracks[0].duration ?? .zero].filter { $0 > .zero }
    guard let expected = lengths.min() else { return nil }
    let tolerance = max(Milliseconds(2000), Milliseconds(expected.rawValue / 30))
    guard position + tolerance < expected else { return nil }
    return Self.cutShort(item.track.title, at: position, of: expected)
  }

  /// What to say of a track that broke off.
  static func cutShort(_ title: String, at position: Milliseconds, of length: Milliseconds?) -> LunaraError {
    let whole = length.map { " of \($0)" } ?? ""
    return LunaraError(
      "playback.cutShort", "\(title) broke off at \(position)\(whole). Its file or stream may be damaged.")
  }

  /// Ends the present listen, with what was heard until now.
  mutating func closeListen(_ reason: Playback.EndReason, at now: Now) -> [RoomFact] {
    var reports: [ListenMeter.Report] = []
    if isFlowing { reports += meter.hear(upTo: position(at: now), at: now.moment) }
    isFlowing = false
    return (reports + meter.end(reason)).map { .listen($0) }
  }

  /// Notes that sound no longer flows, while the listen may go on.
  mutating func haltFlow(at now: Now) -> [RoomFact] {
    guard isFlowing else { return [] }
    let position = position(at: now)
    isFlowing = false
    setAnchor(position, at: now)
    return meter.halt(at: position, now.moment, .pause).map { .listen($0) }
  }

  /// Ends a listen of an earlier start whose entry is no longer the current one: the room went on, and was killed
  /// before it could say so.
  mutating func closeForgottenListen() {
    guard let listen = meter.listen else { return }
    if phase == .cold, tracks.first?.item?.entry == listen.subject.item.entry { return }
    let length = listen.subject.item.track.duration
    let isWhole = length > .zero && listen.heard + Self.storeInterval + Milliseconds(2000) >= length
    record(meter.end(isWhole ? .finished : .skipped).map { .listen($0) })
  }
}

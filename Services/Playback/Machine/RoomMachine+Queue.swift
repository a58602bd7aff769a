import Messages
import Model

extension RoomMachine {
  /// Applies the queue after a load or an edit that is already stored.
  ///
  /// `starts` is true if the current item should be started. `fresh` is that item with its path on this host: it is
  /// played at once, and the router is asked only if it cannot be played.
  mutating func apply(
    _ changed: Queue, starts: Bool, fresh: (item: QueueItem, path: LocalPath)? = nil,
    beside neighbours: NeighbouringTracks = NeighbouringTracks(), at now: Now
  ) {
    let before = queue.currentSlot?.row
    let wasWanted = wantsToGoOn
    queue = changed
    // A person who starts or changes the current item has decided about the sound.
    if starts || queue.currentSlot?.row != before { interruptions = Interruptions() }
    if starts {
      let facts = closeListen(.skipped, at: now)
      plannedStop = .never
      var known: PreparedTrack?
      if let fresh, let row = queue.currentSlot?.row {
        var first = PreparedTrack(id: nextCue(), row: row, item: fresh.item, start: .zero, stage: .waiting)
        first.locator = .file(fresh.path, segment: fresh.item.segment)
        first.isOwnPath = true
        first.neighbours = neighbours
        known = first
      }
      return open(at: nil, known: known, wantsSound: true, recovery: Recovery(), facts, at: now)
    }
    guard let slot = queue.currentSlot else {
      guard !isIdle else {
        if !queue.continues { waitsForMoreUntil = nil }
        return publish()
      }
      effects.append(.engine(.stop))
      becomeIdle(closeListen(.skipped, at: now), at: now)
      return waitForMore(if: wasWanted, at: now)
    }
    guard slot.row == before else {
      let facts = closeListen(.skipped, at: now)
      // The error concerned the item that is gone.
      if case .failed(let failure) = phase, retry == nil { phase = .unloaded(failure.track) }
      return goToCurrent(facts, at: now)
    }
    playing?.unpreparable = nil
    publish()
    let next = tracks.last?.id
    prepareNext(at: now)
    if tracks.last?.id == next { readNeighbours() }
  }
}

extension RoomMachine {
  /// Applies a former queue that is already stored. Its current item plays on at a position if sound is wanted, and
  /// else is paused there.
  mutating func restore(_ former: Queue, at start: Milliseconds, _ now: Now) {
    let facts = closeListen(.skipped, at: now)
    let isWanted = isEngaged && wantsSound
    interruptions = Interruptions()
    plannedStop = .never
    queue = former
    if isWanted, queue.current != nil {
      return open(at: start, wantsSound: true, recovery: Recovery(), facts, at: now)
    }
    effects.append(.engine(.stop))
    becomeUnloaded(facts, at: start, now)
  }
}

// MARK: - The end of the queue

extension RoomMachine {
  /// The time until which a queue that came to its end continues by itself with more of its continuation; nil if it
  /// does not.
  private(set) var waitsForMoreUntil: MonotonicTime? {
    get {
      guard case .idle(let rest?) = phase, case .endOfQueue(let until) = rest.cause else { return nil }
      return until
    }
    set {
      guard case .idle(var rest?) = phase, case .endOfQueue = rest.cause else { return }
      rest.cause = .endOfQueue(waitsUntil: newValue)
      phase = .idle(rest)
    }
  }

  /// True if the queue came to its end while more of its continuation was wanted.
  var isWaitingForMore: Bool { waitsForMoreUntil != nil }

  /// The first row that may start by itself when items are appended; nil if none may.
  var continuationRow: Int64? {
    guard case .idle(let rest?) = phase, isWaitingForMore else { return nil }
    return rest.nextRow
  }

  var wantsMore: Bool { isWaitingForMore || queue.wantsMore(playing: tracks.first?.item?.track.albumID) }

  /// True if sound is wanted and more of the continuation is to follow.
  var wantsToGoOn: Bool { wantsMore && wantsSound }

  /// The index at which a room without a current item starts: that of the stopped item, or of the first item that was
  /// queued after the end; nil if there is neither.
  var startIndexWhenIdle: Int? {
    guard case .idle(let rest?) = phase else { return nil }
    switch rest.cause {
    case .stopped(let row): return queue.slots.firstIndex { $0.row == row }
    case .endOfQueue: return queue.slots.firstIndex { $0.row >= rest.nextRow }
    }
  }

  /// Waits ten minutes for more of the continuation, which starts when it is appended: later nobody expects music any
  /// more. `wasWanted` is true if it was to follow the last track.
  mutating func waitForMore(if wasWanted: Bool, at now: Now) {
    guard wasWanted, isIdle, queue.continues else { return }
    waitsForMoreUntil = now.moment + Recovery.retryLimit
    publish()
  }

  /// Ends the waiting, so that appended items do not start by themselves.
  mutating func stopWaitingForMore() {
    guard isWaitingForMore else { return }
    waitsForMoreUntil = nil
    publish()
  }
}

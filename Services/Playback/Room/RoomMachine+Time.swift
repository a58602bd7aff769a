import Messages
import Model

/// The passing of time.
extension RoomMachine {
  /// When `wake` has something to do, if nothing happens before; nil for never.
  var deadline: MonotonicTime? {
    [
      wantsSound ? silentSince.map { $0 + Self.silenceLimit } : nil, graceUntil, locateAt, prepareAt,
      interruptions.outputDueBy, retry?.due?.moment, sleepDeadline, renewalDeadline, moves.deadline,
      dryUntil, endDeadline,
    ]
    .compactMap { $0 }.min()
  }

  /// Does what is due.
  mutating func wake(at now: Now) {
    stopWaitingForOutput(at: now)
    stopWaitingForMore(at: now)
    wakeForMoves(at: now)
    wakeSleep(at: now)
    stopAtEnd(at: now)
    renew(at: now)
    if let due = retry?.due, now.moment >= due.moment { return tryAgain(at: now) }
    if let silentSince, wantsSound, now.moment >= silentSince + Self.silenceLimit { return giveUp(at: now) }
    if let graceUntil, now.moment >= graceUntil {
      self.graceUntil = nil
      show()
    }
    if let locateAt, now.moment >= locateAt {
      self.locateAt = nil
      if let first = tracks.first, first.stage == .locating {
        effects.append(.find(first.id, row: first.row, locating: true))
      }
    }
    if let prepareAt, now.moment >= prepareAt {
      self.prepareAt = nil
      prepareNext(at: now)
    }
  }

  private mutating func giveUp(at now: Now) {
    let title = tracks.first?.item?.track.title ?? "the track"
    let message = "No sound came of \(title) for 8 s. Is the machine that holds it reachable?"
    fail(LunaraError("playback.noSound", message, cause: lastTrouble?.description), retries: true, at: now)
  }

  /// The service is about to end: stores what was heard and where, so that the same listen can go on.
  mutating func suspend(at now: Now) {
    isLeaving = true
    record(haltFlow(at: now))
  }
}

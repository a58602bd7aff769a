import Messages
import Model

/// What a changed queue means for what sounds.
extension RoomMachine {
  /// Takes the queue as it is after a load or an edit that is stored already.
  ///
  /// - Parameters:
  ///   - starts: whether the current item is to be started, whatever was before.
  ///   - fresh: the item to be started with its own path, where it was read from the library just now and lies on this
  ///     host: it is played at once, and asked about only if it cannot be.
  ///   - neighbours: the tracks beside that one.
  mutating func take(
    _ changed: Queue, starts: Bool, fresh: (item: QueueItem, path: LocalPath)? = nil,
    beside neighbours: NeighbouringTracks = NeighbouringTracks(), at now: Now
  ) {
    let before = queue.currentSlot?.row
    let wasWanted = wantsToGoOn
    queue = changed
    // Whoever starts or changes what is current has decided about the sound.
    if starts || queue.currentSlot?.row != before { forgetInterruptions() }
    if starts {
      wantsSound = true
      failuresInRow = 0
      retry = nil
      let facts = closeListen(.skipped, at: now)
      if let fresh, let row = queue.currentSlot?.row {
        var first = PreparedTrack(id: nextCue(), row: row, item: fresh.item, start: .zero, stage: .waiting)
        first.locator = .file(fresh.path)
        first.isOwnPath = true
        first.neighbours = neighbours
        tracks = [first]
        phase = .engaged
      }
      return open(at: .zero, facts, at: now)
    }
    guard let slot = queue.currentSlot else {
      guard phase != .idle else {
        if queue.continuation == nil { dryUntil = nil }
        return show()
      }
      effects.append(.engine(.stop))
      becomeIdle(closeListen(.skipped, at: now), at: now)
      return runDry(if: wasWanted, at: now)
    }
    guard slot.row == before else {
      let facts = closeListen(.skipped, at: now)
      // An error was about the item that is gone.
      if case .failed = phase, retry == nil { phase = .cold }
      return goToCurrent(facts, at: now)
    }
    unpreparable = nil
    show()
    let next = tracks.last?.id
    prepareNext(at: now)
    if tracks.last?.id == next { readNeighbours() }
  }
}

import Messages
import Model

/// What a changed queue means for what sounds.
extension RoomMachine {
  /// Takes the queue as it is after a load or an edit that is stored already.
  ///
  /// - Parameter starts: whether the current item is to be started, whatever was before.
  mutating func take(_ changed: Queue, starts: Bool, at now: Now) {
    let before = queue.currentSlot?.row
    queue = changed
    // Whoever starts or changes what is current has decided about the sound.
    if starts || queue.currentSlot?.row != before { forgetInterruptions() }
    if starts {
      wantsSound = true
      failuresInRow = 0
      let facts = closeListen(.skipped, at: now)
      return open(at: .zero, facts, at: now)
    }
    guard let slot = queue.currentSlot else {
      guard phase != .idle else { return show() }
      effects.append(.engine(.stop))
      return becomeIdle(closeListen(.skipped, at: now), at: now)
    }
    guard slot.row == before else {
      let facts = closeListen(.skipped, at: now)
      // An error was about the item that is gone.
      if case .failed = phase { phase = .cold }
      return goToCurrent(facts, at: now)
    }
    unpreparable = nil
    show()
    prepareNext(at: now)
  }
}

import Messages
import Model
import ServiceKit

/// Carrying out what the machine decided.
extension Room {
  /// Carries the machine's effects out: sound first, then what people see.
  func perform(at now: Now) async {
    let effects = machine.removeEffects()
    var facts: [RoomFact] = []
    var isToBeStored = false
    var isProgressToBeStored = false
    for effect in effects {
      switch effect {
      case .engine(let command):
        if command.needsOutput { await endTestSound() }
        engine.send(command)
      case .find(let id, let row, let locating): find(id, row, locating)
      case .record(let more):
        facts += more
        isToBeStored = true
      case .recordProgress: isProgressToBeStored = true
      case .dropCopy(let path): environment.dropCopy(path)
      case .publish, .publishOutput: break
      }
    }
    setAlarm()
    if isToBeStored {
      await writer.record(machine.checkpoint(at: now), facts)
    } else if isProgressToBeStored {
      await writer.record(machine.progress(at: now))
    }
    if effects.contains(.publishOutput) { await environment.publishOutput(machine.outputState) }
    if effects.contains(.publish) {
      await environment.publishRoom(machine.state)
      await publishQueue()
    }
    for case .failed(let item, let error) in facts { log.warning(error.naming(item)) }
    await answerMoves()
    prefetch()
  }

  private func setAlarm() {
    let deadline = machine.deadline
    guard deadline != alarm?.moment else { return }
    alarm?.task.cancel()
    alarm = deadline.map { deadline in
      let wait = max(0, deadline.nanoseconds - MonotonicTime.now().nanoseconds)
      return (
        deadline,
        Task { [inbox] in
          do { try await Task.sleep(for: .nanoseconds(wait)) } catch { return }
          inbox.yield(.due)
        }
      )
    }
  }
}

extension LunaraError {
  /// Returns the same error with the item in its message, for the log.
  func naming(_ item: QueueItem) -> LunaraError {
    LunaraError(code, "\(item.track.artist), \(item.track.title): \(message)", cause: cause)
  }
}

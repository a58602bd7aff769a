import Messages
import Model
import ServiceKit
import Storage

/// What a room does about commands.
extension Room {
  /// Carries out a command of a person, and answers when what it did is stored.
  func transport(_ action: Playback.Transport.Action, _ reply: Reply<Playback.RoomState>, _ now: Now) async {
    do {
      try machine.handle(try await resolved(action), at: now)
    } catch {
      // What was done before that holds.
      await perform(at: now)
      return reply.continuation.resume(throwing: error)
    }
    let state = machine.state
    await perform(at: now)
    answer(reply, state)
  }

  /// Answers when all that was done is stored, so that a restart does not undo what was answered; the next input need not
  /// wait for that.
  private func answer<Answer>(_ reply: Reply<Answer>, _ answer: Answer) {
    Task { [ledger] in
      await ledger.settled()
      reply.continuation.resume(returning: answer)
    }
  }

  /// The command with the index that its entry has by now.
  private func resolved(_ action: Playback.Transport.Action) async throws -> Playback.Transport.Action {
    guard case .jump(let index, let entry?) = action else { return action }
    let queue = machine.queue
    return .jump(to: try await database.read { try QueueStore.find(entry, near: index, in: queue, $0) })
  }

  /// Changes the queue on disk, and then what sounds.
  func change(
    _ reply: Reply<Playback.QueueSummary>, _ body: @escaping @Sendable (Transaction) throws -> QueueStore.Outcome
  ) async {
    do {
      try machine.refuseWhileMoving(at: .now())
      let ownPath = outlet.ownPath
      let isSmart = machine.output.levelling == .smart
      let (outcome, fresh, neighbours) = try await ledger.commit { transaction in
        let outcome = try body(transaction)
        guard case .changed(let queue, starts: true) = outcome, let row = queue.currentSlot?.row else {
          return (outcome, nil as (item: QueueItem, path: LocalPath)?, NeighbouringTracks())
        }
        let item = try QueueStore.items([row], in: transaction).first
        let neighbours = isSmart ? try QueueStore.neighbours(of: row, in: queue, transaction) : NeighbouringTracks()
        return (outcome, item.flatMap { item in ownPath(item).map { (item, $0) } }, neighbours)
      }
      switch outcome {
      case .unchanged(let summary):
        await perform(at: .now())
        reply.continuation.resume(returning: summary)
      case .changed(let queue, let starts):
        let now = Now.now()
        machine.apply(queue, starts: starts, fresh: fresh, beside: neighbours, at: now)
        await perform(at: now)
        // It sounds before the disk has it; who asked is answered once it survives a power cut.
        Task { [ledger] in
          do {
            try await ledger.secured()
            reply.continuation.resume(returning: queue.summary)
          } catch {
            reply.continuation.resume(throwing: error)
          }
        }
      }
    } catch {
      await perform(at: .now())
      reply.continuation.resume(throwing: error)
    }
  }

  /// Changes how the room sounds, and answers when that is stored.
  func set(_ request: Playback.SetOutput, _ reply: Reply<Playback.OutputState>, _ now: Now) async {
    do {
      try machine.set(request, at: now)
    } catch {
      return reply.continuation.resume(throwing: error)
    }
    let state = machine.outputState
    await perform(at: now)
    answer(reply, state)
  }

  /// Takes what people call the room, and answers when that is stored.
  func set(_ title: String?, _ reply: Reply<Playback.RoomState>, _ now: Now) async {
    do {
      try machine.setTitle(title)
    } catch {
      return reply.continuation.resume(throwing: error)
    }
    let state = machine.state
    await perform(at: now)
    answer(reply, state)
  }

  /// For how long the outputs there are are waited for.
  private static let patience = Duration.seconds(3)

  /// Looks what outputs there are, and answers when the engine has told.
  func readOutput(_ reply: Reply<Playback.OutputState>) {
    curious.append(reply)
    engine.send(.listDevices)
    guard curious.count == 1 else { return }
    Task {
      do { try await Task.sleep(for: Self.patience) } catch { return }
      answerCurious()
    }
  }

  /// Tells those who wait what outputs there are, as far as that is known.
  func answerCurious() {
    for reply in curious { reply.continuation.resume(returning: machine.outputState) }
    curious = []
  }
}

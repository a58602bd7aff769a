import Messages
import Model
import ServiceKit
import Storage

/// Changes of the queue, and of the room's title.
extension Room {
  /// Changes the queue on disk, and then what is heard.
  func change(
    _ reply: Reply<Playback.QueueSummary>, _ body: @escaping @Sendable (Transaction) throws -> QueueStore.Outcome
  ) async {
    do {
      try machine.refuseWhileMoving(at: .now())
      let ownPath = environment.ownPath
      let isSmart = machine.output.settings.levelling == .smart
      let (outcome, fresh, neighbours) = try await writer.commit { transaction in
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
        Task { [writer] in
          do {
            try await writer.secured()
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

  /// Sets the title of the room, and answers when that is stored.
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
}

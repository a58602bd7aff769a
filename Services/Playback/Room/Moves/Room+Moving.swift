import Messages
import Model
import Storage

/// The steps of a move that change what is stored of the queue.
extension Room {
  /// Under which name the items of a move wait, as those of a load do.
  private static func load(of move: String) -> String { "move-\(move)" }

  /// Has a part of what is to come wait in the database.
  func stage(_ request: Playback.PrepareMove) async throws {
    let queue = machine.queue
    let part = Playback.Load(
      load: Self.load(of: request.move), part: request.part, isLast: false, mode: .now, items: request.items)
    _ = try await ledger.commit { try QueueStore.take(part, into: queue, on: .now(), in: $0) }
  }

  /// Makes what was prepared the room's own. The sound goes on first; it is answered when all is on the disk, and until then a
  /// room that is killed knows nothing of it, and is silent.
  func commit(_ request: Playback.CommitMove, _ reply: Reply<Playback.RoomState>, _ now: Now) async {
    let before = machine
    do {
      guard machine.moves.state.ending(of: request.move) != .committed else {
        return reply.continuation.resume(returning: machine.state)
      }
      guard let incoming = machine.moves.state.incoming, incoming.move == request.move, incoming.isWhole,
        incoming.items == request.moved.count
      else { throw MoveState.outdated }
      var queue = machine.queue
      let changes = try queue.replace(with: request.moved, homes: moveReplies.homes)
      let item = try await first(of: request)
      try machine.commitMove(request.move, request.moved, queue, item, at: now)
      sound()
      machine.queue = try await store(changes, of: queue, request, now)
      await perform(at: now)
      reply.continuation.resume(returning: machine.state)
    } catch {
      if machine.moves.state != before.moves.state { await takeBack(to: before, LunaraError(error), now) }
      reply.continuation.resume(throwing: error)
    }
  }

  /// The item that is current by now, which may be another than when it was prepared.
  private func first(of request: Playback.CommitMove) async throws -> QueueItem {
    let load = Self.load(of: request.move)
    let bytes: [UInt8]? = try await database.read { reader in
      try reader.row(
        "SELECT item FROM staged_items WHERE load = ? AND number = ?", load, request.moved.current,
        as: { try $0.value(0) })
    }
    guard let bytes else { throw MoveState.outdated }
    return try MessageCoding.decode(QueueItem.self, from: bytes)
  }

  private func store(
    _ changes: [Queue.Change], of queue: Queue, _ request: Playback.CommitMove, _ now: Now
  ) async throws -> Queue {
    let load = Self.load(of: request.move)
    let (checkpoint, book, known) = (machine.checkpoint(at: now), machine.moves.state.stored, moveReplies.stored)
    let stored = try await ledger.commit(takeFacts()) { transaction in
      var queue = queue
      try QueueStore.apply(changes, of: &queue, load: load, in: transaction)
      try QueueStore.finish(load, queue.summary, in: transaction)
      try QueueStore.store(checkpoint, known: nil, in: transaction)
      try MoveStore.store(book, known: known, in: transaction)
      return queue
    }
    moveReplies.stored = book
    return stored
  }

  /// What was begun could not be stored: nothing of it happened, but for what played here.
  private func takeBack(to before: RoomMachine, _ error: LunaraError, _ now: Now) async {
    machine = before
    machine.moves.state.forget()
    machine.moves.arrival = nil
    engine.send(.stop)
    if machine.isEngaged { machine.fail(error, at: now) }
    await perform(at: now)
  }

  /// Ends a move, as its coordinator says.
  func end(_ request: Playback.EndMove, _ reply: Reply<Playback.MoveOutcome>, _ now: Now) async {
    let before = machine
    let outcome = machine.endMove(request.move, done: request.done, at: now)
    do {
      if before.queue.revision != machine.queue.revision {
        let (queue, checkpoint) = (machine.queue, machine.checkpoint(at: now))
        let (book, known) = (machine.moves.state.stored, moveReplies.stored)
        try await ledger.commit { transaction in
          var queue = queue
          try QueueStore.apply([.cleared], of: &queue, in: transaction)
          try QueueStore.store(checkpoint, known: nil, in: transaction)
          try MoveStore.store(book, known: known, in: transaction)
        }
        moveReplies.stored = book
      }
      await perform(at: now)
      // Also where the book had to be written once more.
      guard moveReplies.stored == machine.moves.state.stored else {
        throw LunaraError("playback.notStored", "The end of a move was not stored.")
      }
      reply.continuation.resume(returning: outcome)
    } catch {
      if before.queue.revision != machine.queue.revision { machine = before }
      reply.continuation.resume(throwing: error)
    }
  }

  /// Takes out what the machine wants journaled, to be stored in the transaction of what it belongs to.
  private func takeFacts() -> [RoomFact] {
    var facts: [RoomFact] = []
    machine.effects = machine.effects.map { effect in
      guard case .record(let more) = effect else { return effect }
      facts += more
      return .record([])
    }
    return facts
  }

  /// Does what the machine asks of the engine, ahead of all else.
  func sound() {
    machine.effects.removeAll { effect in
      guard case .engine(let command) = effect else { return false }
      engine.send(command)
      return true
    }
  }
}

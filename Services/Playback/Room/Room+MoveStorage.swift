import Messages
import Model
import Storage

/// The steps of a move that change the stored queue.
extension Room {
  /// Returns the name under which the items of a move are staged, like those of a load.
  private static func load(of move: String) -> String { "move-\(move)" }

  func stage(_ request: Playback.PrepareMove) async throws {
    let queue = machine.queue
    let part = Playback.Load(
      load: Self.load(of: request.move), part: request.part, isLast: false, mode: .now, items: request.items)
    _ = try await writer.commit { try QueueStore.apply(part, to: queue, on: .now(), in: $0) }
  }

  /// Commits a move to this room. The sound starts first, and the answer is sent when all is stored. A room that is
  /// killed before that does not know of the move after its restart, and is silent.
  func commit(_ request: Playback.CommitMove, _ reply: Reply<Playback.RoomState>, _ now: Now) async throws {
    let before = machine
    do {
      guard machine.moves.state.ending(of: request.move) != .committed else {
        return reply.resume(returning: machine.state)
      }
      guard let incoming = machine.moves.state.incoming, incoming.move == request.move, incoming.isWhole,
        incoming.items == request.moved.count
      else { throw MoveState.outdated }
      var queue = machine.queue
      let keepsQueue = request.keepsQueue == true
      let changes =
        keepsQueue
        ? try queue.insert(request.moved, orBefore: before.startIndexWhenIdle)
        : try queue.replace(with: request.moved, originalPlaces: moveReplies.originalPlaces)
      let item = try await first(of: request)
      try machine.commitMove(request.move, request.moved, queue, item, at: now)
      performEngineEffects()
      var replaced = before.queue
      // A stopped room continues at the item at which it would have started.
      if replaced.current == nil { replaced.current = before.startIndexWhenIdle }
      let former = keepsQueue ? nil : (queue: replaced, position: before.position(at: now))
      machine.queue = try await store(changes, of: queue, replacing: former, request, now)
      await perform(at: now)
      reply.resume(returning: machine.state)
    } catch {
      if machine.moves.state != before.moves.state { undo(to: before, LunaraError(error), now) }
      throw error
    }
  }

  /// Returns the item that is current now, which may be another one than at the preparation. Throws
  /// `playback.moveOutdated` if it is missing.
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
    _ changes: [Queue.Change], of queue: Queue, replacing former: (queue: Queue, position: Milliseconds)?,
    _ request: Playback.CommitMove, _ now: Now
  ) async throws -> Queue {
    let load = Self.load(of: request.move)
    let (checkpoint, state, known) = (machine.checkpoint(at: now), machine.moves.state.stored, moveReplies.stored)
    let stored = try await writer.commit(removeFacts()) { transaction in
      var queue = queue
      if let former { try QueueStore.keepFormer(former.queue, at: former.position, in: transaction) }
      try QueueStore.apply(changes, of: &queue, load: load, in: transaction)
      try QueueStore.finish(load, queue.summary, in: transaction)
      try QueueStore.store(checkpoint, known: nil, in: transaction)
      try MoveStore.store(state, known: known, in: transaction)
      return queue
    }
    moveReplies.stored = state
    return stored
  }

  /// Undoes a commit that could not be stored. The sound of the room ends.
  private func undo(to before: RoomMachine, _ error: LunaraError, _ now: Now) {
    machine = before
    machine.moves.state.forget()
    machine.moves.arrival = nil
    engine.send(.stop)
    if machine.isEngaged { machine.fail(error, at: now) }
  }

  func end(_ request: Playback.EndMove, _ reply: Reply<Playback.MoveOutcome>, _ now: Now) async throws {
    let before = machine
    let outcome = machine.endMove(request.move, done: request.done, at: now)
    do {
      if before.queue.revision != machine.queue.revision {
        let (queue, checkpoint) = (machine.queue, machine.checkpoint(at: now))
        let (state, known) = (machine.moves.state.stored, moveReplies.stored)
        try await writer.commit { transaction in
          var queue = queue
          try QueueStore.apply([.cleared], of: &queue, in: transaction)
          try QueueStore.store(checkpoint, known: nil, in: transaction)
          try MoveStore.store(state, known: known, in: transaction)
        }
        moveReplies.stored = state
      }
      await perform(at: now)
      // If nothing was stored above, `perform` has stored the state, or logged an error.
      guard moveReplies.stored == machine.moves.state.stored else {
        throw LunaraError("playback.notStored", "The end of a move was not stored.")
      }
      reply.resume(returning: outcome)
    } catch {
      if before.queue.revision != machine.queue.revision { machine = before }
      throw error
    }
  }

  /// Removes the facts from the machine's effects and returns them, to be stored in one transaction with the queue.
  private func removeFacts() -> [RoomFact] {
    var facts: [RoomFact] = []
    machine.effects = machine.effects.map { effect in
      guard case .record(let more) = effect else { return effect }
      facts += more
      return .record([])
    }
    return facts
  }

  /// Carries out the effects for the engine, before all others.
  func performEngineEffects() {
    machine.effects.removeAll { effect in
      guard case .engine(let command) = effect else { return false }
      engine.send(command)
      return true
    }
  }
}

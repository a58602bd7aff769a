import Messages
import Model
import ServiceKit
import Storage

extension Room {
  /// What can happen to a room for the sake of moves.
  enum MoveInput: Sendable {
    case offer(Playback.OfferMove, Reply<Playback.Moved>)
    case prepare(Playback.PrepareMove, Reply<Done>)
    case located(String, Result<Library.Locator, LunaraError>)
    case hold(Playback.HoldForMove, Reply<Playback.Moved>)
    case commit(Playback.CommitMove, Reply<Playback.RoomState>)
    case end(Playback.EndMove, Reply<Playback.MoveOutcome>)
    case handOver(Reply<Playback.RoomState>)
  }

  /// Answers that wait for the engine.
  struct MoveReplies {
    var hold: (move: String, replies: [Reply<Playback.Moved>])?
    var prepare: (move: String, replies: [Reply<Done>])?
    var handOver: [Reply<Playback.RoomState>] = []
    /// The item that the move to this room begins with, as its part has brought it.
    var first: (move: String, item: QueueItem, neighbours: NeighbouringTracks)?
    /// What orders the items of that move when their mixing is undone.
    var homes: [Int64] = []
    /// What is stored of the book.
    var stored = MoveState()
  }

  /// Says what would move.
  nonisolated func offerMove(_ request: Playback.OfferMove) async throws -> Playback.Moved {
    try await ask { .move(.offer(request, $0)) }
  }

  /// Takes a part of what is to come; the last one is answered when the room is ready.
  nonisolated func prepareMove(_ request: Playback.PrepareMove) async throws -> Done {
    try await ask { .move(.prepare(request, $0)) }
  }

  /// Holds the sound for a move.
  nonisolated func holdForMove(_ request: Playback.HoldForMove) async throws -> Playback.Moved {
    try await ask { .move(.hold(request, $0)) }
  }

  /// Makes what was prepared the room's own.
  nonisolated func commitMove(_ request: Playback.CommitMove) async throws -> Playback.RoomState {
    try await ask { .move(.commit(request, $0)) }
  }

  /// Ends a move.
  nonisolated func endMove(_ request: Playback.EndMove) async throws -> Playback.MoveOutcome {
    try await ask { .move(.end(request, $0)) }
  }

  func take(_ input: MoveInput) async {
    let now = Now.now()
    switch input {
    case .offer(let request, let reply):
      do {
        let moved = try machine.offerMove(request.move, to: request.to, at: now)
        await perform(at: now)
        reply.continuation.resume(returning: moved)
      } catch {
        reply.continuation.resume(throwing: error)
      }
    case .prepare(let request, let reply): await prepare(request, reply, now)
    case .located(let move, let result):
      machine.arrivalLocated(move, result, at: now)
      await perform(at: now)
    case .hold(let request, let reply):
      do {
        try machine.holdForMove(request.move, at: now)
        moveReplies.hold = (request.move, (moveReplies.hold?.replies ?? []) + [reply])
        await perform(at: now)
      } catch {
        reply.continuation.resume(throwing: error)
      }
    case .commit(let request, let reply): await commit(request, reply, now)
    case .end(let request, let reply): await end(request, reply, now)
    case .handOver(let reply):
      machine.holdForSuccessor(at: now)
      moveReplies.handOver.append(reply)
      await perform(at: now)
    }
  }

  private func prepare(_ request: Playback.PrepareMove, _ reply: Reply<Done>, _ now: Now) async {
    var isAccepted = false
    do {
      let first = machine.moves.state.incoming.map { $0.move == request.move ? $0.items : 0 } ?? 0
      let isNew = try machine.prepareMove(
        request.move, part: request.part, items: request.items.count, isLast: request.isLast)
      if isNew {
        isAccepted = true
        try await stage(request)
        let index = request.moved.current - first
        if request.items.indices.contains(index) {
          moveReplies.first = (request.move, request.items[index], .of(index, in: request.items))
        }
        if first == 0 { moveReplies.homes = [] }
        moveReplies.homes += request.homes ?? []
        if request.isLast { try start(request, now) }
      }
      if request.isLast {
        let others = moveReplies.prepare.map { $0.move == request.move ? $0.replies : [] } ?? []
        moveReplies.prepare = (request.move, others + [reply])
      } else {
        reply.continuation.resume(returning: Done())
      }
      await perform(at: now)
    } catch {
      if isAccepted { machine.moves.state.forget() }
      reply.continuation.resume(throwing: error)
      await perform(at: now)
    }
  }

  /// Has the item that the move begins with found and opened.
  private func start(_ request: Playback.PrepareMove, _ now: Now) throws {
    guard let first = moveReplies.first, first.move == request.move,
      machine.moves.state.incoming?.items == request.moved.count
    else {
      throw LunaraError("playback.loadIncomplete", "Not all items of a move are there. Start the move again.")
    }
    machine.arrive(request.move, request.moved, first.item, beside: first.neighbours, at: now)
    Task { [inbox, outlet] in
      do {
        inbox.yield(.move(.located(request.move, .success(try await outlet.locate(first.item)))))
      } catch {
        inbox.yield(.move(.located(request.move, .failure(LunaraError(error)))))
      }
    }
  }

  /// Turns away who still waits, as the room is about to end.
  func dropMoveReplies() {
    let error = LunaraError("playback.stopping", "\(name) is being stopped. Try again in a moment.")
    for reply in moveReplies.hold?.replies ?? [] { reply.continuation.resume(throwing: error) }
    for reply in moveReplies.prepare?.replies ?? [] { reply.continuation.resume(throwing: error) }
    for reply in moveReplies.handOver { reply.continuation.resume(throwing: error) }
    (moveReplies.hold, moveReplies.prepare, moveReplies.handOver) = (nil, nil, [])
  }

  /// Gives the answers that waited, once what they say is true and on the disk.
  func answerMoves() async {
    let book = machine.moves.state.stored
    if book != moveReplies.stored {
      let known = moveReplies.stored
      do {
        try await ledger.commit { try MoveStore.store(book, known: known, in: $0) }
        moveReplies.stored = book
      } catch {
        log.error(error)
        if let hold = moveReplies.hold {
          moveReplies.hold = nil
          for reply in hold.replies { reply.continuation.resume(throwing: error) }
        }
      }
    }
    if let hold = moveReplies.hold {
      if let moved = machine.movedWhenHeld(at: .now()) {
        moveReplies.hold = nil
        for reply in hold.replies { reply.continuation.resume(returning: moved) }
      } else if machine.moves.state.outgoing?.moving.move != hold.move {
        moveReplies.hold = nil
        for reply in hold.replies { reply.continuation.resume(throwing: MoveState.outdated) }
      }
    }
    if !moveReplies.handOver.isEmpty, machine.moves.settlesBy == nil {
      let replies = moveReplies.handOver
      moveReplies.handOver = []
      let state = machine.state
      machine.meter.leave()
      await ledger.record(machine.checkpoint(at: .now()), [])
      for reply in replies { reply.continuation.resume(returning: state) }
    }
    guard let prepare = moveReplies.prepare else { return }
    guard let arrival = machine.moves.arrival, arrival.move == prepare.move else {
      moveReplies.prepare = nil
      for reply in prepare.replies { reply.continuation.resume(throwing: MoveState.outdated) }
      return
    }
    guard let settled = arrival.settled else { return }
    moveReplies.prepare = nil
    for reply in prepare.replies {
      if let error = settled {
        reply.continuation.resume(throwing: error)
      } else {
        reply.continuation.resume(returning: Done())
      }
    }
  }
}

extension NeighbouringTracks {
  /// Those of an item among others.
  fileprivate static func of(_ index: Int, in items: [QueueItem]) -> NeighbouringTracks {
    NeighbouringTracks(
      before: index > 0 ? items[index - 1].track : nil,
      after: index + 1 < items.count ? items[index + 1].track : nil)
  }
}

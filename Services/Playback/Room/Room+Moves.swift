import Messages
import Model
import ServiceKit
import Storage

extension Room {
  /// The answers that wait for the engine, and the data that was received for a move to this room.
  struct MoveReplies {
    var hold: (move: String, replies: [Reply<Playback.Moved>])?
    var prepare: (move: String, replies: [Reply<Done>])?
    var handOver: [Reply<Playback.RoomState>] = []
    /// The item with which the move to this room starts.
    var first: (move: String, item: QueueItem, neighbours: NeighbouringTracks)?
    /// The places of that move's items before shuffling; empty if they are not shuffled.
    var originalPlaces: [Int64] = []
    var stored = MoveState()
  }

  func offer(_ request: Playback.OfferMove, _ reply: Reply<Playback.Moved>, _ now: Now) async throws {
    let moved = try machine.offerMove(request.move, to: request.to, at: now)
    await perform(at: now)
    reply.resume(returning: moved)
  }

  func hold(_ request: Playback.HoldForMove, _ reply: Reply<Playback.Moved>, _ now: Now) throws {
    try machine.holdForMove(request.move, at: now)
    moveReplies.hold = (request.move, (moveReplies.hold?.replies ?? []) + [reply])
  }

  func prepare(_ request: Playback.PrepareMove, _ reply: Reply<Done>, _ now: Now) async throws {
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
        if first == 0 { moveReplies.originalPlaces = [] }
        moveReplies.originalPlaces += request.homes ?? []
        if request.isLast { try start(request, now) }
      }
      if request.isLast {
        let others = moveReplies.prepare.map { $0.move == request.move ? $0.replies : [] } ?? []
        moveReplies.prepare = (request.move, others + [reply])
      } else {
        reply.resume(returning: Done())
      }
    } catch {
      if isAccepted { machine.moves.state.forget() }
      throw error
    }
  }

  /// Starts to locate the item with which the move starts, to open it.
  private func start(_ request: Playback.PrepareMove, _ now: Now) throws {
    guard let first = moveReplies.first, first.move == request.move,
      machine.moves.state.incoming?.items == request.moved.count
    else {
      throw LunaraError("playback.loadIncomplete", "Not all items of a move are there. Start the move again.")
    }
    machine.arrive(request.move, request.moved, first.item, beside: first.neighbours, at: now)
    Task { [inbox, locator] in
      let result = await locator.result(of: first.item)
      inbox.yield { room, now in room.machine.arrivalLocated(request.move, result, at: now) }
    }
  }

  /// Answers the requests that still wait with an error, as the room is about to end.
  func dropMoveReplies() {
    answerHold(.failure(stopping))
    answerPrepare(.failure(stopping))
    for reply in moveReplies.handOver { reply.resume(throwing: stopping) }
    moveReplies.handOver = []
  }

  private func answerHold(_ result: Result<Playback.Moved, any Error>) {
    for reply in moveReplies.hold?.replies ?? [] { reply.resume(with: result) }
    moveReplies.hold = nil
  }

  private func answerPrepare(_ result: Result<Done, any Error>) {
    for reply in moveReplies.prepare?.replies ?? [] { reply.resume(with: result) }
    moveReplies.prepare = nil
  }

  /// Answers the requests about moves whose state is reached and stored.
  func answerMoves() async {
    let state = machine.moves.state.stored
    if state != moveReplies.stored {
      let known = moveReplies.stored
      do {
        try await writer.commit { try MoveStore.store(state, known: known, in: $0) }
        moveReplies.stored = state
      } catch {
        log.error(error)
        answerHold(.failure(error))
      }
    }
    if let hold = moveReplies.hold {
      if let moved = machine.movedWhenHeld(at: .now()) {
        answerHold(.success(moved))
      } else if machine.moves.state.outgoing?.moving.move != hold.move {
        answerHold(.failure(MoveState.outdated))
      }
    }
    if !moveReplies.handOver.isEmpty, machine.moves.stopReportDue == nil {
      let replies = moveReplies.handOver
      moveReplies.handOver = []
      let room = machine.state
      machine.meter.discardListen()
      await writer.record(machine.checkpoint(at: .now()), [])
      for reply in replies { reply.resume(returning: room) }
    }
    guard let prepare = moveReplies.prepare else { return }
    guard let arrival = machine.moves.arrival, arrival.move == prepare.move else {
      return answerPrepare(.failure(MoveState.outdated))
    }
    if let answer = arrival.answer { answerPrepare(answer.map { .failure($0) } ?? .success(Done())) }
  }
}

extension NeighbouringTracks {
  fileprivate static func of(_ index: Int, in items: [QueueItem]) -> NeighbouringTracks {
    NeighbouringTracks(
      before: index > 0 ? items[index - 1].track : nil,
      after: index + 1 < items.count ? items[index + 1].track : nil)
  }
}

import Bus
import Messages
import Model
import ServiceKit
import Storage

/// What a room needs of the world beyond its engine and its database.
struct RoomOutlet: Sendable {
  /// Publishes what the room plays.
  var publishRoom: @Sendable (Playback.RoomState) async -> Void
  /// Publishes the queue around the current item.
  var publishQueue: @Sendable (Playback.QueueState) async -> Void
  /// Finds out where an item's audio is.
  var locate: @Sendable (QueueItem) async throws -> Library.Locator
  /// An item's own path, where that is on this host.
  var ownPath: @Sendable (QueueItem) -> LocalPath? = { _ in nil }
}

/// Drives one room: feeds its machine with commands, the engine's reports and the passing of time, one after the
/// other, and does what it asks for.
actor Room {
  /// What can happen to a room.
  enum Input: Sendable {
    case engine(EngineReport)
    case found(CueID, QueueItem?)
    case located(CueID, Result<Library.Locator, LunaraError>)
    case due
    case transport(Playback.Transport.Action, Reply<Playback.RoomState>)
    case load(Playback.Load, Reply<Playback.QueueSummary>)
    case edit(Playback.EditQueue.Edit, Reply<Playback.QueueSummary>)
    case suspend(Reply<Done>)
    case interrupt(Interruption, Reply<Done>)
    case interruptionOver(Interruption)
    case quietIsDue
  }

  /// Where the answer to a command goes.
  struct Reply<Answer: Sendable>: Sendable {
    let continuation: CheckedContinuation<Answer, any Error>
  }

  let name: RoomName
  let engine: any Engine
  let database: Database
  let ledger: Ledger
  let outlet: RoomOutlet
  let log: Log
  var machine: RoomMachine
  private let inputs: AsyncStream<Input>
  nonisolated let inbox: AsyncStream<Input>.Continuation
  /// Who waits for the sound to hold.
  var awaitingQuiet: [Reply<Done>] = []
  private var alarm: (moment: Moment, task: Task<Void, Never>)?
  /// The part of the queue that was published last.
  private var published: Window?

  private struct Window: Equatable {
    var revision: Int64
    var current: Int?
    var rows: [Int64]
  }

  /// Opens a room as it was stored; `run` brings it to life.
  init(
    _ name: RoomName, engine: any Engine, database: Database, journal: Journal, outlet: RoomOutlet, log: Log
  ) async throws {
    self.name = name
    self.engine = engine
    self.database = database
    self.outlet = outlet
    self.log = log
    ledger = Ledger(database, journal, room: name, log: log)
    let (queue, checkpoint, item) = try await database.read { reader in
      let (queue, checkpoint) = try QueueStore.restore(in: reader)
      return (queue, checkpoint, Self.current(of: queue, in: reader))
    }
    machine = RoomMachine(
      room: name, pace: engine.pace, restoring: checkpoint, queue: queue, current: item, at: .now())
    (inputs, inbox) = AsyncStream.makeStream()
  }

  /// The current item; nil where it cannot be read, which `find` meets again and tells.
  private static func current(of queue: Queue, in reader: ReadTransaction) -> QueueItem? {
    do { return try queue.currentSlot.flatMap { try QueueStore.items([$0.row], in: reader).first } } catch {
      return nil
    }
  }

  /// Works until `close`.
  func run() async {
    let reports = Task { [inbox, engine] in
      for await report in engine.reports { inbox.yield(.engine(report)) }
    }
    await perform(at: .now())
    for await input in inputs { await take(input) }
    alarm?.task.cancel()
    answerQuiet()
    await reports.value
  }

  /// Stores where things stand and ends the sound. Returns when all is on disk.
  nonisolated func close() async {
    do {
      _ = try await ask { .suspend($0) }
    } catch {
      log.error(error)
    }
    await engine.close()
    await ledger.settled()
    inbox.finish()
  }

  /// Puts a question to the room and waits for its answer.
  nonisolated func ask<Answer: Sendable>(_ input: (Reply<Answer>) -> Input) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      if case .terminated = inbox.yield(input(Reply(continuation: continuation))) {
        continuation.resume(
          throwing: LunaraError("playback.stopping", "\(name) is being stopped. Try again in a moment."))
      }
    }
  }

  private func take(_ input: Input) async {
    let now = Now.now()
    switch input {
    case .engine(let report):
      if case .outputFailed(let error) = report.event { log.error(error) }
      machine.handle(report.event, at: now.at(report.at))
    case .found(let id, let item): machine.found(id, item, at: now)
    case .located(let id, let result): machine.located(id, result, at: now)
    case .due:
      // What was due may not be yet, where the host slept: then it is waited for anew.
      alarm = nil
      machine.wake(at: now)
    case .transport(let action, let reply): return await transport(action, reply, now)
    case .load(let part, let reply): return await load(part, reply)
    case .edit(let edit, let reply): return await self.edit(edit, reply)
    case .suspend(let reply):
      machine.suspend(at: now)
      await perform(at: now)
      reply.continuation.resume(returning: Done())
      return
    case .interrupt(let reason, let reply):
      machine.interrupt(reason, at: now)
      waitForQuiet(reply)
    case .interruptionOver(let reason): machine.interruptionOver(reason, at: now)
    case .quietIsDue: answerQuiet()
    }
    await perform(at: now)
    if !machine.isFlowing { answerQuiet() }
  }

  private func transport(_ action: Playback.Transport.Action, _ reply: Reply<Playback.RoomState>, _ now: Now) async {
    do {
      try machine.handle(action, at: now)
    } catch {
      return reply.continuation.resume(throwing: error)
    }
    let state = machine.state
    await perform(at: now)
    // What was answered is stored, so a restart does not undo it; the next input need not wait for that.
    Task { [ledger] in
      await ledger.settled()
      reply.continuation.resume(returning: state)
    }
  }

  private func load(_ part: Playback.Load, _ reply: Reply<Playback.QueueSummary>) async {
    let queue = machine.queue
    do {
      let ownPath = outlet.ownPath
      let (outcome, fresh) = try await ledger.commit { transaction in
        let outcome = try QueueStore.take(part, into: queue, on: .now(), in: transaction)
        guard case .loaded(let queue, starts: true) = outcome, let row = queue.currentSlot?.row else {
          return (outcome, nil as (item: QueueItem, path: LocalPath)?)
        }
        let item = try QueueStore.items([row], in: transaction).first
        return (outcome, item.flatMap { item in ownPath(item).map { (item, $0) } })
      }
      switch outcome {
      case .done(let summary): reply.continuation.resume(returning: summary)
      case .waiting: reply.continuation.resume(returning: queue.summary)
      case .loaded(let queue, let starts):
        let now = Now.now()
        machine.take(queue, starts: starts, fresh: fresh, at: now)
        await perform(at: now)
        reply.continuation.resume(returning: queue.summary)
      }
    } catch {
      reply.continuation.resume(throwing: error)
    }
  }

  private func edit(_ edit: Playback.EditQueue.Edit, _ reply: Reply<Playback.QueueSummary>) async {
    do {
      var queue = machine.queue
      let changes =
        switch edit {
        case .clear: queue.clear()
        case .remove(let index, _): try queue.remove(at: index)
        case .move(let from, let to, _): try queue.move(from: from, to: to)
        case .order, .forget: throw LunaraError("playback.badSetting", "This room cannot do that.")
        }
      if !changes.isEmpty {
        let changed = queue
        try await ledger.commit { try QueueStore.apply(changes, of: changed, in: $0) }
        let now = Now.now()
        machine.take(changed, starts: false, at: now)
        await perform(at: now)
      }
      reply.continuation.resume(returning: queue.summary)
    } catch {
      reply.continuation.resume(throwing: error)
    }
  }

  /// Does what the machine asks for: sound first, then what people see.
  private func perform(at now: Now) async {
    let effects = machine.takeEffects()
    var facts: [RoomFact] = []
    var isToBeStored = false
    for effect in effects {
      switch effect {
      case .engine(let command): engine.send(command)
      case .find(let id, let row, let locating): find(id, row, locating)
      case .record(let more):
        facts += more
        isToBeStored = true
      case .show: break
      }
    }
    setAlarm()
    if isToBeStored { await ledger.record(machine.checkpoint(at: now), facts) }
    if effects.contains(.show) {
      await outlet.publishRoom(machine.state)
      await publishQueue()
    }
    for case .failed(let item, let error) in facts { log.warning(error.naming(item)) }
  }

  private func setAlarm() {
    let deadline = machine.deadline
    guard deadline != alarm?.moment else { return }
    alarm?.task.cancel()
    alarm = deadline.map { deadline in
      let wait = max(0, deadline.nanoseconds - Moment.now().nanoseconds)
      return (
        deadline,
        Task { [inbox] in
          do { try await Task.sleep(for: .nanoseconds(wait)) } catch { return }
          inbox.yield(.due)
        }
      )
    }
  }

  private func find(_ id: CueID, _ row: Int64, _ locating: Bool) {
    Task { [inbox, database, outlet, log] in
      do {
        guard let item = try await database.read({ try QueueStore.items([row], in: $0).first }) else {
          inbox.yield(.found(id, nil))
          return
        }
        inbox.yield(.found(id, item))
        guard locating else { return }
        do {
          inbox.yield(.located(id, .success(try await outlet.locate(item))))
        } catch {
          inbox.yield(.located(id, .failure(LunaraError(error))))
        }
      } catch {
        log.error(error)
        inbox.yield(.located(id, .failure(LunaraError(error))))
      }
    }
  }

  private func publishQueue() async {
    let queue = machine.queue
    var range = queue.window(RoomReading.windowSize)
    let window = Window(revision: queue.revision, current: queue.current, rows: queue.slots[range].map(\.row))
    guard window != published else { return }
    published = window
    do {
      var items = try await database.read { try QueueStore.items(window.rows, in: $0) }
      if let current = queue.current, items.count <= current - range.lowerBound {
        // Items too large for one message: then rather the current one and those after it.
        range = current..<range.upperBound
        let rows = queue.slots[range].map(\.row)
        items = try await database.read { try QueueStore.items(rows, in: $0) }
      }
      await outlet.publishQueue(
        Playback.QueueState(
          revision: queue.revision, count: queue.slots.count, current: queue.current, first: range.lowerBound,
          items: items))
    } catch {
      published = nil
      log.error(error)
    }
  }
}

extension LunaraError {
  /// The same, for a log that does not show the item beside it.
  func naming(_ item: QueueItem) -> LunaraError {
    LunaraError(code, "\(item.track.artist), \(item.track.title): \(message)", cause: cause)
  }
}

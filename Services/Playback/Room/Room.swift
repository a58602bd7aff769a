import Bus
import Messages
import Model
import ServiceKit
import Storage

/// What a room needs of the world beyond its engine and its database.
struct RoomEnvironment: Sendable {
  /// Publishes what the room plays.
  var publishRoom: @Sendable (Playback.RoomState) async -> Void
  /// Publishes the queue around the current item.
  var publishQueue: @Sendable (Playback.QueueState) async -> Void
  /// Publishes how the room sounds.
  var publishOutput: @Sendable (Playback.OutputState) async -> Void
  /// Finds out where an item's audio is.
  var locate: @Sendable (QueueItem) async throws -> Library.Locator
  /// An item's own path, where that is on this host.
  var ownPath: @Sendable (QueueItem) -> LocalPath? = { _ in nil }
  /// Whether a file is what was fetched of a stream in advance.
  var isCopy: @Sendable (LocalPath) -> Bool = { _ in false }
  /// Gives up such a file, which cannot be played.
  var dropCopy: @Sendable (LocalPath) -> Void = { _ in }
  /// What can be heard of the room without music; nil where nothing can.
  var testSound: TestSound?
  /// Has so many items that come next fetched in advance; nil for none.
  var prefetch: (count: Int, want: @Sendable ([QueueItem]) async -> Void)?
}

/// Drives one room: feeds its machine with commands, the engine's reports and the passing of time, one after the
/// other, and does what it asks for.
actor Room {
  /// What can happen to a room.
  enum Input: Sendable {
    case engine(EngineReport)
    case found(CueID, QueueItem?, NeighbouringTracks)
    case located(CueID, Result<Library.Locator, LunaraError>)
    case due
    case transport(Playback.Transport.Action, Reply<Playback.RoomState>)
    case load(Playback.Load, Reply<Playback.QueueSummary>)
    case append(Playback.Append, Reply<Playback.QueueSummary>)
    case edit(Playback.EditQueue.Edit, Reply<Playback.QueueSummary>)
    case output(Playback.SetOutput, Reply<Playback.OutputState>)
    case readOutput(Reply<Playback.OutputState>)
    case title(String?, Reply<Playback.RoomState>)
    case testSound(Reply<Done>)
    case suspend(Reply<Done>)
    case proof(Reply<Done>)
    case interrupt(Interruption, Reply<Done>)
    case interruptionOver(Interruption)
    case quietIsDue
    case move(MoveInput)
    case fetched(TrackID)
  }

  /// Where the answer to a command goes.
  struct Reply<Answer: Sendable>: Sendable {
    let continuation: CheckedContinuation<Answer, any Error>
  }

  let name: RoomName
  let engine: any Engine
  let database: Database
  let ledger: CheckpointWriter
  let outlet: RoomEnvironment
  let log: Log
  var machine: RoomMachine
  /// Answers about moves that wait for the engine.
  var moveReplies = MoveReplies()
  private let inputs: AsyncStream<Input>
  nonisolated let inbox: AsyncStream<Input>.Continuation
  /// Who waits for the sound to hold.
  var awaitingQuiet: [Reply<Done>] = []
  private var alarm: (moment: MonotonicTime, task: Task<Void, Never>)?
  /// The part of the queue that was published last.
  var published: Window?
  /// The rows that were to be fetched in advance when that was said last.
  var prefetched: [Int64] = []
  /// The test sound that is being heard.
  var testing: Task<Void, any Error>?
  /// Who waits for the outputs there are.
  var curious: [Reply<Playback.OutputState>] = []

  /// Opens a room as it was stored; `run` brings it to life.
  init(
    _ name: RoomName, engine: any Engine, database: Database, journal: Journal, outlet: RoomEnvironment, log: Log
  ) async throws {
    self.name = name
    self.engine = engine
    self.database = database
    self.outlet = outlet
    self.log = log
    ledger = CheckpointWriter(database, journal, room: name, log: log)
    let (queue, checkpoint, item, book) = try await database.read { reader in
      let queue = try QueueStore.queue(in: reader)
      return (
        queue, try QueueStore.checkpoint(in: reader), Self.current(of: queue, in: reader),
        try MoveStore.restore(in: reader)
      )
    }
    machine = RoomMachine(
      room: name, pace: engine.pace, restoring: checkpoint, queue: queue, current: item, at: .now())
    machine.isCopy = outlet.isCopy
    machine.restore(book, at: .now())
    moveReplies.stored = book
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
    answerCurious()
    dropMoveReplies()
    alarm?.task.cancel()
    await endTestSound()
    answerQuiet()
    await reports.value
  }

  /// Returns once the room has taken what came before: it makes progress.
  nonisolated func prove() async throws { _ = try await ask { .proof($0) } }

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
      switch report.event {
      case .outputFailed(let error), .outputLost(let error): log.error(error)
      default: break
      }
      machine.handle(report.event, at: now.at(report.at))
      if case .devices = report.event { answerCurious() }
    case .found(let id, let item, let neighbours): machine.found(id, item, beside: neighbours, at: now)
    case .located(let id, let result): machine.located(id, result, at: now)
    case .due:
      // What was due may not be yet, where the host slept: then it is waited for anew.
      alarm = nil
      machine.wake(at: now)
    case .transport(let action, let reply): return await transport(action, reply, now)
    case .load(let part, let reply):
      let queue = machine.queue
      return await change(reply) { try QueueStore.take(part, into: queue, on: .now(), in: $0) }
    case .append(let part, let reply):
      let (queue, row) = (machine.queue, machine.continuationRow)
      return await change(reply) { try QueueStore.take(part, into: queue, goingOnAt: row, on: .now(), in: $0) }
    case .edit(let edit, let reply):
      let queue = machine.queue
      return await change(reply) {
        try QueueStore.edit(edit, of: queue, in: $0).map { .changed($0, starts: false) } ?? .unchanged(queue.summary)
      }
    case .output(let request, let reply): return await set(request, reply, now)
    case .readOutput(let reply): return readOutput(reply)
    case .title(let title, let reply): return await set(title, reply, now)
    case .testSound(let reply): return testSound(reply)
    case .move(let input): return await take(input)
    case .fetched(let track): machine.fetched(track, at: now)
    case .proof(let reply): return reply.continuation.resume(returning: Done())
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

  /// Does what the machine asks for: sound first, then what people see.
  func perform(at now: Now) async {
    let effects = machine.removeEffects()
    var facts: [RoomFact] = []
    var isToBeStored = false
    var isToBeNoted = false
    for effect in effects {
      switch effect {
      case .engine(let command):
        if command.needsOutput { await endTestSound() }
        engine.send(command)
      case .find(let id, let row, let locating): find(id, row, locating)
      case .record(let more):
        facts += more
        isToBeStored = true
      case .note: isToBeNoted = true
      case .dropCopy(let path): outlet.dropCopy(path)
      case .show, .showOutput: break
      }
    }
    setAlarm()
    if isToBeStored {
      await ledger.record(machine.checkpoint(at: now), facts)
    } else if isToBeNoted {
      await ledger.note(machine.progress(at: now))
    }
    if effects.contains(.showOutput) { await outlet.publishOutput(machine.outputState) }
    if effects.contains(.show) {
      await outlet.publishRoom(machine.state)
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
  /// The same, for a log that does not show the item beside it.
  func naming(_ item: QueueItem) -> LunaraError {
    LunaraError(code, "\(item.track.artist), \(item.track.title): \(message)", cause: cause)
  }
}

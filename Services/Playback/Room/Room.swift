import Bus
import Messages
import Model
import ServiceKit
import Storage

/// The functions that a room needs beyond its engine and its database.
struct RoomEnvironment: Sendable {
  /// Publishes what the room plays.
  var publishRoom: @Sendable (Playback.RoomState) async -> Void
  /// Publishes the queue around the current item.
  var publishQueue: @Sendable (Playback.QueueState) async -> Void
  /// Publishes the output settings and devices.
  var publishOutput: @Sendable (Playback.OutputState) async -> Void
  /// Returns the place of an item's audio.
  var locate: @Sendable (QueueItem) async throws -> Library.Locator
  /// Returns an item's own path, if that is on this host.
  var ownPath: @Sendable (QueueItem) -> LocalPath? = { _ in nil }
  /// Returns true for a file that was prefetched from a stream.
  var isCopy: @Sendable (LocalPath) -> Bool = { _ in false }
  /// Deletes such a file, which cannot be played.
  var dropCopy: @Sendable (LocalPath) -> Void = { _ in }
  /// The sound that a person hears to find the room's output; nil for none.
  var testSound: TestSound?
  /// The number of items to fetch in advance, and the function that has them fetched; nil for none.
  var prefetch: (count: Int, want: @Sendable ([QueueItem]) async -> Void)?
}

/// Runs one room: gives its machine commands, the engine's reports and the passing of time, one after the other, and
/// carries its effects out.
actor Room {
  /// An input of a room.
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
    case probe(Reply<Done>)
    case interrupt(Interruption, Reply<Done>)
    case interruptionOver(Interruption)
    case holdTimedOut
    case move(MoveInput)
    case fetched(TrackID)
  }

  /// The way back to whoever waits for an answer.
  struct Reply<Answer: Sendable>: Sendable {
    let continuation: CheckedContinuation<Answer, any Error>
  }

  let name: RoomName
  let engine: any Engine
  let database: Database
  let writer: CheckpointWriter
  let environment: RoomEnvironment
  let log: Log
  var machine: RoomMachine
  /// The answers about moves that wait for the engine.
  var moveReplies = MoveReplies()
  private let inputs: AsyncStream<Input>
  nonisolated let inbox: AsyncStream<Input>.Continuation
  /// The replies that wait for the sound to hold.
  var interruptionReplies: [Reply<Done>] = []
  var alarm: (moment: MonotonicTime, task: Task<Void, Never>)?
  /// The part of the queue that was published last.
  var published: Window?
  /// The rows that were asked to be prefetched last.
  var prefetched: [Int64] = []
  /// The test sound that is being played.
  var testSoundTask: Task<Void, any Error>?
  /// The replies that wait for the list of devices.
  var deviceReplies: [Reply<Playback.OutputState>] = []

  /// Opens a room as it was stored; `run` begins to work.
  init(
    _ name: RoomName, engine: any Engine, database: Database, journal: Journal, environment: RoomEnvironment, log: Log
  ) async throws {
    self.name = name
    self.engine = engine
    self.database = database
    self.environment = environment
    self.log = log
    writer = CheckpointWriter(database, journal, room: name, log: log)
    let (queue, checkpoint, item, moves) = try await database.read { reader in
      let queue = try QueueStore.queue(in: reader)
      return (
        queue, try QueueStore.checkpoint(in: reader), Self.current(of: queue, in: reader),
        try MoveStore.restore(in: reader)
      )
    }
    machine = RoomMachine(
      room: name, pace: engine.pace, restoring: checkpoint, queue: queue, current: item, at: .now())
    machine.isCopy = environment.isCopy
    machine.restore(moves, at: .now())
    moveReplies.stored = moves
    (inputs, inbox) = AsyncStream.makeStream()
  }

  /// Returns the current item; nil where it cannot be read, which `find` meets again and reports.
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
    for await input in inputs { await handle(input) }
    answerDeviceReplies()
    dropMoveReplies()
    alarm?.task.cancel()
    await endTestSound()
    answerInterruptions()
    await reports.value
  }

  /// Returns once the room has handled all earlier inputs, which shows that it makes progress.
  nonisolated func probe() async throws { _ = try await ask { .probe($0) } }

  /// Stores a checkpoint and ends the sound. Returns when all is on disk.
  nonisolated func close() async {
    do {
      _ = try await ask { .suspend($0) }
    } catch {
      log.error(error)
    }
    await engine.close()
    await writer.settled()
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

  private func handle(_ input: Input) async {
    let now = Now.now()
    switch input {
    case .engine(let report):
      switch report.event {
      case .outputFailed(let error), .outputLost(let error): log.error(error)
      default: break
      }
      machine.handle(report.event, at: now.at(report.at))
      if case .devices = report.event { answerDeviceReplies() }
    case .found(let id, let item, let neighbours): machine.found(id, item, beside: neighbours, at: now)
    case .located(let id, let result): machine.located(id, result, at: now)
    case .due:
      // A deadline may not have come if the host slept; then the room waits again.
      alarm = nil
      machine.wake(at: now)
    case .transport(let action, let reply): return await transport(action, reply, now)
    case .load(let part, let reply):
      let queue = machine.queue
      return await change(reply) { try QueueStore.apply(part, to: queue, on: .now(), in: $0) }
    case .append(let part, let reply):
      let (queue, row) = (machine.queue, machine.continuationRow)
      return await change(reply) { try QueueStore.apply(part, to: queue, startingAt: row, on: .now(), in: $0) }
    case .edit(let edit, let reply):
      let queue = machine.queue
      return await change(reply) {
        try QueueStore.edit(edit, of: queue, in: $0).map { .changed($0, starts: false) } ?? .unchanged(queue.summary)
      }
    case .output(let request, let reply): return await set(request, reply, now)
    case .readOutput(let reply): return readOutput(reply)
    case .title(let title, let reply): return await set(title, reply, now)
    case .testSound(let reply): return testSound(reply)
    case .move(let input): return await handle(input)
    case .fetched(let track): machine.fetched(track, at: now)
    case .probe(let reply): return reply.continuation.resume(returning: Done())
    case .suspend(let reply):
      machine.suspend(at: now)
      await perform(at: now)
      reply.continuation.resume(returning: Done())
      return
    case .interrupt(let reason, let reply):
      machine.interrupt(reason, at: now)
      answerWhenHeld(reply)
    case .interruptionOver(let reason): machine.interruptionOver(reason, at: now)
    case .holdTimedOut: answerInterruptions()
    }
    await perform(at: now)
    if !machine.isFlowing { answerInterruptions() }
  }

  /// Carries out a command of a person, and answers when what it did is stored.
  func transport(_ action: Playback.Transport.Action, _ reply: Reply<Playback.RoomState>, _ now: Now) async {
    do {
      try machine.handle(try await resolved(action), at: now)
    } catch {
      // Effects that were carried out before hold.
      await perform(at: now)
      return reply.continuation.resume(throwing: error)
    }
    let state = machine.state
    await perform(at: now)
    answer(reply, state)
  }

  /// Answers when all that was done is stored, so that a restart does not undo what was answered; the next input does not
  /// wait for that.
  func answer<Answer>(_ reply: Reply<Answer>, _ answer: Answer) {
    Task { [writer] in
      await writer.settled()
      reply.continuation.resume(returning: answer)
    }
  }

  /// Returns the command with the index that its entry has by now.
  private func resolved(_ action: Playback.Transport.Action) async throws -> Playback.Transport.Action {
    guard case .jump(let index, let entry?) = action else { return action }
    let queue = machine.queue
    return .jump(to: try await database.read { try QueueStore.find(entry, near: index, in: queue, $0) })
  }
}

import Bus
import Messages
import Model
import ServiceKit
import Storage
import System

/// Runs one room: passes commands, the engine's reports and the passing of time to its machine, one after the other,
/// and carries out the machine's effects.
actor Room {
  /// An input, which runs when all earlier ones are done.
  typealias Input = @Sendable (isolated Room, Now) async -> Void
  /// The continuation of a caller that waits for an answer.
  typealias Reply<Answer> = CheckedContinuation<Answer, any Error>

  let name: RoomName
  let engine: any Engine
  let database: Database
  let writer: CheckpointWriter
  let node: Node
  let locator: AudioLocator
  /// The sound by which a person finds the room's output; nil if there is none.
  let testSound: TestSound?
  let log: Log
  private let observe: @Sendable (Playback.RoomState) async -> Void
  var machine: RoomMachine
  /// The answers about moves that wait for the engine.
  var moveReplies = MoveReplies()
  private let inputs: AsyncStream<Input>
  nonisolated let inbox: AsyncStream<Input>.Continuation
  var interruptionReplies: [Reply<Done>] = []
  private var alarm: (moment: MonotonicTime, task: Task<Void, Never>)?
  /// The last published part of the queue, without its items.
  var published: Playback.QueueState?
  /// The rows for which prefetching was last requested.
  var prefetched: [Int64] = []
  var testSoundTask: Task<Void, any Error>?
  var deviceWait = DeviceWait()

  /// Opens a room from its stored state; `run` starts it.
  init(
    _ name: RoomName, engine: any Engine, database: Database, journal: Journal, node: Node, locator: AudioLocator,
    testSound: TestSound?, title: String? = nil, log: Log,
    observe: @escaping @Sendable (Playback.RoomState) async -> Void
  ) async throws {
    self.name = name
    self.engine = engine
    self.database = database
    self.node = node
    self.locator = locator
    self.testSound = testSound
    self.log = log
    self.observe = observe
    writer = CheckpointWriter(database, journal, room: name, log: log)
    let (queue, checkpoint, item, moves) = try await database.read { reader in
      let queue = try QueueStore.queue(in: reader)
      var checkpoint = try QueueStore.checkpoint(in: reader)
      checkpoint.restoredAt = try Journal.restoredAt(reader)
      return (
        queue, checkpoint, Self.current(of: queue, in: reader),
        try MoveStore.restore(in: reader)
      )
    }
    machine = RoomMachine(
      room: name, pace: engine.pace, restoring: checkpoint, queue: queue, current: item, boot: HostBoot.id, at: .now())
    machine.titleOfSettings = title
    machine.isPrefetched = { (locator.cache?.isOwn($0) ?? false) || (locator.offline?.isOwn($0) ?? false) }
    machine.isPrefetching = { locator.cache?.fetches($0, at: $1) ?? false }
    machine.restore(moves, at: .now())
    moveReplies.stored = moves
    (inputs, inbox) = AsyncStream.makeStream()
  }

  /// Returns the current item; nil if it cannot be read: `find` then reads it again, and reports the error.
  private static func current(of queue: Queue, in reader: ReadTransaction) -> QueueItem? {
    do { return try queue.currentSlot.flatMap { try QueueStore.items([$0.row], in: reader).first } } catch {
      return nil
    }
  }

  func run() async {
    let reports = Task { [inbox, engine] in
      for await report in engine.reports { inbox.yield { room, now in await room.handle(report, now) } }
    }
    await perform(at: .now())
    var clock = ClockReference()
    for await input in inputs {
      let now = Now.now()
      if let step = clock.step() { machine.clockWasSet(step) }
      await input(self, now)
      await perform(at: now)
      if !machine.isFlowing { answerInterruptions() }
    }
    await devicesListed(at: .now())
    dropMoveReplies()
    alarm?.task.cancel()
    await endTestSound()
    answerInterruptions()
    await reports.value
  }

  /// Returns when the room has handled all earlier inputs, which shows that it is not blocked.
  nonisolated func probe() async throws { _ = try await ask { _, reply, _ in reply.resume(returning: Done()) } }

  /// Stores a checkpoint and ends the sound. Returns when all is on disk.
  nonisolated func close() async {
    do {
      _ = try await ask { (room, reply: Reply<Done>, now) in
        room.machine.suspend(at: now)
        await room.perform(at: now)
        reply.resume(returning: Done())
      }
    } catch {
      log.error(error)
    }
    await engine.close()
    await writer.flush()
    inbox.finish()
  }

  nonisolated var stopping: LunaraError {
    LunaraError("playback.stopping", "\(name) is being stopped. Try again in a moment.")
  }

  /// Runs a body after all earlier inputs, and returns its answer. Changes that it made before an error stay. Throws
  /// the errors of the body, and `playback.stopping`.
  nonisolated func ask<Answer: Sendable>(
    _ body: @escaping @Sendable (isolated Room, Reply<Answer>, Now) async throws -> Void
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { reply in
      let input: Input = { room, now in
        do { try await body(room, reply, now) } catch {
          await room.perform(at: now)
          reply.resume(throwing: error)
        }
      }
      if case .terminated = inbox.yield(input) { reply.resume(throwing: stopping) }
    }
  }

  /// Carries out the machine's effects, and answers when all is stored, so that a restart does not undo what was
  /// answered. The next input does not wait for that.
  func answer<Answer: Sendable>(_ reply: Reply<Answer>, _ answer: Answer, _ now: Now) async {
    await perform(at: now)
    Task { [writer] in
      await writer.flush()
      reply.resume(returning: answer)
    }
  }

  private func handle(_ report: EngineReport, _ now: Now) async {
    switch report.event {
    case .outputFailed(let error), .outputLost(let error): log.error(error)
    default: break
    }
    machine.handle(report.event, at: now.at(report.at))
    if case .devices = report.event { await devicesListed(at: now) }
  }

  func transport(_ action: Playback.Transport.Action, _ reply: Reply<Playback.RoomState>, _ now: Now) async throws {
    var action = action
    if case .jump(let index, let entry?) = action {
      // The entry's present index is used, as the queue may have changed.
      let queue = machine.queue
      action = .jump(to: try await database.read { try QueueStore.find(entry, near: index, in: queue, $0) })
    }
    try machine.handle(action, at: now)
    await answer(reply, machine.state, now)
  }
}

// MARK: - Effects

extension Room {
  /// Carries out the machine's effects: the sound first, then the published states.
  func perform(at now: Now) async {
    let effects = machine.removeEffects()
    var facts: [RoomFact] = []
    for effect in effects {
      switch effect {
      case .engine(let command):
        if command.needsOutput { await endTestSound() }
        engine.send(command)
      case .find(let id, let row, let locating, let failed): find(id, row, locating, failed)
      case .findAlbumEnd(let place): findAlbumEnd(place)
      case .record(let more): facts += more
      case .dropPrefetched(let path):
        locator.cache?.drop(path)
        locator.offline?.drop(path)
      case .recordProgress, .publish, .publishOutput: break
      }
    }
    setAlarm()
    if effects.contains(where: { if case .record = $0 { true } else { false } }) {
      await writer.record(machine.checkpoint(at: now), facts)
    } else if effects.contains(.recordProgress) {
      await writer.record(machine.progress(at: now))
    }
    if effects.contains(.publishOutput) { await node.publish(machine.outputState) }
    if effects.contains(.publish) {
      let state = machine.state
      await node.publish(state)
      await observe(state)
      await publishQueue()
    }
    for case .failed(let item, let error) in facts {
      log.warning(
        LunaraError(error.code, "\(item.track.artist), \(item.track.title): \(error.message)", cause: error.cause))
    }
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
          inbox.yield { room, now in
            // If the host has slept, the deadline may not have come yet; then the room sets the alarm again.
            room.alarm = nil
            room.machine.wake(at: now)
          }
        }
      )
    }
  }
}

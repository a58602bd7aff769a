import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Writes a room's checkpoints and facts, in order, without the room waiting for the disk.
///
/// Facts go into the journal in the transaction of the checkpoint that they belong to. What cannot be written is kept
/// and tried again with whatever comes next.
actor CheckpointWriter {
  private enum Job {
    case record
    case recordProgress
    case run(@Sendable (isolated CheckpointWriter) async -> Void)
  }

  private let database: Database
  private let journal: Journal
  private let room: RoomName
  private let log: Log
  private var jobs: [Job] = []
  private var isWorking = false
  /// The newest checkpoint, until it is stored.
  private var checkpoint: Checkpoint?
  /// Facts that are not stored yet.
  private var facts: [RoomFact] = []
  /// The newest progress, until it is stored.
  private var progress: Checkpoint.Progress?
  /// The checkpoint that was stored last.
  private var known: Checkpoint?
  /// The error of the last attempt to store anything; nil where it did not fail.
  private var failure: (any Error)?
  /// The number of facts that were dropped, as there were too many.
  private var dropped = 0

  /// The greatest number of facts that wait for a disk that does not take them.
  private static let limit = 10_000

  init(_ database: Database, _ journal: Journal, room: RoomName, log: Log) {
    self.database = database
    self.journal = journal
    self.room = room
    self.log = log
  }

  /// Has a checkpoint and facts stored soon.
  func record(_ checkpoint: Checkpoint, _ facts: [RoomFact]) {
    self.checkpoint = checkpoint
    // Progress that waits is older, and may be of another track: it must not be written ahead of the checkpoint.
    progress = checkpoint.progress
    jobs.removeAll { if case .recordProgress = $0 { true } else { false } }
    self.facts += facts
    if self.facts.count > Self.limit {
      dropped += self.facts.count - Self.limit
      self.facts.removeFirst(self.facts.count - Self.limit)
    }
    if case .record? = jobs.last { return }
    add(.record)
  }

  /// Has position and heard time stored soon: the other parts of the checkpoint are as they were.
  func record(_ progress: Checkpoint.Progress) {
    self.progress = progress
    checkpoint?.progress = progress
    if case .recordProgress? = jobs.last { return }
    add(.recordProgress)
  }

  /// Runs a transaction, with facts that belong to it, after all that was asked for before; returns when it has committed.
  func commit<T: Sendable>(
    _ facts: [RoomFact] = [], _ body: @escaping @Sendable (Transaction) throws -> T
  ) async throws -> T {
    try await run { writer in
      // Facts that wait for the disk are older than those that are committed here.
      if writer.failure != nil, writer.checkpoint != nil {
        await writer.write()
        if let failure = writer.failure { throw failure }
      }
      return try await writer.database.write { [journal = writer.journal, room = writer.room] transaction in
        for fact in facts { try fact.append(to: journal, of: room, in: transaction) }
        return try body(transaction)
      }
    }
  }

  /// Returns when all that was asked for before survives a power cut: one sync of the log for all of it. Throws what
  /// the disk says; what was committed may then be lost with the power.
  func secured() async throws { try await run { try await $0.database.write(.power) { _ in } } }

  /// Returns when all that was asked for before is stored, or could not be.
  func settled() async {
    await withCheckedContinuation { reply in add(.run { _ in reply.resume() }) }
  }

  /// Runs a body after all that was asked for before.
  private func run<T: Sendable>(
    _ body: @escaping @Sendable (isolated CheckpointWriter) async throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { reply in
      add(
        .run { writer in
          do { reply.resume(returning: try await body(writer)) } catch { reply.resume(throwing: error) }
        })
    }
  }

  private func add(_ job: Job) {
    jobs.append(job)
    guard !isWorking else { return }
    isWorking = true
    Task { await work() }
  }

  private func work() async {
    while !jobs.isEmpty {
      switch jobs.removeFirst() {
      case .record: await write()
      case .recordProgress: await writeProgress()
      case .run(let body): await body(self)
      }
    }
    isWorking = false
  }

  private func writeProgress() async {
    guard let progress else { return }
    // Checkpoints that could not be stored before come first.
    if checkpoint != nil, failure != nil || !facts.isEmpty { return await write() }
    do {
      try await database.write { try QueueStore.store(progress, in: $0) }
      failure = nil
    } catch {
      fail(error)
    }
  }

  private func write() async {
    guard let checkpoint else { return }
    let (facts, known, journal, room, dropped) = (facts, known, journal, room, dropped)
    do {
      let refused = try await database.write { transaction in
        try QueueStore.store(checkpoint, known: known, in: transaction)
        return try facts.compactMap { fact -> LunaraError? in
          do { try fact.append(to: journal, of: room, in: transaction) } catch {
            // A fact that no journal will ever take must not keep others from being stored.
            let error = LunaraError(error)
            if error.code.hasPrefix("storage.") { throw error }
            return error
          }
          return nil
        }
      }
      // Some of them may have been dropped meanwhile.
      self.facts.removeFirst(max(0, facts.count - (self.dropped - dropped)))
      self.known = checkpoint
      failure = nil
      for error in refused { log.error(error) }
    } catch {
      fail(error)
    }
  }

  /// Logs the first failure; the room plays on, and all is tried again with the next change.
  private func fail(_ error: any Error) {
    if failure == nil { log.error(error) }
    failure = error
  }
}

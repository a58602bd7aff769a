import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Writes a room's checkpoints and facts, in order, while the room does not wait for the disk.
///
/// Facts are added to the journal in the transaction of their checkpoint. After an error the data is kept, and written
/// with the next change.
actor CheckpointWriter {
  private enum Job {
    /// Store the newest checkpoint, or only the progress if nothing else has changed.
    case store
    case run(@Sendable (isolated CheckpointWriter) async -> Void)
  }

  private let database: Database
  private let journal: Journal
  private let room: RoomName
  private let log: Log
  private var jobs: [Job] = []
  private var isWorking = false
  private var checkpoint: Checkpoint?
  /// True if the newest checkpoint is not stored yet.
  private var isCheckpointDue = false
  /// The facts that are not stored yet.
  private var facts: [RoomFact] = []
  /// The newest progress; nil before the first one.
  private var progress: Checkpoint.Progress?
  /// The checkpoint that was stored last.
  private var known: Checkpoint?
  /// The error of the last attempt to store; nil if it succeeded.
  private var failure: (any Error)?
  /// The number of facts that were dropped, as too many were waiting.
  private var dropped = 0

  /// The largest number of facts that wait while the disk has errors.
  private static let limit = 10_000

  init(_ database: Database, _ journal: Journal, room: RoomName, log: Log) {
    self.database = database
    self.journal = journal
    self.room = room
    self.log = log
  }

  /// Stores a checkpoint and facts soon.
  func record(_ checkpoint: Checkpoint, _ facts: [RoomFact]) {
    // Older progress that waits may be that of another track, so it must not be written any more.
    self.checkpoint = checkpoint
    isCheckpointDue = true
    progress = checkpoint.progress
    self.facts += facts
    if self.facts.count > Self.limit {
      dropped += self.facts.count - Self.limit
      self.facts.removeFirst(self.facts.count - Self.limit)
    }
    addStore()
  }

  /// Stores position and heard time soon; the rest of the checkpoint is unchanged.
  func record(_ progress: Checkpoint.Progress) {
    self.progress = progress
    checkpoint?.progress = progress
    addStore()
  }

  /// Runs a transaction that also writes `facts`, after all earlier writes; returns when it has committed. Throws the
  /// errors of the disk and of `body`.
  func commit<T: Sendable>(
    _ facts: [RoomFact] = [], _ body: @escaping @Sendable (Transaction) throws -> T
  ) async throws -> T {
    try await run { writer in
      // The facts that wait after an error are older than those of this transaction, so they are written first.
      if writer.failure != nil, writer.isCheckpointDue {
        await writer.store()
        if let failure = writer.failure { throw failure }
      }
      return try await writer.database.write { [journal = writer.journal, room = writer.room] transaction in
        for fact in facts { try fact.append(to: journal, of: room, in: transaction) }
        return try body(transaction)
      }
    }
  }

  /// Returns when all earlier writes survive a power cut; one sync of the log is enough for all of them. Throws the
  /// error of the disk; a power cut may then undo committed writes.
  func secured() async throws { try await run { try await $0.database.write(.power) { _ in } } }

  /// Returns when all earlier writes are stored, or have failed.
  func flush() async {
    await withCheckedContinuation { reply in add(.run { _ in reply.resume() }) }
  }

  /// Runs a body after all earlier jobs.
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

  private func addStore() { if case .store? = jobs.last {} else { add(.store) } }

  private func add(_ job: Job) {
    jobs.append(job)
    guard !isWorking else { return }
    isWorking = true
    Task { await work() }
  }

  private func work() async {
    while !jobs.isEmpty {
      switch jobs.removeFirst() {
      case .store: await store()
      case .run(let body): await body(self)
      }
    }
    isWorking = false
  }

  private func store() async {
    guard let progress else { return }
    let checkpoint = isCheckpointDue ? checkpoint : nil
    isCheckpointDue = false
    let (facts, known, journal, room, dropped) = (facts, known, journal, room, dropped)
    do {
      let refused = try await database.write { transaction -> [LunaraError] in
        guard let checkpoint else {
          try QueueStore.store(progress, in: transaction)
          return []
        }
        try QueueStore.store(checkpoint, known: known, in: transaction)
        return try facts.compactMap { fact -> LunaraError? in
          do { try fact.append(to: journal, of: room, in: transaction) } catch {
            // A fact that the journal refuses must not prevent the others from being stored.
            let error = LunaraError(error)
            if error.code.hasPrefix("storage.") { throw error }
            return error
          }
          return nil
        }
      }
      // Facts may have been dropped from the front meanwhile.
      if checkpoint != nil { self.facts.removeFirst(max(0, facts.count - (self.dropped - dropped))) }
      self.known = checkpoint ?? known
      failure = nil
      for error in refused { log.error(error) }
    } catch {
      // The room plays on, and the data is written with the next change.
      if checkpoint != nil { isCheckpointDue = true }
      if failure == nil { log.error(error) }
      failure = error
    }
  }
}

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
    /// Stores the newest checkpoint, or the progress where nothing else has changed.
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
    (self.database, self.journal, self.room, self.log) = (database, journal, room, log)
  }

  /// Has a checkpoint and facts stored soon.
  func record(_ checkpoint: Checkpoint, _ facts: [RoomFact]) {
    // Progress that waits is older, and may be of another track: it must not be written ahead of the checkpoint.
    (self.checkpoint, isCheckpointDue, progress) = (checkpoint, true, checkpoint.progress)
    self.facts += facts
    if self.facts.count > Self.limit {
      dropped += self.facts.count - Self.limit
      self.facts.removeFirst(self.facts.count - Self.limit)
    }
    addStore()
  }

  /// Has position and heard time stored soon: the other parts of the checkpoint are as they were.
  func record(_ progress: Checkpoint.Progress) {
    self.progress = progress
    checkpoint?.progress = progress
    addStore()
  }

  /// Runs a transaction, with facts that belong to it, after all that was asked for
  /// before; returns when it has committed.
  func commit<T: Sendable>(
    _ facts: [RoomFact] = [], _ body: @escaping @Sendable (Transaction) throws -> T
  ) async throws -> T {
    try await run { writer in
      // Facts that wait for the disk are older than those that are committed here.
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

  /// Returns once all earlier writes survive a power cut; one sync of the log is enough for all of them. Throws the
  /// error of the disk; a power cut may then undo writes that were committed.
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
            // A fact that no journal will ever take must not keep others from being stored.
            let error = LunaraError(error)
            if error.code.hasPrefix("storage.") { throw error }
            return error
          }
          return nil
        }
      }
      // Some of them may have been dropped meanwhile.
      if checkpoint != nil { self.facts.removeFirst(max(0, facts.count - (self.dropped - dropped))) }
      self.known = checkpoint ?? known
      failure = nil
      for error in refused { log.error(error) }
    } catch {
      // The room plays on, and all is tried again with the next change.
      if checkpoint != nil { isCheckpointDue = true }
      if failure == nil { log.error(error) }
      failure = error
    }
  }
}

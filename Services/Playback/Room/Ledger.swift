import Bus
import Messages
import Model
import ServiceKit
import Storage

/// Writes what a room wants kept, in order, without the room waiting for the disk.
///
/// Facts go into the journal in the transaction of the checkpoint that they belong to. What cannot be written is kept
/// and tried again with whatever comes next.
actor CheckpointWriter {
  private enum Job {
    case record
    case note
    case commit(@Sendable (Transaction) throws -> Void, CheckedContinuation<Void, any Error>)
    case secure(CheckedContinuation<Void, any Error>)
    case settle(CheckedContinuation<Void, Never>)
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
  /// How far things have come, until it is stored.
  private var progress: Checkpoint.Progress?
  /// What was stored last.
  private var known: Checkpoint?
  /// Why the last attempt to store anything failed; nil where it did not.
  private var failure: (any Error)?
  /// How many facts were dropped, as there were too many.
  private var dropped = 0

  private var isFailing: Bool { failure != nil }

  /// How many facts wait at most for a disk that does not take them.
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
    // What waits to be noted is older, and may be of another track: it is in here, and must not be written ahead of it.
    progress = checkpoint.progress
    jobs.removeAll { if case .note = $0 { true } else { false } }
    self.facts += facts
    if self.facts.count > Self.limit {
      dropped += self.facts.count - Self.limit
      self.facts.removeFirst(self.facts.count - Self.limit)
    }
    if case .record? = jobs.last { return }
    add(.record)
  }

  /// Has stored soon how far things have come: the other parts of the checkpoint are as they were.
  func note(_ progress: Checkpoint.Progress) {
    self.progress = progress
    checkpoint?.progress = progress
    if case .note? = jobs.last { return }
    add(.note)
  }

  /// Runs a transaction, with facts that belong to it, after all that was asked for before; returns when it has committed.
  func commit<T: Sendable>(
    _ facts: [RoomFact] = [], _ body: @escaping @Sendable (Transaction) throws -> T
  ) async throws -> T {
    let result = Box<T>()
    let (journal, room) = (journal, room)
    try await withCheckedThrowingContinuation { continuation in
      add(
        .commit(
          { transaction in
            for fact in facts { try fact.append(to: journal, of: room, in: transaction) }
            result.value = try body(transaction)
          }, continuation))
    }
    guard let value = result.value else { throw LunaraError("playback.notStored", "A change was not stored.") }
    return value
  }

  /// Returns when all that was asked for before survives a power cut: one sync of the log for all of it.
  ///
  /// - Throws: what the disk says; what was committed may then be lost with the power.
  func secured() async throws {
    try await withCheckedThrowingContinuation { add(.secure($0)) }
  }

  /// Returns when all that was asked for before is stored, or could not be.
  func settled() async {
    await withCheckedContinuation { add(.settle($0)) }
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
      case .note: await writeProgress()
      case .commit(let body, let continuation):
        do {
          // Facts that wait for the disk are older than those that are committed here.
          if isFailing, checkpoint != nil {
            await write()
            if let failure { throw failure }
          }
          try await database.write { try body($0) }
          continuation.resume()
        } catch {
          continuation.resume(throwing: error)
        }
      case .secure(let continuation):
        do {
          try await database.write(.power) { _ in }
          continuation.resume()
        } catch {
          continuation.resume(throwing: error)
        }
      case .settle(let continuation): continuation.resume()
      }
    }
    isWorking = false
  }

  private func writeProgress() async {
    guard let progress else { return }
    // What could not be stored before comes first.
    if checkpoint != nil, isFailing || !facts.isEmpty { return await write() }
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
        return try facts.compactMap { try $0.error(appendedTo: journal, of: room, in: transaction) }
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

  /// Said once; the room plays on, and all is tried again with the next change.
  private func fail(_ error: any Error) {
    if !isFailing { log.error(error) }
    failure = error
  }
}

/// Carries a value out of a closure that runs elsewhere.
///
/// Why `@unchecked Sendable`: 1. it is written once, by the closure; 2. it is read only after the closure's
/// continuation was resumed, which orders the two.
private final class Box<T>: @unchecked Sendable {
  var value: T?
}

extension RoomFact {
  /// Puts the fact into the journal, or gives the reason why no journal will ever take it: that must not keep others from being
  /// stored.
  ///
  /// - Throws: what the disk says.
  fileprivate func error(
    appendedTo journal: Journal, of room: RoomName, in transaction: Transaction
  ) throws -> LunaraError? {
    do {
      try append(to: journal, of: room, in: transaction)
      return nil
    } catch {
      let error = LunaraError(error)
      if error.code.hasPrefix("storage.") { throw error }
      return error
    }
  }

  /// Puts the fact into the journal.
  func append(to journal: Journal, of room: RoomName, in transaction: Transaction) throws {
    switch self {
    case .listen(.started(let subject)):
      try journal.append(Playback.ListenStarted(subject: subject), in: transaction)
    case .listen(.heard(let subject, let heard)):
      try journal.append(Playback.ListenHeard(subject: subject, heard: heard), in: transaction)
    case .listen(.ended(let subject, let heard, let reason)):
      try journal.append(Playback.ListenEnded(subject: subject, heard: heard, reason: reason), in: transaction)
      try QueueStore.note(subject, heard, reason, in: transaction)
    case .failed(let item, let error):
      try journal.append(Playback.TrackFailed(room: room, item: item, error: error), in: transaction)
    }
  }
}

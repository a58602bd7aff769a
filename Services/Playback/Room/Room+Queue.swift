import Bus
import Messages
import Model
import ServiceKit
import Storage

/// The queue of a room: changing, publishing and reading it.
extension Room {
  private static let windowSize = 50
  private static let pageSize = 100

  /// Reads an item, and requests its locator if `locating`.
  func find(_ id: CueID, _ row: Int64, _ locating: Bool, _ failed: [String]) {
    let queue = machine.output.settings.levelling == .smart ? machine.queue : nil
    Task { [inbox, database, locator, log] in
      let result: Result<Library.Locator, LunaraError>
      do {
        let found = try await database.read { reader in
          (
            item: try QueueStore.items([row], in: reader).first,
            neighbours: try queue.map { try QueueStore.neighbours(of: row, in: $0, reader) } ?? NeighbouringTracks()
          )
        }
        inbox.yield { $0.machine.found(id, found.item, beside: found.neighbours, at: $1) }
        guard let item = found.item, locating else { return }
        result = await locator.result(of: item, failed: failed)
      } catch {
        log.error(error)
        result = .failure(LunaraError(error))
      }
      inbox.yield { $0.machine.located(id, result, at: $1) }
    }
  }

  /// Reads the last row of the album that a row begins or continues.
  func findAlbumEnd(_ place: AlbumEnd.Place) {
    let queue = machine.queue
    Task { [inbox, database, log] in
      do {
        let last = try await database.read { try QueueStore.lastRow(ofAlbumIn: place.row, in: queue, $0) }
        inbox.yield { $0.machine.foundAlbumEnd(last, from: place, at: $1) }
      } catch {
        log.error(error)
      }
    }
  }

  func load(_ part: Playback.Load, _ reply: Reply<Playback.QueueSummary>) async throws {
    let position = machine.position(at: .now())
    try await change(reply) { try QueueStore.apply(part, to: $0, at: position, on: .now(), in: $1) }
  }

  func append(_ part: Playback.Append, _ reply: Reply<Playback.QueueSummary>) async throws {
    let row = machine.continuationRow
    try await change(reply) { try QueueStore.apply(part, to: $0, startingAt: row, on: .now(), in: $1) }
  }

  func edit(_ edit: Playback.EditQueue.Edit, _ reply: Reply<Playback.QueueSummary>) async throws {
    if case .renew(let tracks) = edit { return try await renew(tracks, reply) }
    let (position, next) = (machine.position(at: .now()), machine.startIndexWhenIdle)
    try await change(reply) { queue, transaction in
      if edit == .restore {
        let restored = try QueueStore.restoreFormer(replacing: queue, at: position, in: transaction)
        return .restored(restored.queue, at: restored.position)
      }
      let changed = try QueueStore.edit(edit, of: queue, at: position, startingAt: next, in: transaction)
      return changed.map { .changed($0, starts: false) } ?? .unchanged(queue.summary)
    }
  }

  /// Changes the queue on disk, then the sound, and answers with the new queue.
  private func change(
    _ reply: Reply<Playback.QueueSummary>,
    _ body: @escaping @Sendable (Queue, Transaction) throws -> QueueStore.Outcome
  ) async throws {
    try machine.refuseWhileMoving(at: .now())
    let queue = machine.queue
    let isSmart = machine.output.settings.levelling == .smart
    let (outcome, fresh, neighbours) = try await writer.commit { [locator] transaction in
      let outcome = try body(queue, transaction)
      guard case .changed(let queue, starts: true) = outcome, let row = queue.currentSlot?.row else {
        return (outcome, nil as (item: QueueItem, path: LocalPath)?, NeighbouringTracks())
      }
      let item = try QueueStore.items([row], in: transaction).first
      let neighbours = isSmart ? try QueueStore.neighbours(of: row, in: queue, transaction) : NeighbouringTracks()
      // A kept copy is preferred to the item's own path, whose folder may be away.
      let fresh = locator.offline?.isInUse == true ? nil : item.flatMap { locator.ownPath(of: $0) }
      return (outcome, fresh.flatMap { path in item.map { ($0, path) } }, neighbours)
    }
    let now = Now.now()
    switch outcome {
    case .unchanged(let summary):
      await perform(at: now)
      reply.resume(returning: summary)
    case .changed(let queue, let starts):
      machine.apply(queue, starts: starts, fresh: fresh, beside: neighbours, at: now)
      await performAndAnswer(reply, queue.summary, now)
    case .restored(let queue, let position):
      machine.restore(queue, at: position, now)
      await performAndAnswer(reply, queue.summary, now)
    }
  }

  /// Carries out the effects. The sound does not wait for the disk, but the answer does: it is sent when the change
  /// survives a power cut.
  private func performAndAnswer(
    _ reply: Reply<Playback.QueueSummary>, _ summary: Playback.QueueSummary, _ now: Now
  ) async {
    await perform(at: now)
    Task { [writer] in
      do {
        try await writer.secured()
        reply.resume(returning: summary)
      } catch {
        reply.resume(throwing: error)
      }
    }
  }

  /// Publishes the part of the queue around its current item, if that has changed.
  func publishQueue() async {
    let queue = machine.queue
    var range = queue.window(Self.windowSize)
    var state = Playback.QueueState(
      revision: queue.revision, count: queue.slots.count, current: queue.current,
      nextIndex: machine.startIndexWhenIdle, first: range.lowerBound, items: [], continuation: queue.continuation,
      wantsMore: machine.wantsMore, moving: machine.moving)
    guard state != published else { return }
    published = state
    do {
      let rows = queue.slots[range].map(\.row)
      let found = try await database.read { reader in
        try QueueStore.queue(newerThan: queue, in: reader) == nil ? QueueStore.items(rows, in: reader) : nil
      }
      // A newer edit is already on disk; it is published when the room has applied it.
      guard var items = found else { return published = nil }
      if let current = queue.current, items.count <= current - range.lowerBound {
        // The items before the current one fill the message, so only the current one and those after it are published.
        range = current..<range.upperBound
        let rows = queue.slots[range].map(\.row)
        items = try await database.read { try QueueStore.items(rows, in: $0) }
      }
      state.first = range.lowerBound
      state.items = items
      await node.publish(state)
    } catch {
      published = nil
      log.error(error)
    }
  }

  func read(_ request: Playback.ReadQueue) async throws -> Playback.QueueState {
    let known = machine.queue
    let (wantsMore, moving, nextIndex) = (machine.wantsMore, machine.moving, machine.startIndexWhenIdle)
    let (queue, first, items) = try await database.read { reader in
      let queue = try QueueStore.queue(newerThan: known, in: reader) ?? known
      let first = max(0, min(request.first, queue.slots.count))
      let count = max(0, min(request.limit, Self.pageSize, queue.slots.count - first))
      return (queue, first, try QueueStore.items(queue.slots[first..<first + count].map(\.row), in: reader))
    }
    let homes = queue.order == .queued ? nil : queue.slots[first..<first + items.count].map(\.originalPlace)
    var audio: [Playback.AudioPlace]?
    if request.wantsAudio == true {
      audio = []
      for item in items { audio?.append(await locator.place(of: item)) }
    }
    return Playback.QueueState(
      revision: queue.revision, count: queue.slots.count, current: queue.current, nextIndex: nextIndex, first: first,
      items: items, continuation: queue.continuation, wantsMore: wantsMore, moving: moving, homes: homes, audio: audio)
  }

  /// Returns the played items, the newest first.
  func read(_ request: Playback.ReadPlayed) async throws -> Playback.PlayedItems {
    await writer.flush()
    return Playback.PlayedItems(items: try await database.read { try QueueStore.played(request.limit, in: $0) })
  }
}

extension QueueStore {
  /// Returns the tracks before and after a row in the queue, on which its level may depend.
  static func neighbours(of row: Int64, in queue: Queue, _ reader: ReadTransaction) throws -> NeighbouringTracks {
    guard let index = queue.slots.firstIndex(where: { $0.row == row }) else { return NeighbouringTracks() }
    func track(at index: Int) throws -> Track? {
      guard queue.slots.indices.contains(index) else { return nil }
      return try items([queue.slots[index].row], in: reader).first?.track
    }
    return NeighbouringTracks(before: try track(at: index - 1), after: try track(at: index + 1))
  }
}

extension Room {
  /// Prefetches the next items if they have changed, except those that the player streams. Waits until sound flows, as
  /// the current track needs the network more.
  func prefetch() {
    guard let cache = locator.cache, machine.isFlowing || machine.queue.current == nil else { return }
    let streamed = machine.streamedRows
    let rows = (0..<cache.count).compactMap { machine.queue.slot(ahead: $0 + 1)?.row }.filter { !streamed.contains($0) }
    guard rows != prefetched else { return }
    prefetched = rows
    Task { [database, log] in
      do {
        await cache.setWanted(try await database.read { try QueueStore.items(rows, in: $0) })
      } catch {
        log.error(error)
      }
    }
  }

  nonisolated func register(in metrics: MetricRegistry) {
    metrics.family("playback_state", "What the room does: 1 for the state it is in.", .gauge) { [self] in
      let name = await machine.state.state.name
      return ["idle", "buffering", "playing", "paused", "error"].map { .init($0 == name ? 1 : 0, ["state": $0]) }
    }
    metrics.gauge("playback_queue_length", "Items in the queue.") { [self] in Double(await machine.queue.slots.count) }
  }
}

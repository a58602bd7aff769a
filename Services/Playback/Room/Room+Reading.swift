import Messages
import Model
import ServiceKit
import Storage

/// What a room reads of its database, for itself and for those who look.
extension Room {
  /// What was published of the queue.
  struct Window: Equatable {
    var revision: Int64
    var current: Int?
    var rows: [Int64]
    var continuation: Playback.Continuation?
    var wantsMore: Bool
    var moving: Playback.Moving?
  }

  /// Reads an item, and asks where its audio is.
  func find(_ id: CueID, _ row: Int64, _ locating: Bool) {
    let queue = machine.output.levelling == .smart ? machine.queue : nil
    Task { [inbox, database, outlet, log] in
      do {
        let found = try await database.read { reader in
          (
            item: try QueueStore.items([row], in: reader).first,
            neighbours: try queue.map { try QueueStore.neighbours(of: row, in: $0, reader) } ?? NeighbouringTracks()
          )
        }
        inbox.yield(.found(id, found.item, found.neighbours))
        guard let item = found.item, locating else { return }
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

  /// Publishes the queue around its current item, where it is not what was published last.
  func publishQueue() async {
    let queue = machine.queue
    var range = queue.window(RoomReading.windowSize)
    let window = Window(
      revision: queue.revision, current: queue.current, rows: queue.slots[range].map(\.row),
      continuation: queue.continuation, wantsMore: machine.wantsMore, moving: machine.moving)
    guard window != published else { return }
    published = window
    do {
      let found = try await database.read { reader in
        try QueueStore.queue(newerThan: queue, in: reader) == nil ? QueueStore.items(window.rows, in: reader) : nil
      }
      // An edit is on disk already, and is published when the room has taken it up.
      guard var items = found else { return published = nil }
      if let current = queue.current, items.count <= current - range.lowerBound {
        // Items too large for one message: then rather the current one and those after it.
        range = current..<range.upperBound
        let rows = queue.slots[range].map(\.row)
        items = try await database.read { try QueueStore.items(rows, in: $0) }
      }
      await outlet.publishQueue(
        Playback.QueueState(
          revision: queue.revision, count: queue.slots.count, current: queue.current, first: range.lowerBound,
          items: items, continuation: window.continuation, wantsMore: window.wantsMore, moving: window.moving))
    } catch {
      published = nil
      log.error(error)
    }
  }

  /// Reads a part of the queue.
  func read(_ request: Playback.ReadQueue) async throws -> Playback.QueueState {
    let known = machine.queue
    let (wantsMore, moving) = (machine.wantsMore, machine.moving)
    let (queue, first, items) = try await database.read { reader in
      let queue = try QueueStore.queue(newerThan: known, in: reader) ?? known
      let first = max(0, min(request.first, queue.slots.count))
      let count = max(0, min(request.limit, RoomReading.pageSize, queue.slots.count - first))
      return (queue, first, try QueueStore.items(queue.slots[first..<first + count].map(\.row), in: reader))
    }
    let homes = queue.order == .queued ? nil : queue.slots[first..<first + items.count].map(\.home)
    return Playback.QueueState(
      revision: queue.revision, count: queue.slots.count, current: queue.current, first: first, items: items,
      continuation: queue.continuation, wantsMore: wantsMore, moving: moving, homes: homes)
  }

  /// Reads what was played, newest first.
  func read(_ request: Playback.ReadPlayed) async throws -> Playback.PlayedItems {
    await ledger.settled()
    return Playback.PlayedItems(items: try await database.read { try QueueStore.played(request.limit, in: $0) })
  }
}

/// How much of the queue is told at once.
enum RoomReading {
  /// How many items the published state has.
  static let windowSize = 50
  /// How many items one answer has.
  static let pageSize = 100
}

extension QueueStore {
  /// The tracks that stand beside a row in the queue, which its level may depend on.
  static func neighbours(of row: Int64, in queue: Queue, _ reader: ReadTransaction) throws -> NeighbouringTracks {
    guard let index = queue.slots.firstIndex(where: { $0.row == row }) else { return NeighbouringTracks() }
    func track(at index: Int) throws -> Track? {
      guard queue.slots.indices.contains(index) else { return nil }
      return try items([queue.slots[index].row], in: reader).first?.track
    }
    return NeighbouringTracks(before: try track(at: index - 1), after: try track(at: index + 1))
  }
}

import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

/// Random operations on a queue, compared with two lists of numbers and with the rows that its changes would leave in a
/// database.
struct QueueModelTests {
  /// A simple queue to compare with: the rows in playing order and in the order in which they were queued.
  private struct Model {
    var playing: [Int64] = []
    var queued: [Int64] = []
    var current: Int64?
    var isMixed = false

    var index: Int? { current.flatMap { playing.firstIndex(of: $0) } }

    mutating func insert(_ rows: [Int64], at index: Int, behind row: Int64?) {
      playing.insert(contentsOf: rows, at: index)
      let home = row.flatMap { queued.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      queued.insert(contentsOf: rows, at: isMixed ? home : index)
    }

    mutating func remove(_ rows: Set<Int64>, wraps: Bool) {
      if let index, rows.contains(playing[index]) {
        current = playing[index...].first { !rows.contains($0) } ?? (wraps ? playing.first { !rows.contains($0) } : nil)
      }
      playing.removeAll { rows.contains($0) }
      queued.removeAll { rows.contains($0) }
    }

    mutating func move(from: Int, to: Int) {
      playing.insert(playing.remove(at: from), at: to)
      if !isMixed { queued = playing }
    }
  }

  /// The rows that the database would have.
  private struct Rows {
    var slots: [Int64: Queue.Slot] = [:]

    mutating func apply(_ changes: [Queue.Change], of queue: Queue) {
      for change in changes {
        switch change {
        case .replaced(let block):
          slots = [:]
          insert(block)
        case .inserted(let block): insert(block)
        case .removed(let rows):
          for row in rows {
            let old = slots.removeValue(forKey: row)
            #expect(old != nil)
          }
        case .moved(let slot): put(slot, isNew: false)
        case .cleared: slots = [:]
        case .renumbered(let range): for slot in queue.slots[range] { put(slot, isNew: false) }
        case .unshuffled:
          slots = slots.mapValues { Queue.Slot(row: $0.row, place: $0.originalPlace) }
        }
      }
    }

    private mutating func insert(_ block: Queue.Block) {
      for slot in block.slots { put(slot, isNew: true) }
    }

    private mutating func put(_ slot: Queue.Slot, isNew: Bool) {
      let old = slots.updateValue(slot, forKey: slot.row)
      #expect((old == nil) == isNew)
    }
  }

  private struct World {
    var random: Seeded
    var queue = Queue()
    var model = Model()

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// The album of each row: three in four share an album with their neighbours.
    func albums() -> [Int64: Int] {
      Dictionary(uniqueKeysWithValues: model.queued.filter { $0 % 4 != 0 }.map { ($0, Int($0 / 12)) })
    }

    mutating func load() throws -> [Queue.Change] {
      let count = number(1...20)
      let index = number(-1...max(1, model.playing.count))
      let mode = [Playback.LoadMode.now, .next, .later, .next, .later][number(0...4)]
      let new = (0..<Int64(count)).map { queue.nextRow + $0 }
      let loaded = try queue.load(count, mode, startAt: index)
      #expect(loaded.starts == (mode == .now || mode == .next && model.current == nil))
      switch mode {
      case .now:
        model = Model(playing: new, queued: new, current: new[max(0, min(index, count - 1))])
        #expect(queue.order == .queued && queue.repeats == .off && queue.continuation == nil)
      case .next:
        let at = model.index.map { $0 + 1 } ?? model.playing.count
        model.insert(new, at: at, behind: model.current ?? model.queued.last)
        model.current = model.current ?? new[0]
      case .later: model.insert(new, at: model.playing.count, behind: model.queued.last)
      }
      return loaded.changes
    }

    mutating func mix() -> [Queue.Change] {
      let order = [Playback.Order.queued, .tracks, .albums, .tracks][number(0...3)]
      let seed = UInt64(number(0...5))
      let isSame = order == queue.order && (order == .queued || seed == queue.seed)
      let changes = queue.order(order, seed: seed, albums: albums())
      #expect(changes.isEmpty == (isSame || model.queued.isEmpty))
      guard !changes.isEmpty else { return [] }
      model.isMixed = order != .queued
      let mixed = queue.slots.map(\.row)
      if order == .queued {
        model.playing = model.queued
      } else {
        #expect(Set(mixed) == Set(model.queued) && mixed.count == model.queued.count)
        if let current = model.current { #expect(mixed.first == current && queue.current == 0) }
        if order == .albums { checkAlbums(mixed) }
        // The same seed gives the same order, whatever the order before.
        var again = queue
        _ = again.order(.queued, seed: 0)
        _ = again.order(order, seed: seed, albums: albums())
        #expect(again.slots.map(\.row) == mixed)
        model.playing = mixed
      }
      return changes
    }

    /// Checks that each album stands together in its own order, except for the items before the current one.
    private func checkAlbums(_ mixed: [Int64]) {
      let albums = albums()
      var runs: [[Int64]] = []
      for row in mixed {
        if let last = runs.last?.last, albums[last] != nil, albums[last] == albums[row],
          let place = model.queued.firstIndex(of: row), let before = model.queued.firstIndex(of: last), before < place
        {
          runs[runs.count - 1].append(row)
        } else {
          runs.append([row])
        }
      }
      let split = runs.compactMap { albums[$0[0]] }
      let repeated = split.count - Set(split).count
      #expect(repeated <= (model.current == nil ? 0 : 1))
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func randomOperationsAgreeWithASimpleModel(seed: UInt64) async throws {
    var world = World(random: Seeded(seed))
    var stored = Rows()
    for _ in 0..<400 {
      // Lets other tests run, which share two threads with this one.
      await Task.yield()
      let before = world.queue
      let count = world.model.playing.count
      let index = world.number(-1...max(1, count))
      let isIndex = world.model.playing.indices.contains(index)
      var changes: [Queue.Change] = []
      switch world.number(0...14) {
      case 0...2: changes = try world.load()
      case 3:
        guard isIndex else {
          #expect(throws: LunaraError.self) { try world.queue.remove(at: index) }
          continue
        }
        changes = try world.queue.remove(at: index)
        world.model.remove([world.model.playing[index]], wraps: world.queue.repeats == .all)
      case 4:
        let rows = Set(world.model.playing.filter { _ in world.number(0...9) == 0 } + [-5])
        changes = world.queue.remove(rows)
        world.model.remove(rows, wraps: world.queue.repeats == .all)
      case 5...7:
        let to = world.number(-1...max(1, count))
        guard isIndex, world.model.playing.indices.contains(to) else {
          #expect(throws: LunaraError.self) { try world.queue.move(from: index, to: to) }
          continue
        }
        changes = try world.queue.move(from: index, to: to)
        world.model.move(from: index, to: to)
      case 8:
        let expected = world.queue.slot(ahead: 1)?.row
        world.queue.advance()
        #expect(world.queue.currentSlot?.row == expected)
        world.model.current = expected
      case 9:
        let at = world.model.index ?? 0
        let went = world.queue.goBack()
        #expect(went == (at > 0))
        if at > 0 { world.model.current = world.model.playing[at - 1] }
      case 10, 11: changes = world.mix()
      case 12:
        world.queue.repeats = [.off, .one, .all][world.number(0...2)]
        let at = world.model.index
        #expect(world.queue.slot(ahead: 0)?.row == world.model.current)
        let next: Int64? = at.flatMap {
          switch world.queue.repeats {
          case .one: world.model.current
          case .all: world.model.playing[($0 + 1) % count]
          default: $0 + 1 < count ? world.model.playing[$0 + 1] : nil
          }
        }
        #expect(world.queue.slot(ahead: 1)?.row == next)
      default:
        if world.number(0...7) == 0 {
          changes = world.queue.clear()
          world.model = Model()
        } else if isIndex {
          try world.queue.jump(to: index)
          world.model.current = world.model.playing[index]
        } else {
          world.queue.stop()
          world.model.current = nil
        }
      }
      stored.apply(changes, of: world.queue)
      check(world, stored, since: before)
    }
  }

  private func check(_ world: World, _ stored: Rows, since before: Queue) {
    let (queue, model) = (world.queue, world.model)
    #expect(queue.slots.map(\.row) == model.playing)
    #expect(queue.currentSlot?.row == model.current)
    #expect(stored.slots.count == queue.slots.count)
    #expect(queue.slots.allSatisfy { stored.slots[$0.row] == $0 })
    #expect(zip(queue.slots, queue.slots.dropFirst()).allSatisfy { $0.place < $1.place })
    #expect((queue.slots.first?.place ?? 1) > 0)
    if queue.order == .queued {
      #expect(queue.slots.allSatisfy { $0.originalPlace == 0 })
    } else {
      let unshuffled = queue.slots.sorted { $0.originalPlace < $1.originalPlace }
      #expect(unshuffled.map(\.row) == model.queued)
      #expect(
        Set(unshuffled.map(\.originalPlace)).count == unshuffled.count && (unshuffled.first?.originalPlace ?? 1) > 0)
    }
    #expect(queue.lastQueued?.row == model.queued.last)
    let isSame = queue.slots.map(\.row) == before.slots.map(\.row) && queue.order == before.order
    if !isSame { #expect(queue.revision > before.revision) }
    #expect(queue.revision - before.revision <= 1)
    #expect(queue.nextRow > (model.playing.max() ?? 0))
  }
}

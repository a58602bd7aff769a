import Messages
import Model
import TestSupport
import Testing

@testable import lunara_playback

/// Random operations on a queue, against a list of numbers and against the rows that its changes would leave in a
/// database.
struct QueueModelTests {
  /// What the database would hold.
  private struct Rows {
    var places: [Int64: Int64] = [:]

    mutating func apply(_ changes: [Queue.Change], of queue: Queue) {
      for change in changes {
        switch change {
        case .replaced(let block):
          places = [:]
          insert(block)
        case .inserted(let block): insert(block)
        case .removed(let row):
          let old = places.removeValue(forKey: row)
          #expect(old != nil)
        case .moved(let slot): put(slot, isNew: false)
        case .cleared: places = [:]
        case .renumbered: for slot in queue.slots { put(slot, isNew: false) }
        }
      }
    }

    private mutating func insert(_ block: Queue.Block) {
      for slot in block.slots { put(slot, isNew: true) }
    }

    private mutating func put(_ slot: Queue.Slot, isNew: Bool) {
      let old = places.updateValue(slot.place, forKey: slot.row)
      #expect((old == nil) == isNew)
    }

    var order: [Int64] { places.sorted { $0.value < $1.value }.map(\.key) }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func randomOperationsAgreeWithASimpleModel(seed: UInt64) throws {
    var random = Seeded(seed)
    var queue = Queue()
    var model: [Int64] = []
    var current: Int64?
    var stored = Rows()
    for _ in 0..<400 {
      let before = queue
      let index = Int.random(in: -1...max(1, model.count), using: &random)
      let isIndex = model.indices.contains(index)
      var changes: [Queue.Change] = []
      switch Int.random(in: 0..<11, using: &random) {
      case 0...2:
        let count = Int.random(in: 1...20, using: &random)
        let mode = [Playback.LoadMode.now, .next, .later, .next][Int.random(in: 0..<4, using: &random)]
        let new = (0..<Int64(count)).map { queue.nextRow + $0 }
        let loaded = try queue.load(count, mode, startAt: index)
        changes = loaded.changes
        #expect(loaded.starts == (mode == .now || mode == .next && current == nil))
        switch mode {
        case .now: (model, current) = (new, new[max(0, min(index, count - 1))])
        case .next:
          let at = current.flatMap { model.firstIndex(of: $0) }.map { $0 + 1 } ?? model.count
          model.insert(contentsOf: new, at: at)
          current = current ?? new[0]
        case .later: model += new
        }
      case 3, 4:
        guard isIndex else {
          #expect(throws: LunaraError.self) { try queue.remove(at: index) }
          continue
        }
        changes = try queue.remove(at: index)
        let row = model.remove(at: index)
        if row == current { current = index < model.count ? model[index] : nil }
      case 5...7:
        let to = Int.random(in: -1...max(1, model.count), using: &random)
        guard isIndex, model.indices.contains(to) else {
          #expect(throws: LunaraError.self) { try queue.move(from: index, to: to) }
          continue
        }
        changes = try queue.move(from: index, to: to)
        model.insert(model.remove(at: index), at: to)
      case 8:
        queue.advance()
        current = current.flatMap { model.firstIndex(of: $0) }.flatMap { $0 + 1 < model.count ? model[$0 + 1] : nil }
      case 9:
        let went = queue.goBack()
        let at = current.flatMap { model.firstIndex(of: $0) } ?? 0
        #expect(went == (at > 0))
        if at > 0 { current = model[at - 1] }
      default:
        if Int.random(in: 0..<8, using: &random) == 0 {
          changes = queue.clear()
          (model, current) = ([], nil)
        } else if isIndex {
          try queue.jump(to: index)
          current = model[index]
        } else {
          queue.stop()
          current = nil
        }
      }
      stored.apply(changes, of: queue)
      #expect(queue.slots.map(\.row) == model)
      #expect(stored.order == model)
      #expect(queue.currentSlot?.row == current)
      #expect(zip(queue.slots, queue.slots.dropFirst()).allSatisfy { $0.place < $1.place })
      #expect((queue.revision > before.revision) == (queue.slots.map(\.row) != before.slots.map(\.row)))
      #expect(queue.revision - before.revision <= 1)
      #expect(queue.nextRow > (model.max() ?? 0))
    }
  }
}

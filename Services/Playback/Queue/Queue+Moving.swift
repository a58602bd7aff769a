import Messages
import Model

extension Queue {
  /// Takes the place of what was queued, as a move brings it: with its order, what follows its end and what it goes on
  /// with.
  ///
  /// - Parameter homes: what orders the items when their mixing is undone; empty where they are not mixed.
  /// - Throws: what `load` throws.
  mutating func take(_ moved: Playback.Moved, homes: [Int64]) throws(LunaraError) -> [Change] {
    var changes = try load(moved.count, .now, startAt: moved.current).changes
    repeats = moved.modes.repeats == .unknown ? .off : moved.modes.repeats
    continuation = moved.continuation
    guard moved.modes.order != .queued, moved.modes.order != .unknown, homes.count == slots.count else {
      return changes
    }
    order = moved.modes.order
    for (rank, index) in slots.indices.sorted(by: { homes[$0] < homes[$1] }).enumerated() {
      slots[index].home = Int64(rank + 1) * Self.step
    }
    changes.append(.renumbered(slots.indices))
    return changes
  }
}

import Messages
import Model
import System

/// The order of the queue: as it was queued, or shuffled with a seed, which can be undone.
extension Queue {
  /// Shuffles the queue, or restores the order in which it was queued. The current item stays current, and becomes the
  /// first of a shuffled queue. The same seed gives the same order, whatever the present order is. `albums` contains a
  /// number for the album of each row, which only `.albums` needs.
  mutating func order(_ wanted: Playback.Order, seed: UInt64, albums: [Int64: Int] = [:]) -> [Change] {
    guard !slots.isEmpty, wanted != order || wanted != .queued && seed != self.seed else { return [] }
    let row = currentSlot?.row
    let wasShuffled = order != .queued
    if wasShuffled {
      slots.sort { $0.originalPlace < $1.originalPlace }
      for index in slots.indices {
        slots[index].place = slots[index].originalPlace
        slots[index].originalPlace = 0
      }
    }
    order = wanted
    self.seed = wanted == .queued ? 0 : seed
    revision += 1
    guard wanted != .queued else {
      current = row.flatMap { row in slots.firstIndex { $0.row == row } }
      return [.unshuffled]
    }
    for index in slots.indices { slots[index].originalPlace = slots[index].place }
    var random = SplitMix64(state: seed)
    if wanted == .albums { shuffleAlbums(albums, first: row, &random) } else { shuffleTracks(first: row, &random) }
    for index in slots.indices { slots[index].place = Int64(index + 1) * Self.step }
    current = row == nil ? nil : 0
    return [.renumbered(slots.indices)]
  }

  private mutating func shuffleTracks(first row: Int64?, _ random: inout SplitMix64) {
    slots.shuffle(using: &random)
    guard let index = slots.firstIndex(where: { $0.row == row }) else { return }
    slots.swapAt(0, index)
  }

  /// Shuffles albums, each of which keeps its own order. Of the current album, the items from the current one on come
  /// first, and those before it come last, as they were heard or skipped.
  private mutating func shuffleAlbums(_ albums: [Int64: Int], first row: Int64?, _ random: inout SplitMix64) {
    var groups: [[Slot]] = []
    var numbers: [Int: Int] = [:]
    for slot in slots {
      guard let album = albums[slot.row] else {
        groups.append([slot])
        continue
      }
      if let number = numbers[album] {
        groups[number].append(slot)
      } else {
        numbers[album] = groups.count
        groups.append([slot])
      }
    }
    groups.shuffle(using: &random)
    var before: ArraySlice<Slot> = []
    if let index = groups.firstIndex(where: { $0.contains { $0.row == row } }) {
      groups.swapAt(0, index)
      let start = groups[0].firstIndex { $0.row == row } ?? 0
      before = groups[0][..<start]
      groups[0].removeFirst(start)
    }
    slots = groups.flatMap { $0 } + before
  }
}

/// The numbers by which rows are ordered. They have gaps, so that an insertion or a move changes few rows.
extension Queue {
  /// Returns places for `count` rows before the one at `index`; nil if the gap is too small.
  func spacedPlaces(_ count: Int, at index: Int) -> (first: Int64, step: Int64)? {
    Self.spacedPlaces(
      count, after: index > 0 ? slots[index - 1].place : 0, before: index < slots.count ? slots[index].place : nil)
  }

  /// Returns places in the order before shuffling, after the row with the place `originalPlace`; nil if the gap is too
  /// small.
  func spacedOriginalPlaces(_ count: Int, behind originalPlace: Int64) -> (first: Int64, step: Int64)? {
    Self.spacedPlaces(
      count, after: originalPlace, before: slots.lazy.map(\.originalPlace).filter { $0 > originalPlace }.min())
  }

  private static func spacedPlaces(_ count: Int, after: Int64, before: Int64?) -> (first: Int64, step: Int64)? {
    guard let before else {
      return after < Int64.max - Int64(count + 1) * Self.step ? (after + Self.step, Self.step) : nil
    }
    let step = (before - after) / Int64(count + 1)
    return step > 0 ? (after + step, step) : nil
  }

  /// Gives new places to the rows around `range`, to as few as necessary for gaps between all of them. Returns the
  /// indices of these rows.
  mutating func makeRoom(for range: Range<Int>) -> Range<Int> {
    var margin = max(32, range.count)
    while true {
      let around = max(0, range.lowerBound - margin)..<min(slots.count, range.upperBound + margin)
      let isAll = around.count == slots.count
      let after = around.lowerBound > 0 ? slots[around.lowerBound - 1].place : 0
      let before = around.upperBound < slots.count ? slots[around.upperBound].place : nil
      let places =
        isAll ? (first: Self.step, step: Self.step) : Self.spacedPlaces(around.count, after: after, before: before)
      if let places, places.step >= 1 << 20 {
        for (offset, index) in around.enumerated() { slots[index].place = places.first + Int64(offset) * places.step }
        return around
      }
      margin *= 8
    }
  }

  /// Gives every row a new original place: the rows at `new` follow the row `row`, in order; all others keep their
  /// order.
  mutating func renumberOriginalPlaces(_ new: Range<Int>, behind row: Int64?) {
    let rows = Set(slots[new].map(\.row))
    var sorted = slots.indices.filter { !rows.contains(slots[$0].row) }.sorted {
      slots[$0].originalPlace < slots[$1].originalPlace
    }
    let at = row.flatMap { row in sorted.firstIndex { slots[$0].row == row } }.map { $0 + 1 } ?? 0
    sorted.insert(contentsOf: new, at: at)
    for (offset, index) in sorted.enumerated() { slots[index].originalPlace = Int64(offset + 1) * Self.step }
  }
}

/// The numbers that rows are ordered by: spaced out, so that an insertion or a move changes few rows.
extension Queue {
  /// Places for `count` rows before the one at `index`; nil where there is no room.
  func spread(_ count: Int, at index: Int) -> (first: Int64, step: Int64)? {
    Self.spread(
      count, after: index > 0 ? slots[index - 1].place : 0, before: index < slots.count ? slots[index].place : nil)
  }

  /// The same in the order of before the queue was mixed, behind the row that has its home at `home`.
  func spreadHomes(_ count: Int, behind home: Int64) -> (first: Int64, step: Int64)? {
    Self.spread(count, after: home, before: slots.lazy.map(\.home).filter { $0 > home }.min())
  }

  private static func spread(_ count: Int, after: Int64, before: Int64?) -> (first: Int64, step: Int64)? {
    guard let before else {
      return after < Int64.max - Int64(count + 1) * Self.step ? (after + Self.step, Self.step) : nil
    }
    let step = (before - after) / Int64(count + 1)
    return step > 0 ? (after + step, step) : nil
  }

  /// Gives new places to as few rows around some as leaves room between all of them; the indices of those rows.
  mutating func makeRoom(for range: Range<Int>) -> Range<Int> {
    var margin = max(32, range.count)
    while true {
      let around = max(0, range.lowerBound - margin)..<min(slots.count, range.upperBound + margin)
      let isAll = around.count == slots.count
      let after = around.lowerBound > 0 ? slots[around.lowerBound - 1].place : 0
      let before = around.upperBound < slots.count ? slots[around.upperBound].place : nil
      let places = isAll ? (first: Self.step, step: Self.step) : Self.spread(around.count, after: after, before: before)
      if let places, places.step >= 1 << 20 {
        for (offset, index) in around.enumerated() { slots[index].place = places.first + Int64(offset) * places.step }
        return around
      }
      margin *= 8
    }
  }

  /// Gives every row a new home: those at `new` come behind a row, in order, and all others keep theirs among each
  /// other.
  mutating func renumberHomes(_ new: Range<Int>, behind row: Int64?) {
    let rows = Set(slots[new].map(\.row))
    var sorted = slots.indices.filter { !rows.contains(slots[$0].row) }.sorted { slots[$0].home < slots[$1].home }
    let at = row.flatMap { row in sorted.firstIndex { slots[$0].row == row } }.map { $0 + 1 } ?? 0
    sorted.insert(contentsOf: new, at: at)
    for (offset, index) in sorted.enumerated() { slots[index].home = Int64(offset + 1) * Self.step }
  }
}

import Messages
import Model

/// The order of the queue: as it was queued, or mixed by a seed, which can be undone.
extension Queue {
  /// Mixes the queue, or undoes that. What is current stays current and, mixed, comes first. The same seed mixes the
  /// same queue alike, however it is mixed at present.
  ///
  /// - Parameter albums: a number for the album of each row, for `.albums`.
  mutating func order(_ wanted: Playback.Order, seed: UInt64, albums: [Int64: Int] = [:]) -> [Change] {
    guard !slots.isEmpty, wanted != order || wanted != .queued && seed != self.seed else { return [] }
    let row = currentSlot?.row
    let wasMixed = order != .queued
    if wasMixed {
      slots.sort { $0.home < $1.home }
      for index in slots.indices { (slots[index].place, slots[index].home) = (slots[index].home, 0) }
    }
    order = wanted
    self.seed = wanted == .queued ? 0 : seed
    revision += 1
    guard wanted != .queued else {
      current = row.flatMap { row in slots.firstIndex { $0.row == row } }
      return [.unmixed]
    }
    for index in slots.indices { slots[index].home = slots[index].place }
    var random = SplitMix64(state: seed)
    if wanted == .albums { mixAlbums(albums, first: row, &random) } else { mixTracks(first: row, &random) }
    for index in slots.indices { slots[index].place = Int64(index + 1) * Self.step }
    current = row == nil ? nil : 0
    return [.renumbered(slots.indices)]
  }

  private mutating func mixTracks(first row: Int64?, _ random: inout SplitMix64) {
    slots.shuffle(using: &random)
    guard let index = slots.firstIndex(where: { $0.row == row }) else { return }
    slots.swapAt(0, index)
  }

  /// Mixes albums, each in the order in which it was queued. Of the current one's album what follows it comes first,
  /// and what was before it last: that has been heard, or was passed over.
  private mutating func mixAlbums(_ albums: [Int64: Int], first row: Int64?, _ random: inout SplitMix64) {
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

/// Numbers that follow from a seed (Steele, Lea and Flood 2014), the same on every machine.
struct SplitMix64: RandomNumberGenerator {
  /// The seed, and where the sequence has come to.
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// What is to happen, in the order of its time; at one moment in the order in which it was put down.
struct Agenda {
  /// What is moved about: a time in microseconds, and where the deed is found.
  private struct Entry {
    var time: Int
    var number: Int
    var slot: Int

    func comesBefore(_ other: Entry) -> Bool {
      time == other.time ? number < other.number : time < other.time
    }
  }

  /// A binary heap.
  private var entries: [Entry] = []
  private var deeds: [(() -> Void)?] = []
  private var free: [Int] = []
  private var count = 0

  mutating func add(at time: Int, _ deed: @escaping () -> Void) {
    count += 1
    let slot: Int
    if let last = free.popLast() {
      slot = last
      deeds[slot] = deed
    } else {
      slot = deeds.count
      deeds.append(deed)
    }
    let entry = Entry(time: time, number: count, slot: slot)
    entries.append(entry)
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entry.comesBefore(entries[parent]) else { break }
      entries[child] = entries[parent]
      child = parent
    }
    entries[child] = entry
  }

  mutating func next() -> (time: Int, deed: () -> Void)? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    if !entries.isEmpty { sink(last) }
    guard let deed = deeds[first.slot] else { return nil }
    deeds[first.slot] = nil
    free.append(first.slot)
    return (first.time, deed)
  }

  /// Puts an entry in at the top.
  private mutating func sink(_ entry: Entry) {
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].comesBefore(entries[child]) { child += 1 }
      guard entries[child].comesBefore(entry) else { break }
      entries[parent] = entries[child]
      parent = child
    }
    entries[parent] = entry
  }
}

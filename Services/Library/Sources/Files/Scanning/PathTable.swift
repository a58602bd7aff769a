import Model
import Records

/// Paths by number in little memory: each is its parent's number and its own name.
struct PathTable {
  private struct Entry {
    var number: Int32
    /// The number of the folder that holds this one; 0 if the name is a whole path.
    var parent: Int32
    var start: Int32
    var length: Int32
  }

  /// The entries by number.
  private let entries: [Entry]
  private let names: [UInt8]

  /// - Parameter paths: different positive numbers, each with an absolute path.
  init(_ paths: [(number: Int32, path: [UInt8])] = []) {
    // A folder is followed by everything below it, because the slash comes before all other bytes here.
    let slash = UInt8(ascii: "/")
    let rank = { (byte: UInt8) in byte == slash ? 0 : Int(byte) + 1 }
    let sorted = paths.sorted { $0.path.lexicographicallyPrecedes($1.path) { rank($0) < rank($1) } }
    var entries: [Entry] = []
    var names: [UInt8] = []
    entries.reserveCapacity(paths.count)
    var above: [(number: Int32, path: [UInt8])] = []
    for (number, path) in sorted {
      while let last = above.last, last.path.last == slash || last.path == path || !FilePath.isWithin(path, last.path) {
        above.removeLast()
      }
      let name = above.last.map { path[($0.path.count + 1)...] } ?? path[...]
      entries.append(
        Entry(
          number: number, parent: above.last?.number ?? 0, start: Int32(clamping: names.count),
          length: Int32(clamping: name.count)))
      names += name
      above.append((number, path))
    }
    self.entries = entries.sorted { $0.number < $1.number }
    self.names = names.withUnsafeBufferPointer { Array($0) }
  }

  var count: Int { entries.count }

  var numbers: some Sequence<Int32> { entries.lazy.map(\.number) }

  func has(_ number: Int32) -> Bool { entry(number) != nil }

  func path(_ number: Int32) -> [UInt8]? {
    guard let entry = entry(number) else { return nil }
    let name = names[Int(entry.start)..<Int(entry.start + entry.length)]
    guard entry.parent != 0 else { return Array(name) }
    return path(entry.parent).map { $0 + [UInt8(ascii: "/")] + name }
  }

  private func entry(_ number: Int32) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? entries[low] : nil
  }
}

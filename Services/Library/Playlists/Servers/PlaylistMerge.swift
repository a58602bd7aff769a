/// The merge of a playlist that may have changed here and at its server since both were the same.
///
/// The elements are the server's ids of tracks. A track may come several times, so its first, second and further
/// occurrences are told apart.
enum PlaylistMerge {
  private struct Element: Hashable {
    var native: String
    var occurrence: Int
  }

  /// Returns the playlist with the changes of both sides. What one side removed is removed, also where the other moved
  /// it; what one side added is there once, also where both added it. If both sides moved elements, the order is ours.
  ///
  /// - Parameters:
  ///   - base: the playlist as both sides last had it.
  ///   - ours: the playlist as it is here.
  ///   - theirs: the playlist as it is at the server.
  static func merged(base: [String], ours: [String], theirs: [String]) -> [String] {
    if ours == base { return theirs }
    if theirs == base { return ours }
    let (base, ours, theirs) = (elements(base), elements(ours), elements(theirs))
    let (inBase, inOurs, inTheirs) = (Set(base), Set(ours), Set(theirs))
    let removed = inBase.subtracting(inOurs).union(inBase.subtracting(inTheirs))
    let common = inBase.intersection(inOurs).intersection(inTheirs)
    let didMove = ours.filter(common.contains) != base.filter(common.contains)
    let (first, second) = didMove ? (ours, theirs) : (theirs, ours)
    var result = first.filter { !removed.contains($0) }
    // Elements that only the other side has are put behind the element that is before them there.
    var placed = Set(result)
    var before: Element?
    for element in second where !removed.contains(element) {
      if placed.insert(element).inserted {
        let place = before.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        result.insert(element, at: place)
      }
      before = element
    }
    return result.map(\.native)
  }

  private static func elements(_ natives: [String]) -> [Element] {
    var counts: [String: Int] = [:]
    return natives.map { native in
      counts[native, default: 0] += 1
      return Element(native: native, occurrence: counts[native] ?? 1)
    }
  }
}

/// The steps that turn one order of rows into another.
enum PlaylistReordering {
  struct Move: Hashable {
    var row: String
    /// The row behind which it is put; nil for the beginning.
    var after: String?
  }

  /// Returns the moves that bring rows into another order, as few as possible: the rows of a longest ascending sequence
  /// stay where they are.
  static func moves(from present: [String], to wanted: [String]) -> [Move] {
    let places = Dictionary(wanted.enumerated().map { ($1, $0) }) { first, _ in first }
    let staying = longestAscending(present.compactMap { places[$0] })
    var moves: [Move] = []
    var before: String?
    for (place, row) in wanted.enumerated() {
      if !staying.contains(place) { moves.append(Move(row: row, after: before)) }
      before = row
    }
    return moves
  }

  /// Returns the numbers of a longest ascending subsequence.
  private static func longestAscending(_ numbers: [Int]) -> Set<Int> {
    // The indexes of the smallest last number of a sequence of each length, and the index before each.
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var found: Set<Int> = []
    var next = ends.last
    while let index = next {
      found.insert(numbers[index])
      next = before[index]
    }
    return found
  }
}

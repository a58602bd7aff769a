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

/// Orders of numbers, for merging lists.
enum Ordering {
  /// Returns the indexes of a longest ascending subsequence, as a flag for each number.
  static func longestAscending(_ numbers: [Int]) -> [Bool] {
    // `ends[n]` is the index of the smallest number that ends an ascending sequence of n + 1 numbers.
    var ends: [Int] = []
    var before: [Int] = []
    before.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? ends[low - 1] : -1)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var flags = Array(repeating: false, count: numbers.count)
    var index = ends.last ?? -1
    while index >= 0 {
      flags[index] = true
      index = before[index]
    }
    return flags
  }

  /// Returns a list with further elements, each put behind the element that stands before it in another order.
  ///
  /// - Parameters:
  ///   - others: an order of elements, of which those that are not in the list are put into it.
  static func merging(_ list: [Int], with others: [Int]) -> [Int] {
    let known = Set(list)
    var next: [Int: Int] = [:]
    var previous = -1
    for element in others {
      if !known.contains(element) { next[previous] = element }
      previous = element
    }
    var merged: [Int] = []
    merged.reserveCapacity(list.count + next.count)
    func append(_ element: Int) {
      if element >= 0 { merged.append(element) }
      var last = element
      while let following = next[last] {
        merged.append(following)
        last = following
      }
    }
    append(-1)
    for element in list { append(element) }
    return merged
  }

  /// Calls `move` for each element of `order` that has to be moved, from the first on: with it and with the element
  /// that is to stand before it. After all these moves the elements have this order.
  ///
  /// - Parameter place: the present position of an element; nil for one that is not there yet, which is moved too.
  static func moves(to order: [Int], from place: (Int) -> Int?, _ move: (_ element: Int, _ previous: Int?) -> Void) {
    let present = order.compactMap { element in place(element).map { (element, $0) } }
    let flags = longestAscending(present.map(\.1))
    let kept = Set(zip(present, flags).filter(\.1).map(\.0.0))
    var previous: Int?
    for element in order {
      if !kept.contains(element) { move(element, previous) }
      previous = element
    }
  }
}

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

import TestSupport
import Testing

@testable import People
@testable import Records
@testable import Sources

/// The merge of a playlist that changed here and at its server.
@Suite struct PlaylistMergeTests {
  private func merged(_ base: String, _ ours: String, _ theirs: String) -> String {
    PlaylistMerge.merged(
      base: base.map { String($0) }, ours: ours.map { String($0) }, theirs: theirs.map { String($0) }
    ).joined()
  }

  private static let cases: [(String, String, String, String)] = [
    // One side changed.
    ("abc", "abc", "ac", "ac"), ("abc", "cba", "abc", "cba"),
    // Both added, the same and others.
    ("abc", "abcx", "abcx", "abcx"), ("abc", "axbc", "abyc", "axbyc"), ("", "ab", "cd", "abcd"),
    // Both removed, and one removed what the other moved.
    ("abc", "bc", "ab", "b"), ("abc", "cab", "ab", "ab"), ("abc", "ac", "cab", "ca"),
    // Both moved: the order is ours.
    ("abc", "bca", "cab", "bca"),
    // A track that comes twice.
    ("aab", "ab", "aabx", "abx"), ("ab", "aab", "ab", "aab"), ("aba", "aba", "aab", "aab"),
    // One side emptied it, the other added.
    ("abc", "", "abcx", "x"),
  ]

  @Test(arguments: cases)
  func bothChangesAreKept(_ base: String, _ ours: String, _ theirs: String, _ expected: String) {
    #expect(merged(base, ours, theirs) == expected)
  }

  @Test func nothingIsLostThatNobodyRemovedAndNothingIsDoubled() {
    var random = Seeded(19)
    func edited(_ list: [String], _ letters: String) -> [String] {
      var list = list
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          list.insert(
            String(letters.randomElement(using: &random) ?? "x"), at: .random(in: 0...list.count, using: &random))
        case 1: if !list.isEmpty { list.remove(at: .random(in: 0..<list.count, using: &random)) }
        default:
          guard !list.isEmpty else { continue }
          let moved = list.remove(at: .random(in: 0..<list.count, using: &random))
          list.insert(moved, at: .random(in: 0...list.count, using: &random))
        }
      }
      return list
    }
    func counts(_ list: [String]) -> [String: Int] { list.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
    for _ in 0..<5000 {
      let base = edited(edited([], "abcd"), "abcde")
      let (ours, theirs) = (edited(base, "abuv"), edited(base, "abxy"))
      let result = PlaylistMerge.merged(base: base, ours: ours, theirs: theirs)
      for native in Set(base + ours + theirs) {
        let (old, here, there) = (counts(base)[native] ?? 0, counts(ours)[native] ?? 0, counts(theirs)[native] ?? 0)
        // Copies that both have more than before are the same addition; those that either has less are removed.
        let expected = min(old, here, there) + max(0, max(here, there) - old)
        #expect((counts(result)[native] ?? 0) == expected, "\(native) in \(base) \(ours) \(theirs): \(result)")
      }
    }
  }

  @Test func aMergeOfDifferentTracksThatIsMadeAgainChangesNothing() {
    var random = Seeded(21)
    var next = 0
    func edited(_ list: [String]) -> [String] {
      var list = list.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
      if Bool.random(using: &random) { list.shuffle(using: &random) }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        next += 1
        list.insert("n\(next)", at: .random(in: 0...list.count, using: &random))
      }
      return list
    }
    for _ in 0..<2000 {
      let base = (0..<Int.random(in: 0...8, using: &random)).map { "b\($0)" }
      let (ours, theirs) = (edited(base), edited(base))
      let result = PlaylistMerge.merged(base: base, ours: ours, theirs: theirs)
      #expect(PlaylistMerge.merged(base: base, ours: ours, theirs: result) == result, "\(base) \(ours) \(theirs)")
    }
  }

  @Test func rowsAreMovedIntoAnyOrderByFewMoves() {
    var random = Seeded(20)
    for _ in 0..<300 {
      let wanted = (0..<Int.random(in: 0...12, using: &random)).map { "r\($0)" }
      var rows = wanted.shuffled(using: &random)
      let moves = PlaylistReordering.moves(from: rows, to: wanted)
      for move in moves {
        rows.removeAll { $0 == move.row }
        let place = move.after.flatMap { rows.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        rows.insert(move.row, at: place)
      }
      #expect(rows == wanted)
      #expect(moves.count < max(1, wanted.count))
    }
    let single = PlaylistReordering.moves(from: ["b", "c", "d", "a"], to: ["a", "b", "c", "d"])
    #expect(single == [PlaylistReordering.Move(row: "a", after: nil)])
  }

  private static let requests: [(String, String, [Int], String)] = [
    ("abc", "ac", [1], ""), ("abc", "abcd", [], "d"), ("abcb", "bc", [0, 3], ""), ("abc", "cxy", [0, 1], "xy"),
  ]

  @Test(arguments: requests)
  func removingAndAddingAtTheEndIsOneRequest(_ present: String, _ wanted: String, _ removed: [Int], _ added: String) {
    let found = SubsonicServer.removedAndAdded(from: present.map { "\($0)" }, to: wanted.map { "\($0)" })
    #expect(found?.removed == removed && found?.added.joined() == added)
  }

  @Test(arguments: [("abc", "acb"), ("abc", "xabc"), ("ab", "ba")])
  func anotherOrderNeedsTheWholeList(_ present: String, _ wanted: String) {
    #expect(SubsonicServer.removedAndAdded(from: present.map { "\($0)" }, to: wanted.map { "\($0)" }) == nil)
  }
}

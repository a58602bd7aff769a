import Model
import TestSupport
import Testing

@testable import Bus

/// A journal and its facts in memory. Power cuts lose the newest facts, and what each reader has seen is recorded.
private struct JournalModel {
  struct Written: Hashable {
    var epoch: Int64
    var seq: Int64
  }

  var facts: [Written] = []
  var epochs = [JournalIndex.Epoch(number: 1, first: 1)]
  var oldest: Int64 = 1
  /// The number of facts that were synced; a start syncs all before it.
  var synced = 0

  var index: JournalIndex {
    let head = facts.last?.seq ?? (epochs.last?.first ?? 1) - 1
    return JournalIndex(identity: "j", epochs: epochs, oldest: oldest, head: head)
  }

  mutating func append() { facts.append(Written(epoch: index.epoch, seq: index.head + 1)) }

  mutating func restart(losing count: Int) {
    facts.removeLast(min(count, max(0, facts.count - synced)))
    synced = facts.count
    epochs.append(JournalIndex.Epoch(number: index.epoch + 1, first: (facts.last?.seq ?? 0) + 1))
  }

  /// Returns what a reader at this position gets, at most `limit` facts.
  func page(after place: JournalPosition, limit: Int) -> (facts: [Written], through: JournalPosition) {
    let first = index.beginning(of: .after(place)) { _ in 0 }.first
    let facts = Array(facts.filter { $0.seq >= first }.prefix(limit))
    return (facts, index.place(through: facts.last.map { ($0.seq, $0.epoch) }))
  }
}

@Suite struct JournalIndexTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func noReaderEverSkipsAFactOrReadsForEver(seed: UInt64) {
    var random = Seeded(seed)
    var model = JournalModel()
    var places = [Invented.place(0), Invented.place(0), Invented.place(0)]
    var seen: [Set<JournalModel.Written>] = [[], [], []]
    for _ in 0..<200 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: for _ in 0..<Int.random(in: 1...6, using: &random) { model.append() }
      case 5: model.restart(losing: Int.random(in: 0...4, using: &random))
      default:
        let reader = Int.random(in: 0..<3, using: &random)
        let page = model.page(after: places[reader], limit: Int.random(in: 1...4, using: &random))
        #expect(page.through != places[reader] || page.facts.isEmpty, "a page moves on")
        seen[reader].formUnion(page.facts)
        places[reader] = page.through
      }
    }
    for reader in 0..<3 {
      var pages = 0
      while places[reader] != model.index.end, pages <= model.facts.count + 1 {
        let page = model.page(after: places[reader], limit: 3)
        seen[reader].formUnion(page.facts)
        places[reader] = page.through
        pages += 1
      }
      #expect(places[reader] == model.index.end)
      #expect(model.page(after: places[reader], limit: 3).facts.isEmpty, "what was read is not sent again")
      #expect(seen[reader].isSuperset(of: model.facts), "seed \(seed)")
    }
  }

  private let index = JournalIndex(
    identity: "j", ancestors: [Invented.place(30, epoch: 3, journal: "before")],
    epochs: [(1, 1), (2, 11), (3, 9), (5, 31), (6, 40)].map { JournalIndex.Epoch(number: $0, first: $1) }, oldest: 5,
    head: 44)

  private func next(_ seq: Int64, _ epoch: Int64, _ journal: String = "j") -> Int64? {
    index.next(after: Invented.place(seq, epoch: epoch, journal: journal))
  }

  @Test func aPlaceIsResumedAtTheLeastNumberThatIsNewToIt() {
    #expect(next(6, 1) == 7)
    #expect(next(20, 1) == 9)
    #expect(next(12, 2) == 9)
    #expect(next(35, 3) == 31)
    #expect(next(35, 5) == 36)
    #expect(next(44, 6) == 45)
  }

  @Test func aPlaceThatTheJournalNeverHadIsReadFromTheOldest() {
    for place in [Invented.place(45, epoch: 6), Invented.place(1, epoch: 7), Invented.place(.max, epoch: .max)] {
      #expect(index.isBeyond(place))
      #expect(index.next(after: place) == nil)
      #expect(index.beginning(of: .after(place)) { _ in 0 } == JournalIndex.Beginning(first: 5))
    }
    #expect(!index.isBeyond(Invented.place(99, epoch: 5)))
  }

  @Test func aCursorOfAFormerJournalResumesWhereTheJournalsPart() {
    #expect(next(20, 3, "before") == 21)
    #expect(next(12, 2, "before") == 9)
    // Facts that the other journal wrote after they parted are not here; facts that this one wrote are new.
    #expect(next(70, 3, "before") == 31)
    #expect(next(500, 9, "before") == 31)
    #expect(next(7, 3, "unknown") == nil)
  }

  @Test func prunedFactsAreCountedAsMissed() {
    #expect(index.beginning(of: .after(Invented.place(1))) { _ in 0 } == .init(first: 5, missed: 3))
    #expect(index.beginning(of: .after(Invented.place(4))) { _ in 0 } == .init(first: 5))
    #expect(index.beginning(of: .oldest) { _ in 0 } == .init(first: 5))
    #expect(index.beginning(of: .head) { _ in 0 } == .init(first: 45))
    #expect(index.beginning(of: .since(Invented.moment)) { _ in 2 } == .init(first: 5))
  }

  @Test func aTimeIsFoundByBinarySearch() {
    for second in 0...50 {
      let found = index.first(since: Timestamp(seconds: Int64(second))) {
        $0 > 44 ? nil : Timestamp(seconds: max(5, $0))
      }
      #expect(found == Int64(max(5, min(second, 45))))
    }
  }

  @Test func absurdPlacesDoNotTrap() {
    for (seq, epoch) in [(Int64.max, Int64.max), (.min, .min), (.max, 0), (0, .max), (-1, 1)] {
      for journal in ["j", "before", "x"] { _ = next(seq, epoch, journal) }
    }
    let empty = JournalIndex(identity: "j", epochs: [], oldest: 1, head: 0)
    #expect(empty.next(after: Invented.place(0, epoch: 0)) == 1)
  }
}

import Model
import Testing

@testable import Bus

@Suite struct JournalReadersTests {
  private let index = JournalIndex(
    identity: "j", ancestors: [Invented.place(3, journal: "before")],
    epochs: [JournalIndex.Epoch(number: 1, first: 1), JournalIndex.Epoch(number: 2, first: 11)], oldest: 2, head: 20)
  private let readers = Machine(JournalReaders())

  private func note(_ name: String, _ place: JournalPosition, node: NodeID = .web, at second: Int64 = 1) -> Bool {
    readers { $0.note(ReaderCursor(reader: name, position: place), of: node, at: Timestamp(seconds: second)) }
  }

  @Test func theSlowestReaderSaysWhatIsNeeded() {
    #expect(readers { $0.needed(in: index) } == nil)
    _ = note("a", Invented.place(17, epoch: 2))
    _ = note("a", Invented.place(12, epoch: 2), node: .library)
    #expect(readers { $0.needed(in: index) } == 13)
    // A number that was given twice is read twice.
    _ = note("b", Invented.place(19, epoch: 1))
    #expect(readers { $0.needed(in: index) } == 11)
    _ = note("c", Invented.place(500, journal: "before"))
    #expect(readers { $0.needed(in: index) } == 4)
    _ = note("d", Invented.place(7, journal: "unknown"))
    #expect(readers { $0.needed(in: index) } == 2)
  }

  @Test func aReaderIsNewOnceAndWrittenDownWhenItMoved() {
    #expect(note("a", Invented.place(1)))
    #expect(!note("a", Invented.place(2)))
    #expect(readers { $0.takeUnwritten() }.values.map(\.position) == [Invented.place(2)])
    #expect(readers { $0.takeUnwritten() }.isEmpty)
    // One that was restored from a backup reads again.
    #expect(!note("a", Invented.place(1)))
    #expect(readers { $0.takeUnwritten() }.values.map(\.position) == [Invented.place(1)])
  }

  @Test func aReaderThatIsNotHeardOfIsForgotten() {
    _ = note("a", Invented.place(1), at: 10)
    _ = note("b", Invented.place(5), at: 20)
    #expect(readers { $0.forget(before: Timestamp(seconds: 15)) }.map(\.reader) == ["a"])
    #expect(readers { $0.needed(in: index) } == 6)
  }

  @Test func aThousandReadersAreEnough() {
    for number in 0..<5000 { _ = note("r\(number)", Invented.place(1)) }
    #expect(readers { $0.known.count } == JournalReaders.limit)
  }
}

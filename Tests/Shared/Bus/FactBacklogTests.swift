import Testing

@testable import Bus

@Suite struct FactReaderLoopBacklogTests {
  let backlog = Machine(FactReaderLoop.Backlog())

  @Test func whatCameIsRemovedTogetherInOrderAndOnce() {
    #expect(backlog { $0.removeBatch() } == nil)
    for seq in 1...3 { backlog { $0.add(Invented.fact(Int64(seq))) } }
    backlog { $0.add(head: Invented.place(3)) }
    let batch = backlog { $0.removeBatch() }
    #expect(batch?.facts.map(\.seq) == [1, 2, 3])
    #expect(batch?.head == Invented.place(3))
    #expect(batch?.isCut == false)
    #expect(backlog { $0.removeBatch() } == nil)
  }

  @Test func onlyTheNewestHeadWaits() {
    for seq in 1...1000 { backlog { $0.add(head: Invented.place(Int64(seq))) } }
    #expect(backlog { $0.removeBatch() }?.head == Invented.place(1000))
  }

  @Test func beyondTheLimitFactsAreLeftToThePublisherAndTheBatchSaysSo() {
    for seq in 1...100 { backlog { $0.add(Invented.fact(Int64(seq), size: 20_000)) } }
    let batch = backlog { $0.removeBatch() }
    #expect(batch?.isCut == true)
    #expect(batch?.facts.map(\.seq) == Array(1...26))
    backlog { $0.add(Invented.fact(101)) }
    #expect(backlog { $0.removeBatch() }?.facts.map(\.seq) == [101])
  }

  @Test func oneFactLargerThanTheLimitIsStillTaken() {
    backlog { $0.add(Invented.fact(1, size: FactReaderLoop.Backlog.sizeLimit + 1)) }
    #expect(backlog { $0.removeBatch() }?.facts.count == 1)
  }

  @Test func aHeadThatSaysNothingNewDoesNotWakeASettledReader() {
    backlog { $0.settle(at: Invented.place(5)) }
    backlog { $0.add(head: Invented.place(5)) }
    #expect(backlog { $0.removeBatch() } == nil)
    backlog { $0.add(head: Invented.place(5, epoch: 2)) }
    #expect(backlog { $0.removeBatch() } != nil)
    backlog { $0.settle(at: nil) }
    backlog { $0.add(head: Invented.place(5)) }
    #expect(backlog { $0.removeBatch() } != nil)
  }
}

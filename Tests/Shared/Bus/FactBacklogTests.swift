import Testing

@testable import Bus

@Suite struct FactBacklogTests {
  let backlog = Machine(FactReaderLoop.Backlog())

  @Test func whatCameIsTakenTogetherInOrderAndOnce() {
    #expect(backlog { $0.take() } == nil)
    for seq in 1...3 { backlog { $0.add(Invented.fact(Int64(seq))) } }
    backlog { $0.add(head: Invented.place(3)) }
    let batch = backlog { $0.take() }
    #expect(batch?.facts.map(\.seq) == [1, 2, 3])
    #expect(batch?.head == Invented.place(3))
    #expect(batch?.isCut == false)
    #expect(backlog { $0.take() } == nil)
  }

  @Test func onlyTheNewestHeadWaits() {
    for seq in 1...1000 { backlog { $0.add(head: Invented.place(Int64(seq))) } }
    #expect(backlog { $0.take() }?.head == Invented.place(1000))
  }

  @Test func beyondTheLimitFactsAreLeftToTheDeskAndTheBatchSaysSo() {
    for seq in 1...100 { backlog { $0.add(Invented.fact(Int64(seq), size: 20_000)) } }
    let batch = backlog { $0.take() }
    #expect(batch?.isCut == true)
    #expect(batch?.facts.map(\.seq) == Array(1...26))
    backlog { $0.add(Invented.fact(101)) }
    #expect(backlog { $0.take() }?.facts.map(\.seq) == [101])
  }

  @Test func oneFactLargerThanTheLimitIsStillTaken() {
    backlog { $0.add(Invented.fact(1, size: FactReaderLoop.Backlog.sizeLimit + 1)) }
    #expect(backlog { $0.take() }?.facts.count == 1)
  }

  @Test func aHeadThatSaysNothingNewDoesNotWakeASettledReader() {
    backlog { $0.settle(at: Invented.place(5)) }
    backlog { $0.add(head: Invented.place(5)) }
    #expect(backlog { $0.take() } == nil)
    backlog { $0.add(head: Invented.place(5, epoch: 2)) }
    #expect(backlog { $0.take() } != nil)
    backlog { $0.settle(at: nil) }
    backlog { $0.add(head: Invented.place(5)) }
    #expect(backlog { $0.take() } != nil)
  }
}

import Model
import Synchronization
import Testing

@testable import Bus

@Suite struct FactOutletTests {
  private func fact(_ seq: Int64, size: Int = 10) -> JournaledFact {
    JournaledFact(
      seq: seq, epoch: 1, id: "\(seq)", kind: "meter.struck", time: Invented.moment,
      payload: [UInt8](repeating: 32, count: size))
  }

  @Test func theNodeIsWokenOnceUntilItComes() {
    let outlet = FactOutlet(head: 4)
    let wakes = Mutex(0)
    outlet.put(fact(5))
    outlet.connect { wakes.withLock { $0 += 1 } }
    #expect(wakes.withLock { $0 } == 1)
    for seq in 6...9 { outlet.put(fact(Int64(seq))) }
    #expect(wakes.withLock { $0 } == 1)
    #expect(outlet.removeAll().map(\.seq) == [5, 6, 7, 8, 9])
    #expect(outlet.removeAll().isEmpty)
    outlet.put(fact(10))
    #expect(wakes.withLock { $0 } == 2)
    #expect(outlet.head == 10)
  }

  @Test func aNodeThatDoesNotComeCostsBoundedMemory() {
    let outlet = FactOutlet(head: 0)
    for seq in 1...1000 { outlet.put(fact(Int64(seq), size: 10_000)) }
    let waiting = outlet.removeAll()
    #expect(waiting.reduce(0) { $0 + $1.payload.count } <= FactOutlet.sizeLimit)
    #expect(waiting.last?.seq == 1000)
    #expect(outlet.head == 1000)
  }

  @Test func aNodeThatIsGoneIsNotWoken() {
    let outlet = FactOutlet(head: 0)
    outlet.connect { Issue.record("woken") }
    outlet.connect(nil)
    outlet.put(fact(1))
  }
}

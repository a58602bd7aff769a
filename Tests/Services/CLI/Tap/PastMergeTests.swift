import Bus
import Model
import Testing

@testable import lunara

/// Merging the past facts of several nodes with the live messages that arrive meanwhile.
struct PastMergeTests {
  @Test func thePastComesInTheOrderOfTimeAndBeforeWhatIsLive() throws {
    var merge = PastMerge()
    #expect(merge.add(past: try item("a@x", second: 10)).isEmpty)
    #expect(merge.add(past: try item("a@x", second: 30)).isEmpty)
    merge.add(live: try item("b@x", second: 1))
    #expect(merge.add(past: try item("b@x", second: 20)).isEmpty)
    #expect(merge.finish().map(\.envelope.id) == ["a@x10", "b@x20", "a@x30", "b@x1"])
    #expect(merge.finish().isEmpty)
  }

  @Test func aNodesFactsKeepTheirOrderWhenItsClockStepsBack() throws {
    var merge = PastMerge()
    for second in [10, 4, 12] as [Int64] { _ = merge.add(past: try item("a@x", second: second)) }
    _ = merge.add(past: try item("b@x", second: 11))
    #expect(merge.finish().map(\.envelope.id) == ["a@x10", "a@x4", "b@x11", "a@x12"])
  }

  @Test func memoryIsBounded() throws {
    var merge = PastMerge()
    let one = try item("a@x", second: 1)
    var shown = 0
    for _ in 0..<(PastMerge.pastLimit + 5) { shown += merge.add(past: one).count }
    #expect(shown == PastMerge.pastLimit)
    for _ in 0..<(PastMerge.liveLimit + 5) { merge.add(live: one) }
    #expect(merge.dropped == ["t.": PastMerge.liveLimit / 2])
    #expect(merge.finish().count == 5 + PastMerge.liveLimit / 2 + 5)
  }

  private func item(_ node: String, second: Int64) throws -> PastMerge.Item {
    let text =
      #"{"id":"\#(node)\#(second)","node":"\#(node)","epoch":1,"seq":1,"time":"\#(Timestamp(seconds: second))","kind":"a.b","payload":{}}"#
    return .init(envelope: try Envelope(decoding: Array(text.utf8)), topic: "t.", seenAt: Timestamp(seconds: second))
  }
}

import TestSupport
import Testing

/// The helper with which all tests wait.
@Suite struct EventuallyTests {
  @Test func aWaitThatFailsSaysTheLastValue() async {
    await withKnownIssue {
      #expect(await !eventually(equals: "there", within: .zero) { "here" })
    } matching: {
      $0.says(#"The last value: "here""#)
    }
    await withKnownIssue {
      #expect(await !eventually(contains: 3, within: .zero) { [1, 2] })
    } matching: {
      $0.says("The last value: [1, 2]")
    }
    await withKnownIssue {
      #expect(await !eventually(atLeast: 3, within: .zero) { 2 })
    } matching: {
      $0.says("The last value: 2")
    }
  }

  @Test func aWaitEndsWithTheFirstValueThatIsWanted() async {
    var values = [1, 2, 3, 4]
    #expect(await eventually(above: 2) { values.removeFirst() })
    #expect(values == [4])
  }
}

extension Issue {
  fileprivate func says(_ end: String) -> Bool { comments.contains { $0.rawValue.hasSuffix(end) } }
}

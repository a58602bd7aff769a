import Testing

@testable import Bus

@Suite struct MailboxTests {
  private func box() -> Mailbox<[Int], Int> { Mailbox([]) { $0.isEmpty ? nil : $0.removeFirst() } }

  @Test func framesComeOutInTheOrderTheyWerePut() async {
    let box = box()
    for number in 1...3 { box.put { $0.append(number) } }
    var taken: [Int?] = []
    for _ in 1...3 { taken.append(await box.next()) }
    #expect(taken == [1, 2, 3])
  }

  @Test func whoWaitsIsHandedWhatComesHoweverTheTwoInterleave() async {
    let box = box()
    let sum = Task {
      var sum = 0
      while let number = await box.next() { sum += number }
      return sum
    }
    for number in 1...10_000 {
      box.put { $0.append(number) }
      if number.isMultiple(of: 97) { await Task.yield() }
    }
    while true {
      var isEmpty = false
      box.put { isEmpty = $0.isEmpty }
      if isEmpty { break }
      await Task.yield()
    }
    box.finish()
    #expect(await sum.value == 50_005_000)
  }

  @Test func theEndReachesWhoWaitsAndWhoComesLater() async {
    let box = box()
    let waiting = Task { await box.next() }
    await Task.yield()
    box.finish()
    #expect(await waiting.value == nil)
    box.put { $0.append(1) }
    #expect(await box.next() == nil)
  }

  @Test func aCancelledTaskIsNotLeftWaiting() async {
    for _ in 0..<200 {
      let box = box()
      let waiting = Task { await box.next() }
      waiting.cancel()
      #expect(await waiting.value == nil)
    }
  }
}

@Suite struct TapTests {
  private func frame(_ number: Int, size: Int = 10) -> Frame {
    Frame(topic: "t\(number).", body: [UInt8](repeating: 0, count: size))
  }

  @Test func overTheLimitTheOldestFramesAreDropped() {
    var frames = Tap.Frames(bound: 3)
    for number in 1...5 { frames.add(frame(number)) }
    #expect(
      [frames.removeFirst(), frames.removeFirst(), frames.removeFirst(), frames.removeFirst()].map { $0?.topic } == [
        "t3.", "t4.", "t5.", nil,
      ])
  }

  @Test func framesAreBoundedInSizeAsWell() {
    var frames = Tap.Frames(bound: .max)
    for number in 1...100 { frames.add(frame(number, size: 1 << 18)) }
    var left = 0
    while frames.removeFirst() != nil { left += 1 }
    #expect(left == 32)
  }

  @Test func manyFramesComeOutInOrder() {
    var frames = Tap.Frames(bound: 10_000)
    for number in 0..<5000 { frames.add(frame(number)) }
    for number in 0..<5000 where frames.removeFirst()?.topic != "t\(number)." { Issue.record("wrong at \(number)") }
    #expect(frames.removeFirst() == nil)
  }
}

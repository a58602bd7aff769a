import Model
import Testing

@testable import Bus

@Suite struct AnswerFlowTests {
  let flow = Machine(AnswerFlow())
  let now = ContinuousClock.now

  private func answer(
    _ number: UInt8, size: Int, pipe: UInt8 = 1, kind: String = "a.b", isRemote: Bool = true
  ) -> AnswerFlow.QueuedAnswer {
    AnswerFlow.QueuedAnswer(
      frame: [UInt8](repeating: number, count: size),
      request: IncomingRequest(
        header: header(pipe, number), isRemote: isRemote, envelope: Invented.envelope(kind: kind), topic: "a.b.c.",
        startedAt: now))
  }

  private func header(_ pipe: UInt8 = 1, _ number: UInt8 = 0) -> [UInt8] { [0, 0, 0, pipe, 128, 0, 0, number] }

  private func enqueue(_ answer: AnswerFlow.QueuedAnswer, after length: Duration = .zero) -> [UInt8] {
    flow { $0.enqueue(answer, at: now + length) }.compactMap(\.frame.first)
  }

  private func due(after length: Duration) -> [UInt8] { flow { $0.due(at: now + length) }.compactMap(\.frame.first) }

  @Test func atMost64KiBAreInFlightToAnAskerAndTheRestFollowsInOrder() {
    var sent = (0..<50).map { enqueue(answer($0, size: 20_000)) }.flatMap { $0 }
    #expect(sent == [0, 1, 2])
    var time = Duration.zero
    while let next = flow({ $0.nextDue }) {
      time = next - now
      let more = due(after: time)
      #expect(more.count <= 3)
      sent += more
    }
    #expect(sent == Array(0..<50))
    #expect(time <= .milliseconds(110))
  }

  @Test func onePipeDoesNotWaitForAnother() {
    #expect(enqueue(answer(1, size: 60_000)) == [1])
    #expect(enqueue(answer(2, size: 60_000)) == [])
    #expect(enqueue(answer(3, size: 60_000, pipe: 2)) == [3])
  }

  @Test func anAnswerThatIsLargerGoesAloneAndTakesItsTime() {
    #expect(enqueue(answer(1, size: 250_000)) == [1])
    #expect(enqueue(answer(2, size: 10)) == [])
    #expect(due(after: .milliseconds(5)) == [])
    #expect(due(after: .milliseconds(24)) == [2])
  }

  @Test func onThisMachineTheNextAnswerWaitsForAMillisecondOnly() {
    #expect(enqueue(answer(1, size: 60_000, isRemote: false)) == [1])
    #expect(enqueue(answer(2, size: 60_000, isRemote: false)) == [])
    #expect(due(after: .microseconds(999)) == [])
    #expect(due(after: .milliseconds(1)) == [2])
    for _ in 0..<3 { flow { $0.wasLost(AnswerPipe(isRemote: false, number: self.header().prefix(4))) } }
    #expect(enqueue(answer(3, size: 60_000, isRemote: false), after: .milliseconds(10)) == [3])
    #expect(enqueue(answer(4, size: 60_000, isRemote: false), after: .milliseconds(17)) == [])
    #expect(due(after: .milliseconds(18)) == [4])
  }

  @Test func afterAPauseNothingWaits() {
    for number in UInt8(0)..<20 {
      #expect(enqueue(answer(number, size: 60_000), after: .milliseconds(6) * Int(number)) == [number])
    }
    #expect(flow { $0.nextDue } == nil)
  }

  @Test func whoAsksForTheNextPageHasTheOneBeforeAndIsAnsweredAtOnce() {
    #expect(enqueue(answer(99, size: 10_000)) == [99])
    for number in UInt8(0)..<20 {
      #expect(enqueue(answer(number, size: 50_000, kind: Replay.kind)) == [number])
      flow { $0.pageArrived(AnswerPipe(isRemote: true, number: self.header().prefix(4))) }
    }
    #expect(enqueue(answer(30, size: 60_000)) == [], "the first answer may still be under way")
  }

  @Test func whatIsAskedForTwiceWhileItWaitsIsSentOnce() {
    #expect(enqueue(answer(1, size: 60_000)) == [1])
    for _ in 0..<5 { #expect(enqueue(answer(2, size: 60_000)) == []) }
    #expect(due(after: .milliseconds(7)) == [2])
    #expect(flow { $0.nextDue } == nil)
  }

  @Test func anAskerThatLosesAnswersGetsThemMoreSlowly() {
    _ = enqueue(answer(1, size: 60_000))
    for _ in 0..<2 { flow { $0.wasLost(AnswerPipe(isRemote: true, number: self.header().prefix(4))) } }
    #expect(enqueue(answer(1, size: 60_000), after: .milliseconds(10)) == [1])
    #expect(enqueue(answer(2, size: 60_000), after: .milliseconds(20)) == [])
    #expect(due(after: .milliseconds(33)) == [])
    #expect(due(after: .milliseconds(34)) == [2])
  }

  @Test func whatWaitsIsBoundedAndWhoIsGoneIsForgotten() {
    var sent = (UInt8(0)..<200).map { enqueue(answer($0, size: 30_000)) }.flatMap { $0 }.count
    while let next = flow({ $0.nextDue }) { sent += due(after: next - now).count }
    #expect(sent <= AnswerFlow.waitingLimit / 30_000 + 3)
    flow { $0.expire(at: self.now + .seconds(60)) }
    flow { $0.wasLost(AnswerPipe(isRemote: true, number: self.header().prefix(4))) }
    #expect(enqueue(answer(7, size: 60_000), after: .seconds(60)) == [7])
    #expect(enqueue(answer(8, size: 60_000), after: .seconds(60)) == [])
    #expect(due(after: .seconds(60) + .milliseconds(6)) == [8], "its moment is the usual one again")
  }
}

@Suite struct AnswerTableTests {
  let clock = Machine(Clock())
  let table = Machine(AnswerTable())

  private func answer(_ id: String, isCommand: Bool = false, size: Int = 10) {
    _ = table { $0.received(id, isCommand: isCommand) }
    table {
      $0.answered(
        id, isCommand: isCommand, with: [UInt8](repeating: 7, count: size), patience: .seconds(5), at: clock.state.now)
    }
  }

  @Test func aQuestionIsHandledOnceWaitsMeanwhileAndIsThenAnsweredAgain() {
    #expect(table { $0.received("a", isCommand: true) } == .handle)
    #expect(table { $0.received("a", isCommand: true) } == .wait)
    table { $0.answered("a", isCommand: true, with: [1], patience: .seconds(5), at: clock.state.now) }
    #expect(table { $0.received("a", isCommand: true) } == .resend([1]))
    #expect(table { $0.received("b", isCommand: true) } == .handle)
  }

  @Test func whatWasTurnedAwayIsHandledWhenItIsAskedAgain() {
    _ = table { $0.received("a", isCommand: true) }
    table { $0.refused("a") }
    #expect(table { $0.received("a", isCommand: true) } == .handle)
  }

  @Test func aReadIsKeptForItsPatienceAndACommandForTwoMinutes() {
    answer("read")
    answer("command", isCommand: true)
    clock { $0.pass(.seconds(6)) }
    table { $0.expire(at: clock.state.now) }
    #expect(table { $0.received("read", isCommand: false) } == .handle)
    #expect(table { $0.received("command", isCommand: true) } == .resend([UInt8](repeating: 7, count: 10)))
    clock { $0.pass(.seconds(115)) }
    table { $0.expire(at: clock.state.now) }
    #expect(table { $0.received("command", isCommand: true) } == .handle)
  }

  @Test func largeAnswersMakeRoomOldestFirstAndACommandIsNeverForgottenForIt() {
    answer("command", isCommand: true, size: 1 << 20)
    answer("read", size: 1 << 20)
    answer("last", size: 1 << 20)
    #expect(table { $0.received("command", isCommand: true) } == .lost)
    answer("one more", size: 1 << 20)
    #expect(table { $0.received("read", isCommand: false) } == .handle)
    #expect(table { $0.received("last", isCommand: false) } == .resend([UInt8](repeating: 7, count: 1 << 20)))
  }

  @Test func commandsBeyondTheLimitAreRefusedUntilOldOnesAreForgotten() {
    for number in 0..<AnswerTable.commandLimit { answer("\(number)", isCommand: true) }
    #expect(table { $0.received("one more", isCommand: true) } == .refuse)
    #expect(table { $0.received("a read", isCommand: false) } == .handle)
    clock { $0.pass(AnswerTable.memory) }
    table { $0.expire(at: clock.state.now) }
    #expect(table { $0.received("one more", isCommand: true) } == .handle)
  }

  @Test func anAnswerToNothingIsNotKept() {
    table { $0.answered("never asked", isCommand: false, with: [1], patience: .seconds(1), at: clock.state.now) }
    #expect(table { $0.received("never asked", isCommand: false) } == .handle)
  }
}

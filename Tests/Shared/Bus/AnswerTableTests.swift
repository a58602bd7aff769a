import Model
import Testing

@testable import Bus

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

import Model
import Testing

@testable import Bus

@Suite struct RequestTableTests {
  let clock = Machine(Clock())
  let table = Machine(RequestTable(startingAt: .max - 2))

  private func add(_ id: String = "q", patience: Duration = .seconds(5)) -> UInt32 {
    table { $0.add(id: id, to: .library, frame: [], deadline: clock.state.now + patience, at: clock.state.now) }
  }

  @Test func aQuestionIsSentAtOnceAndAgainAtGrowingIntervals() {
    let number = add(patience: .seconds(60))
    var sentAt: [Duration] = []
    let start = clock.state.now
    for _ in 0..<10_000 where clock.state.now - start < .seconds(12) {
      if table.state.due(at: clock.state.now) == [.send(number)] {
        sentAt.append(clock.state.now - start)
        table { $0.sent(number, taken: true, at: clock.state.now) }
      }
      clock { $0.pass(.milliseconds(10)) }
    }
    #expect(sentAt == [0, 250, 750, 1750, 3750, 5750, 7750, 9750, 11750].map { .milliseconds($0) })
  }

  @Test func whatNoSocketTakesIsTriedSoonThenLessOften() {
    let number = add(patience: .seconds(5))
    var tries = 0
    for _ in 0..<4999 {
      if table.state.due(at: clock.state.now) == [.send(number)] {
        tries += 1
        table { $0.sent(number, taken: false, at: clock.state.now) }
      }
      clock { $0.pass(.milliseconds(1)) }
    }
    #expect((40...70).contains(tries))
    #expect(table.state.pending[number]?.wasSent == false)
  }

  @Test func aQuestionExpiresAtItsDeadlineAndIsThenNotSent() {
    let number = add(patience: .milliseconds(100))
    clock { $0.pass(.milliseconds(100)) }
    #expect(table.state.due(at: clock.state.now) == [.expire(number)])
    #expect(table { $0.remove(number) }?.id == "q")
    #expect(table { $0.remove(number) } == nil)
    #expect(table.state.due(at: clock.state.now).isEmpty)
    #expect(table.state.nextDue == nil)
  }

  @Test func questionsGoOutInTheOrderInWhichTheyWereAskedAcrossTheWrapOfTheirNumbers() {
    let numbers = (0..<20).map { add("\($0)") }
    #expect(Set(numbers).count == 20)
    #expect(numbers.allSatisfy { $0 & 0x8000_0000 != 0 })
    #expect(table.state.due(at: clock.state.now) == numbers.map { .send($0) })
  }

  @Test func aNewWayToANodeMakesItsQuestionsDue() {
    let number = add()
    let other = table {
      $0.add(id: "o", to: .router, frame: [], deadline: clock.state.now + .seconds(5), at: clock.state.now)
    }
    table { $0.sent(number, taken: true, at: clock.state.now) }
    table { $0.sent(other, taken: true, at: clock.state.now) }
    #expect(table.state.due(at: clock.state.now).isEmpty)
    table { $0.sendAgain(to: .library, at: clock.state.now) }
    #expect(table.state.due(at: clock.state.now) == [.send(number)])
    #expect(table.state.isWaiting(for: .library))
    _ = table { $0.remove(number) }
    #expect(!table.state.isWaiting(for: .library))
  }

  @Test func aCommandMayBeAimedAnewOnlyUntilASocketTookIt() {
    let command = Invented.envelope()
    let number = table {
      $0.add(
        id: "c", to: .library, command: command, frame: [1], deadline: clock.state.now + .seconds(5),
        at: clock.state.now)
    }
    table { $0.sent(number, taken: false, at: clock.state.now) }
    #expect(table.state.pending[number]?.command == command)
    table { $0.replace(number, by: command, frame: [2]) }
    #expect(table.state.pending[number]?.frame == [2])
    table { $0.sent(number, taken: true, at: clock.state.now) }
    #expect(table.state.pending[number]?.command == nil)
  }

  @Test func headerNumbersAreFourBytesBigEndian() {
    #expect(UInt32(0x8001_02ff).bytes == [0x80, 1, 2, 0xff])
    #expect(UInt32(bytes: [0x80, 1, 2, 0xff]) == 0x8001_02ff)
    #expect(UInt32(bytes: [1, 2, 3]) == nil)
  }
}

import Model
import Testing

@testable import Bus

@Suite struct StateTableTests {
  let clock = Machine(Clock())
  let table = Machine(StateTable())

  private func apply(epoch: Int64, version: Int64, payload: String = "{}") -> Bool {
    table {
      $0.apply(
        Invented.envelope(epoch: epoch, version: version, payload: payload), topic: "t.", at: clock.state.now)
    }
  }

  @Test func statesOrderByEpochThenVersion() {
    #expect(apply(epoch: 2, version: 3))
    #expect(!apply(epoch: 2, version: 3))
    #expect(!apply(epoch: 2, version: 2))
    #expect(!apply(epoch: 1, version: 99))
    #expect(apply(epoch: 2, version: 4))
    #expect(apply(epoch: 3, version: 1))
  }

  @Test func anEqualValueGetsNoVersionAndAChangedOneTheNext() {
    #expect(table { $0.version(for: "t.", payload: Array("1".utf8)) } == 1)
    #expect(apply(epoch: 1, version: 1, payload: "1"))
    #expect(table { $0.version(for: "t.", payload: Array("1".utf8)) } == nil)
    #expect(table { $0.version(for: "t.", payload: Array("2".utf8)) } == 2)
    #expect(table { $0.version(for: "u.", payload: Array("1".utf8)) } == 3)
  }

  @Test func staleTopicsAreThoseWithNewerVersionsAndThoseNeverHeard() {
    _ = apply(epoch: 2, version: 5)
    #expect(table.state.stale(against: Invented.presence(epoch: 2, states: ["t.": 5, "u.": 1])) == ["u."])
    #expect(table.state.stale(against: Invented.presence(epoch: 2, states: ["t.": 6])) == ["t."])
    #expect(table.state.stale(against: Invented.presence(epoch: 3, states: ["t.": 1])) == ["t."])
    #expect(table.state.stale(against: Invented.presence(epoch: 1, states: ["t.": 9])) == [])
  }

  @Test func aNodeThatRunsAnewMayCountFromOneAgain() {
    _ = apply(epoch: 57, version: 9, payload: "1")
    table { $0.outrank(Invented.den) }
    #expect(!apply(epoch: 1, version: 1))
    table { $0.outrank(Invented.kitchen) }
    #expect(table.state.states(ofKind: "playback.state").count == 1)
    #expect(table.state.stale(against: Invented.presence(epoch: 1, states: ["t.": 1])) == ["t."])
    #expect(apply(epoch: 1, version: 1))
  }

  @Test func whatIsHeldOfAForgottenNodeGoes() {
    _ = apply(epoch: 1, version: 1)
    table { $0.forget(Invented.den) }
    #expect(table.state.versions == ["t.": 1])
    table { $0.forget(Invented.kitchen) }
    #expect(table.state.versions.isEmpty)
  }

  @Test func theAgeAtWhichAStateWasHeardIsKeptAndNeverNegative() {
    _ = table {
      $0.apply(
        Invented.envelope(version: 1), topic: "t.", at: clock.state.now, age: Milliseconds(61_000))
    }
    #expect(table.state.held["t."]?.ageWhenHeard == Milliseconds(61_000))
    _ = table { $0.apply(Invented.envelope(version: 2), topic: "t.", at: clock.state.now, age: Milliseconds(-5)) }
    #expect(table.state.held["t."]?.ageWhenHeard == .zero)
  }

  @Test func whatIsNoStateIsNotTaken() {
    let fact = Invented.envelope(seq: 1)
    #expect(!table { $0.apply(fact, topic: "t.", at: clock.state.now) })
  }
}

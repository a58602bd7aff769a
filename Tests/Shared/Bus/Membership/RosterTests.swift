import Model
import Testing

@testable import Bus

@Suite struct RosterTests {
  @Test func whoTookANameIsBelievedThoughItsClockIsBehind() {
    var roster = Roster()
    let now = ContinuousClock.now
    func presence(_ journal: String, term: Int64, startedAt: Int64) -> NodePresence {
      var presence = Invented.presence(startedAt: startedAt, journal: journal)
      presence.term = term
      return presence
    }
    _ = roster.receivedPresence(presence("old", term: 0, startedAt: 9), at: now, isLocal: false)
    let successor = presence("new", term: 1, startedAt: 2)
    #expect(roster.receivedPresence(successor, at: now, isLocal: false).contains(.restarted(Invented.kitchen)))
    #expect(roster.believes(successor))
    #expect(roster.receivedPresence(presence("old", term: 0, startedAt: 9), at: now, isLocal: false).isEmpty)
    #expect(roster.believes(successor))
  }

  @Test func whoTookANameMayStartAgainThoughTheFormerHolderIsKnown() {
    let successor = Claim(identity: "a", term: 1, start: 2)
    #expect(!successor.yields(to: Claim(identity: "b", term: 0, start: 9)))
    #expect(successor.yields(to: Claim(identity: "b", term: 2, start: 1)))
    #expect(Claim(identity: "b", term: 0, start: 1).yields(to: Claim(identity: "a", term: 0, start: 9)))
  }

  @Test func aFrameOfAFormerRunIsNotBelievedThoughItsNumberIsHigher() {
    var roster = Roster()
    let now = ContinuousClock.now
    _ = roster.receivedPresence(Invented.presence(epoch: 5, startedAt: 1, journal: "old"), at: now)
    let former = Invented.envelope(epoch: 5, version: 9, journal: "old")
    #expect(roster.believes(former))
    _ = roster.receivedPresence(Invented.presence(epoch: 1, startedAt: 2, journal: "new"), at: now)
    #expect(!roster.believes(former))
    #expect(!roster.believes(Invented.envelope(epoch: 1, version: 9, journal: "old")))
    #expect(roster.believes(Invented.envelope(epoch: 1, version: 1, journal: "new")))
    #expect(roster.believes(Invented.envelope(epoch: 1, version: 1)), "an older node does not say its journal")
    #expect(!roster.believes(Invented.envelope(Invented.den, epoch: 1, version: 1)))
  }

  @Test func anEntrySaysThatANodeWasStoppedInOrderAlsoAfterHearsay() throws {
    let now = ContinuousClock.now
    var presence = Invented.presence(startedAt: 1)
    presence.endpoints = Endpoints(inbox: "tcp://10.0.0.7:4778", requests: "tcp://10.0.0.7:4777")
    var roster = Roster()
    _ = roster.receivedPresence(presence, at: now, isLocal: false)
    // A node that is silent may have crashed.
    _ = roster.tick(at: now)
    _ = roster.tick(at: now + .seconds(1))
    for second in 2...4 { _ = roster.tick(at: now + .seconds(second)) }
    #expect(roster.entries.map(\.away) == [true] && roster.entries.map(\.left) == [nil])
    _ = roster.receivedGoodbye(presence)
    #expect(roster.entries.map(\.left) == [true])
    var other = Roster()
    _ = other.receivedEntries(roster.entries, at: now, isKept: true)
    #expect(other.entries.map(\.left) == [true])
    presence.startedAt = Timestamp(seconds: 9)
    _ = other.receivedPresence(presence, at: now, isLocal: false)
    #expect(other.entries.map(\.left) == [nil])
  }

  @Test func onlyANodeThatIsAwayIsForgotten() {
    var roster = Roster()
    _ = roster.receivedPresence(Invented.presence(startedAt: 1), at: .now)
    #expect(roster.forget(Invented.kitchen) == nil && roster.peers[Invented.kitchen] != nil)
    _ = roster.left(Invented.kitchen)
    #expect(roster.forget(Invented.kitchen) == [.forgotten(Invented.kitchen), .presenceChanged])
    #expect(roster.peers.isEmpty && roster.forget(Invented.kitchen) == [])
  }

  let clock = Machine(Clock())
  let roster = Machine(Roster())
  let kitchen = Invented.kitchen

  private func hello(_ presence: NodePresence, hearsNothing: Bool = false, wantsSignals: Bool = false) -> Hello {
    Hello(
      presence: presence, inbox: "ipc://run/\(presence.id).inbox", wantsSignals: wantsSignals,
      hearsNothing: hearsNothing)
  }

  private func isAway() -> Bool? { roster.state.peers[kitchen]?.presence?.away }

  @Test func aNodeFoundIsGreetedOnce() {
    #expect(roster { $0.found([kitchen], at: clock.state.now) } == [.sayHello(kitchen)])
    #expect(roster { $0.found([kitchen], at: clock.state.now) } == [])
    #expect(roster.state.presences.isEmpty)
  }

  @Test func whoSaysHelloIsConnectedToAndGreetedBackOnce() {
    let actions = roster { $0.receivedHello(hello(Invented.presence()), at: clock.state.now) }
    #expect(
      Set(actions) == [.presenceChanged, .connect(kitchen, inbox: "ipc://run/\(kitchen).inbox"), .sayHello(kitchen)])
    #expect(roster { $0.receivedHello(hello(Invented.presence()), at: clock.state.now) } == [])
  }

  @Test func aPeerThatReceivesNothingIsConnectedToAgain() {
    _ = roster { $0.receivedHello(hello(Invented.presence()), at: clock.state.now) }
    let actions = roster { $0.receivedHello(hello(Invented.presence(), hearsNothing: true), at: clock.state.now) }
    #expect(actions == [.connect(kitchen, inbox: "ipc://run/\(kitchen).inbox")])
  }

  @Test func aClientGetsNoLease() {
    var client = hello(Invented.presence())
    client.inbox = nil
    #expect(roster { $0.receivedHello(client, at: clock.state.now) } == [])
    #expect(roster.state.peers.isEmpty)
  }

  @Test func threeMissedHeartbeatsAreAwayAndTheNextOneIsBack() {
    _ = roster { $0.receivedPresence(Invented.presence(), at: clock.state.now, isHeartbeat: true) }
    for _ in 0..<2 {
      clock { $0.pass(.seconds(1)) }
      #expect(!roster { $0.tick(at: clock.state.now) }.contains(.presenceChanged))
    }
    clock { $0.pass(.seconds(1)) }
    #expect(Set(roster { $0.tick(at: clock.state.now) }).isSuperset(of: [.presenceChanged, .away(kitchen)]))
    #expect(isAway() == true)
    #expect(
      roster { $0.receivedPresence(Invented.presence(), at: clock.state.now, isHeartbeat: true) } == [.presenceChanged])
    #expect(isAway() == false)
  }

  @Test func aLeaseThatNothingRenewsEndsAfterTenSeconds() {
    _ = roster { $0.receivedHello(hello(Invented.presence()), at: clock.state.now) }
    var ended: Int?
    for second in 1...12 where ended == nil {
      clock { $0.pass(.seconds(1)) }
      let actions = roster { $0.tick(at: clock.state.now) }
      if actions.contains(.disconnect(kitchen)) { ended = second }
    }
    #expect(ended == 10)
  }

  @Test func heartbeatsRenewTheLeaseOfTheirNode() {
    _ = roster { $0.receivedHello(hello(Invented.presence()), at: clock.state.now) }
    for _ in 1...60 {
      clock { $0.pass(.seconds(1)) }
      _ = roster { $0.receivedPresence(Invented.presence(), at: clock.state.now, isHeartbeat: true) }
      #expect(!roster { $0.tick(at: clock.state.now) }.contains(.disconnect(kitchen)))
    }
  }

  @Test func aSilentNodeIsGreetedEveryThreeSecondsAndOneThatBeatsEveryThirty() {
    _ = roster { $0.found([kitchen], at: clock.state.now) }
    _ = roster { $0.receivedPresence(Invented.presence(), at: clock.state.now) }
    var silent = 0
    for _ in 1...30 {
      clock { $0.pass(.seconds(1)) }
      silent += roster { $0.tick(at: clock.state.now) }.count { $0 == .sayHello(kitchen) }
    }
    #expect(silent == 10)
    var beating = 0
    for _ in 1...60 {
      clock { $0.pass(.seconds(1)) }
      _ = roster { $0.receivedPresence(Invented.presence(), at: clock.state.now, isHeartbeat: true) }
      beating += roster { $0.tick(at: clock.state.now) }.count { $0 == .sayHello(kitchen) }
    }
    #expect(beating == 2)
  }

  @Test func aRestartWithinTheLeaseIsGreetedAndConnectedToAtOnce() {
    _ = roster { $0.receivedHello(hello(Invented.presence(epoch: 1)), at: clock.state.now) }
    clock { $0.pass(.milliseconds(200)) }
    let actions = roster { $0.receivedHello(hello(Invented.presence(epoch: 2)), at: clock.state.now) }
    #expect(
      Set(actions) == [
        .restarted(kitchen), .presenceChanged, .sayHello(kitchen),
        .connect(kitchen, inbox: "ipc://run/\(kitchen).inbox"),
      ])
  }

  @Test func lateMessagesOfAFormerRunAreIgnored() {
    _ = roster { $0.receivedPresence(Invented.presence(epoch: 2), at: clock.state.now) }
    #expect(roster { $0.receivedPresence(Invented.presence(epoch: 1), at: clock.state.now, isHeartbeat: true) } == [])
    #expect(roster.state.presences.first?.epoch == 2)
    #expect(roster { $0.receivedHello(hello(Invented.presence(epoch: 1)), at: clock.state.now) } == [])
    #expect(roster.state.peers[kitchen]?.lease == nil)
  }

  @Test func aWipedJournalStartsAtOneAgainAndIsBelieved() {
    _ = roster {
      $0.receivedPresence(Invented.presence(epoch: 57, startedAt: 100, journal: "old"), at: clock.state.now)
    }
    let actions = roster {
      $0.receivedPresence(Invented.presence(epoch: 1, startedAt: 200, journal: "new"), at: clock.state.now)
    }
    #expect(actions.contains(.restarted(kitchen)))
    #expect(
      roster { $0.receivedPresence(Invented.presence(epoch: 57, startedAt: 100, journal: "old"), at: clock.state.now) }
        == [])
    #expect(roster.state.epoch(of: kitchen) == 1)
  }

  @Test func aNodeWhoseCounterWentBackIsBelievedOnceItsFormerSelfIsAway() {
    _ = roster { $0.receivedPresence(Invented.presence(epoch: 9, startedAt: 900, journal: nil), at: clock.state.now) }
    #expect(
      roster { $0.receivedPresence(Invented.presence(epoch: 3, startedAt: 300, journal: nil), at: clock.state.now) }
        == [])
    for _ in 1...4 {
      clock { $0.pass(.seconds(1)) }
      _ = roster { $0.tick(at: clock.state.now) }
    }
    let actions = roster {
      $0.receivedPresence(Invented.presence(epoch: 3, startedAt: 300, journal: nil), at: clock.state.now)
    }
    #expect(actions.contains(.restarted(kitchen)))
    #expect(roster.state.epoch(of: kitchen) == 3)
  }

  @Test func aHeartbeatThatComesAfterTheGoodbyeDoesNotBringItsNodeBack() {
    _ = roster { $0.receivedHello(hello(Invented.presence(epoch: 1)), at: clock.state.now) }
    #expect(Set(roster { $0.left(kitchen) }) == [.disconnect(kitchen), .presenceChanged, .away(kitchen)])
    #expect(roster { $0.receivedPresence(Invented.presence(epoch: 1), at: clock.state.now, isHeartbeat: true) } == [])
    #expect(roster { $0.receivedHello(hello(Invented.presence(epoch: 1)), at: clock.state.now) } == [])
    #expect(isAway() == true)
    #expect(!roster { $0.receivedPresence(Invented.presence(epoch: 2), at: clock.state.now) }.isEmpty)
    #expect(isAway() == false)
  }

  @Test func timeInWhichThisProcessDidNotRunIsNotHeldAgainstItsPeers() {
    _ = roster { $0.receivedHello(hello(Invented.presence()), at: clock.state.now) }
    _ = roster { $0.tick(at: clock.state.now) }
    clock { $0.pass(.seconds(60)) }
    #expect(roster { $0.tick(at: clock.state.now) }.allSatisfy { $0 == .sayHello(kitchen) })
    #expect(isAway() == false)
    for _ in 1...3 {
      clock { $0.pass(.seconds(1)) }
      _ = roster { $0.tick(at: clock.state.now) }
    }
    #expect(isAway() == true)
  }

  @Test(arguments: ["tap@p1", "replay@x", "guest@p2"]) func aTemporaryNodeIsForgotten(name: String) throws {
    let tap = try #require(NodeID(name))
    _ = roster { $0.receivedHello(hello(Invented.presence(tap)), at: clock.state.now) }
    for _ in 1...11 {
      clock { $0.pass(.seconds(1)) }
      _ = roster { $0.tick(at: clock.state.now) }
    }
    #expect(roster.state.peers.isEmpty)
    _ = roster { $0.receivedHello(hello(Invented.presence(tap, epoch: 2)), at: clock.state.now) }
    #expect(roster { $0.left(tap) }.contains(.forgotten(tap)))
    #expect(roster.state.peers.isEmpty)
  }

  @Test func aServiceThatIsGoneStaysOnTheRosterAndOneThatNeverSpokeDoesNot() {
    _ = roster { $0.receivedPresence(Invented.presence(), at: clock.state.now) }
    _ = roster { $0.found([.library], at: clock.state.now) }
    for _ in 1...100 {
      clock { $0.pass(.seconds(1)) }
      _ = roster { $0.tick(at: clock.state.now) }
    }
    #expect(Array(roster.state.peers.keys) == [kitchen])
    #expect(roster { $0.found([.library], at: clock.state.now) } == [.sayHello(.library)])
  }

  @Test func theStartNumberIsUnknownBetweenANewRequestSocketAndItsFirstMessage() {
    _ = roster { $0.receivedPresence(Invented.presence(epoch: 4), at: clock.state.now) }
    #expect(roster.state.epoch(of: kitchen) == 4)
    #expect(roster { $0.appeared(kitchen, at: clock.state.now) } == [.sayHello(kitchen)])
    #expect(roster.state.epoch(of: kitchen) == nil)
    _ = roster { $0.receivedPresence(Invented.presence(epoch: 5), at: clock.state.now) }
    #expect(roster.state.epoch(of: kitchen) == 5)
  }

  @Test func signalsAreWantedWhileALeaseAsksForThem() {
    #expect(!roster.state.someoneWantsSignals)
    _ = roster { $0.receivedHello(hello(Invented.presence(), wantsSignals: true), at: clock.state.now) }
    #expect(roster.state.someoneWantsSignals)
    _ = roster { $0.left(kitchen) }
    #expect(!roster.state.someoneWantsSignals)
  }
}

import Model
import TestSupport
import Testing

@testable import Bus

/// The decisions about nodes on several machines, without a network.
@Suite struct NetworkRulesTests {
  @Test(arguments: [
    ("tcp://10.0.0.2:7800", "10.0.0.2", 7800), ("10.0.0.2", "10.0.0.2", 7700), ("attic.lan:80", "attic.lan", 80),
    ("tcp://[fd00::2]:7702", "fd00::2", 7702), ("fd00::2", "fd00::2", 7700), ("tcp://*", "*", 7700),
  ])
  func anAddressIsReadAndWritten(text: String, host: String, port: Int) throws {
    let address = try #require(TCPAddress(text))
    #expect(address.host == host)
    #expect(Int(address.port) == port)
    #expect(TCPAddress(address.description) == address)
  }

  @Test(arguments: [
    "", "tcp://", "tcp://:7700", "a b", "host:0", "host:99999", "host:x", "[fd00::2", "[host]:1", "[fd00::2]x",
    "fe80::1%eth0", "host/..",
  ])
  func invalidAddressesAreRefused(text: String) { #expect(TCPAddress(text) == nil) }

  @Test func onlyThisMachineIsLoopback() {
    let own = ["127.0.0.1", "127.8.8.8", "localhost", "[::1]:80"]
    #expect(own.allSatisfy { TCPAddress($0)?.isLoopback == true })
    let others = ["128.0.0.1", "127.0.0.1.example", "127.0.0.256", "0.0.0.0", "*", "[::]:1", "localhost.lan"]
    #expect(others.allSatisfy { TCPAddress($0)?.isLoopback == false })
  }

  @Test func theHigherTermWinsThenTheGreaterIdentityThenTheLaterStart() {
    let old = Claim(identity: "b", term: 1, start: 9)
    #expect(Claim(identity: "a", term: 2, start: 1).beats(old))
    #expect(!Claim(identity: "a", term: 1, start: 99).beats(old))
    #expect(Claim(identity: "c", term: 1, start: 1).beats(old))
    #expect(Claim(identity: "b", term: 1, start: 10).beats(old))
    #expect(!old.beats(old))
    #expect(Claim(identity: "a", term: 0, start: 1).takingOver(from: [old]).beats(old))
    #expect(
      Claim(identity: "a", term: 0, start: 1).takingOver(from: [Claim(identity: "b", term: .max, start: 1)]).term
        == .max)
  }

  private func entry(_ name: String, away: Bool = false) -> RosterEntry {
    RosterEntry(
      id: .playback(RoomName(from: name)), claim: Claim(identity: name, term: 0, start: 1),
      endpoints: Endpoints(inbox: "tcp://10.0.0.2:7700", requests: "tcp://10.0.0.2:7701"), away: away)
  }

  @Test func aHolderLeavesItsNameOnlyToABetterClaimOfOneThatIsThere() {
    let holder = Claim(identity: "c", term: 1, start: 1)
    func told(_ identity: String, term: Int64, away: Bool = false) -> Claim.Answer {
      var rival = entry("den", away: away)
      rival.claim = Claim(identity: identity, term: term, start: 7)
      return holder.answer(to: rival)
    }
    #expect(told("d", term: 1) == .giveUp)
    #expect(told("a", term: 2) == .giveUp)
    #expect(told("a", term: 2, away: true) == .giveUp)
    #expect(told("a", term: 1) == .keep)
    #expect(told("c", term: 5) == .keep)
    #expect(told("d", term: 0) == .keep)
    #expect(told("d", term: 1, away: true) == .raiseTerm(Claim(identity: "c", term: 2, start: 1)))
  }

  @Test func aNodeSilentForAMonthIsNoLongerLookedFor() {
    var kept = KeptRoster()
    let day = Milliseconds(86_400_000)
    let start = Timestamp(seconds: 1_800_000_000)
    kept.update([(entry("den"), .zero), (entry("attic"), .zero)], at: start)
    kept.update(
      [(entry("den"), .zero), (entry("attic", away: true), Milliseconds(29 * day.rawValue))],
      at: start - Milliseconds(-29 * day.rawValue))
    #expect(kept.nodes.map(\.entry.id.name) == ["attic", "den"])
    kept.update(
      [(entry("den"), .zero), (entry("attic", away: true), Milliseconds(31 * day.rawValue))],
      at: start - Milliseconds(-31 * day.rawValue))
    #expect(kept.nodes.map(\.entry.id.name) == ["den"])
  }

  @Test func aStoredRosterIsReadAgainAndABrokenFileGivesAnEmptyOne() throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/kept.json"
    var kept = KeptRoster()
    kept.term = 3
    kept.isDisplaced = true
    kept.update([(entry("den"), .zero)], at: Timestamp(seconds: 1_800_000_000))
    try FileWriter.write(try kept.encoded(), to: path)
    #expect(KeptRoster(from: path) == kept)
    #expect(KeptRoster(from: folder.path + "/none.json") == KeptRoster())
    #expect(throws: LunaraError.self) { try FileWriter.write([], to: folder.path + "/no/such/folder.json") }
  }

  @Test func aRosterBelievesNeitherALesserClaimNorALateWordOfAFormerRun() {
    var roster = Roster()
    let now = ContinuousClock.now
    var holder = Invented.presence(epoch: 5, journal: "b")
    holder.endpoints = entry("x").endpoints
    holder.term = 1
    _ = roster.receivedPresence(holder, at: now, isLocal: false)
    var rival = Invented.presence(epoch: 9, journal: "z")
    rival.endpoints = holder.endpoints
    #expect(roster.holder(against: rival, isLocal: false) == holder.claim)
    #expect(roster.receivedPresence(rival, at: now, isLocal: false).isEmpty)
    rival.term = 2
    #expect(roster.holder(against: rival, isLocal: false) == nil)
    var former = holder
    former.epoch = 4
    #expect(roster.knowsLaterRun(than: former))
    #expect(!roster.knowsLaterRun(than: holder))
  }

  @Test func whoWakesFromASleepHoldsItAgainstNobodyAndTakesNobodyForPresentLonger() {
    var roster = Roster()
    let start = ContinuousClock.now
    _ = roster.receivedPresence(Invented.presence(), at: start, isHeartbeat: true)
    _ = roster.tick(at: start + .seconds(1))
    // The machine slept for an hour; the first frame it reads is a heartbeat that had waited.
    let woke = start + .seconds(3600)
    _ = roster.receivedPresence(Invented.presence(), at: woke, isHeartbeat: true)
    _ = roster.tick(at: woke)
    #expect(roster.peers[Invented.kitchen]?.presence?.away == false)
    _ = roster.tick(at: woke + .seconds(1))
    _ = roster.tick(at: woke + .seconds(2))
    _ = roster.tick(at: woke + .seconds(3))
    #expect(roster.peers[Invented.kitchen]?.presence?.away == true)
  }

  @Test func aNodeOnAnotherMachineThatIsNotHeardIsDialledAfreshEachSecond() {
    var roster = Roster()
    let start = ContinuousClock.now
    #expect(roster.receivedEntries([entry("den")], at: start) == [.sayHello(entry("den").id)])
    for second in 1...5 {
      let actions = roster.tick(at: start + .seconds(second))
      #expect(actions.contains(.redial(entry("den").id)) && actions.contains(.sayHello(entry("den").id)))
    }
    // A node known only from others is forgotten after a while; one that was known before the restart never is.
    var kept = Roster()
    _ = kept.receivedEntries([entry("den")], at: start, isKept: true)
    for second in 1...40 {
      _ = roster.tick(at: start + .seconds(second))
      _ = kept.tick(at: start + .seconds(second))
    }
    #expect(roster.peers.isEmpty)
    #expect(kept.peers.count == 1)
    #expect(kept.entries.map(\.away) == [true])
  }
}

import Testing

@testable import ServiceKit

/// The calls to Avahi's daemon, and the seeds that result.
@Suite struct DiscoveryTests {
  private let start = ContinuousClock.now
  private let ours = "00112233aabbccdd"

  private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  private func service(_ name: String, on interface: Int32 = 2) -> DiscoveredService {
    DiscoveredService(interface: interface, family: 0, name: name, domain: "local")
  }

  private func details(_ address: String, tag: String? = nil, port: UInt16 = 7700) -> ServiceDetails {
    ServiceDetails(address: address, port: port, txtRecords: ["x=1"] + ServiceDetails.txtRecords(tags: [tag ?? ours]))
  }

  private func fresh() -> MachineDiscovery { MachineDiscovery(port: 7700, tags: [ours], at: start) }

  /// Returns a discovery that is connected to a daemon.
  private func met() -> MachineDiscovery {
    var discovery = fresh()
    _ = discovery.handle(.passed, at: start)
    _ = discovery.handle(.daemonReady(host: "attic"), at: start)
    _ = discovery.handle(.announced, at: start)
    return discovery
  }

  private let announcement = MachineDiscovery.Action.announce(
    name: "Lunara on attic, port 7700 (00112233)", port: 7700, txtRecords: ["tag=00112233aabbccdd"])

  @Test func aDaemonThatIsReadyListsServicesAndAnnouncesThisMachine() {
    var discovery = fresh()
    #expect(discovery.handle(.passed, at: start) == [.connect])
    #expect(discovery.handle(.daemonBusy, at: start).isEmpty)
    #expect(discovery.handle(.daemonReady(host: "attic"), at: start) == [.browse, announcement])
    #expect(discovery.handle(.daemonReady(host: "attic"), at: at(1)).isEmpty)
  }

  @Test func aNameFitsIntoALabelHoweverLongTheHostIs() throws {
    var discovery = fresh()
    let actions = discovery.handle(.daemonReady(host: String(repeating: "ä-long-host", count: 9)), at: start)
    guard case .announce(let name, _, _) = try #require(actions.last) else {
      Issue.record("nothing is announced")
      return
    }
    #expect(name.utf8.count <= 63)
  }

  @Test func aMachineOfTheHouseholdIsASeedAndOneOfAnotherIsNot() {
    var discovery = met()
    let (den, other) = (service("den"), service("other"))
    #expect(discovery.handle(.appeared(den, isOwn: false), at: start) == [.resolve(den)])
    #expect(discovery.handle(.resolved(den, details("10.0.0.2")), at: start) == [.reportSeeds(["tcp://10.0.0.2:7700"])])
    #expect(discovery.handle(.appeared(other, isOwn: false), at: start) == [.resolve(other)])
    #expect(discovery.handle(.resolved(other, details("10.0.0.3", tag: "ff")), at: start).isEmpty)
    #expect(discovery.handle(.vanished(den), at: start) == [.reportSeeds([])])
  }

  @Test func thisMachineIsNoSeedOfItsOwn() {
    var discovery = met()
    #expect(discovery.handle(.appeared(service("attic"), isOwn: true), at: start).isEmpty)
  }

  @Test(arguments: [
    ("10.0.0.2", UInt16(7700), "tcp://10.0.0.2:7700"), ("fd00::2", 7702, "tcp://[fd00::2]:7702"),
    ("fe80::2", 7700, nil), ("FE80::2", 7700, nil), ("", 7700, nil), ("10.0.0.2", 0, nil),
  ])
  func onlyWhatCanBeDialledIsASeed(address: String, port: UInt16, seed: String?) {
    #expect(details(address, port: port).seed(ofOneOf: ["x", ours]) == seed)
  }

  @Test func duringARotationOneTagInCommonIsEnough() {
    let both = ServiceDetails(
      address: "10.0.0.2", port: 1, txtRecords: ServiceDetails.txtRecords(tags: ["new", "old"]))
    #expect(both.seed(ofOneOf: ["old"]) != nil)
    #expect(both.seed(ofOneOf: ["older"]) == nil)
    #expect(ServiceDetails(address: "10.0.0.2", port: 1, txtRecords: []).seed(ofOneOf: ["old"]) == nil)
  }

  @Test func oneMachineSeenOverTwoDevicesIsOneSeed() {
    var discovery = met()
    for interface in [2, 3] as [Int32] {
      _ = discovery.handle(.appeared(service("den", on: interface), isOwn: false), at: start)
      _ = discovery.handle(.resolved(service("den", on: interface), details("10.0.0.2")), at: start)
    }
    #expect(discovery.handle(.vanished(service("den", on: 3)), at: start).isEmpty)
    #expect(discovery.handle(.vanished(service("den")), at: start) == [.reportSeeds([])])
  }

  @Test func whatWasFoundStaysInUseWhileTheDaemonIsAwayAndIsCheckedWhenItReturns() {
    var discovery = met()
    for name in ["den", "loft"] {
      _ = discovery.handle(.appeared(service(name), isOwn: false), at: start)
      _ = discovery.handle(.resolved(service(name), details(name == "den" ? "10.0.0.2" : "10.0.0.3")), at: start)
    }
    #expect(discovery.handle(.daemonAway, at: at(5)).isEmpty)
    #expect(discovery.handle(.daemonReady(host: "attic"), at: at(900)) == [.browse, announcement])
    #expect(discovery.handle(.appeared(service("den"), isOwn: false), at: at(901)) == [.resolve(service("den"))])
    #expect(discovery.handle(.passed, at: at(929)).isEmpty)
    #expect(discovery.handle(.passed, at: at(930)) == [.reportSeeds(["tcp://10.0.0.2:7700"])])
  }

  @Test func aBusThatIsMissingIsTriedAgainMoreAndMoreSlowly() {
    var discovery = fresh()
    _ = discovery.handle(.passed, at: start)
    _ = discovery.handle(.disconnected, at: start)
    var tries: [Int] = []
    for second in 1...240 where discovery.handle(.passed, at: at(second)).contains(.connect) {
      tries.append(second)
      _ = discovery.handle(.disconnected, at: at(second))
    }
    #expect(tries == [1, 3, 7, 15, 31, 63, 123, 183])
  }

  @Test func aPersonHearsOnceThatThereIsNoDaemonAndOnlyAfterAWhile() {
    var discovery = fresh()
    _ = discovery.handle(.passed, at: start)
    #expect(discovery.handle(.daemonAway, at: start).isEmpty)
    #expect(discovery.handle(.passed, at: at(9)).isEmpty)
    #expect(discovery.handle(.passed, at: at(10)) == [.reportMissing])
    _ = discovery.handle(.daemonReady(host: "attic"), at: at(20))
    _ = discovery.handle(.daemonAway, at: at(30))
    #expect(!discovery.handle(.passed, at: at(99)).contains(.reportMissing))
  }

  @Test func aDaemonThatDidNotAnswerIsAskedAgainAfterAMinute() {
    var discovery = fresh()
    _ = discovery.handle(.passed, at: start)
    for minute in 1...3 {
      _ = discovery.handle(.daemonAway, at: at(60 * minute - 60))
      #expect(!discovery.handle(.passed, at: at(60 * minute - 1)).contains(.connect))
      #expect(discovery.handle(.passed, at: at(60 * minute)).contains(.connect))
    }
    #expect(discovery.handle(.daemonReady(host: "attic"), at: at(181)) == [.browse, announcement])
    #expect(discovery.handle(.passed, at: at(200)).isEmpty)
  }

  @Test func aDaemonThatStopsForLongIsAWarningAndOneThatRestartsIsNone() {
    var discovery = met()
    _ = discovery.handle(.daemonAway, at: at(60))
    _ = discovery.handle(.daemonReady(host: "attic"), at: at(62))
    #expect(discovery.handle(.passed, at: at(75)).isEmpty)
    _ = discovery.handle(.daemonAway, at: at(80))
    #expect(discovery.handle(.passed, at: at(90)) == [.reportMissing])
  }

  @Test func aRefusedAnnouncementIsTriedAgainLaterAndAtOnceWhenTheOtherOneEnds() {
    var discovery = met()
    #expect(discovery.handle(.refused, at: start).isEmpty)
    #expect(discovery.handle(.passed, at: at(29)).isEmpty)
    #expect(discovery.handle(.passed, at: at(30)) == [announcement])
    _ = discovery.handle(.refused, at: at(30))
    let own = service("Lunara on attic, port 7700 (00112233)")
    #expect(discovery.handle(.vanished(own), at: at(31)) == [announcement])
  }

  @Test func anotherHostNameOrOtherKeysAreAnnouncedInThePlaceOfTheFormer() {
    var discovery = met()
    let renamed = discovery.handle(.daemonReady(host: "attic-2"), at: at(1))
    #expect(renamed.first == .withdraw && renamed.count == 2)
    _ = discovery.handle(.announced, at: at(1))
    #expect(discovery.handle(.tags([ours]), at: at(2)).isEmpty)
    let rekeyed = discovery.handle(.tags(["ff", ours]), at: at(2))
    #expect(rekeyed.first == .withdraw && rekeyed.count == 2)
    #expect(discovery.handle(.daemonBusy, at: at(3)) == [.withdraw])
  }

  @Test func aServiceWithoutAnAnswerIsResolvedAgain() {
    var discovery = met()
    _ = discovery.handle(.appeared(service("den"), isOwn: false), at: start)
    #expect(discovery.handle(.resolved(service("den"), nil), at: start).isEmpty)
    #expect(discovery.nextDue == at(15))
    #expect(discovery.handle(.passed, at: at(15)) == [.resolve(service("den"))])
    _ = discovery.handle(.resolved(service("den"), details("10.0.0.2")), at: at(15))
    // A later request may stay without an answer: the known address stays.
    #expect(discovery.handle(.passed, at: at(135)) == [.resolve(service("den"))])
    #expect(discovery.handle(.resolved(service("den"), nil), at: at(136)).isEmpty)
  }

  @Test func theNumberOfServicesIsLimited() {
    var discovery = met()
    var asked = 0
    for number in 0..<500 {
      asked += discovery.handle(.appeared(service("s\(number)"), isOwn: false), at: start).count
    }
    #expect(asked == 64)
    var told: [String] = []
    for number in 0..<500 {
      for case .reportSeeds(let seeds) in discovery.handle(
        .resolved(service("s\(number)"), details("10.0.1.\(number % 250)")), at: start)
      { told = seeds }
    }
    #expect(told.count == 16)
  }

  @Test func aListThatFailsIsAskedForAgain() {
    var discovery = met()
    #expect(discovery.handle(.browserFailed, at: at(1)).isEmpty)
    #expect(discovery.handle(.passed, at: at(31)) == [.browse])
  }
}

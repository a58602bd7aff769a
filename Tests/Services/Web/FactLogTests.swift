import Bus
import Model
import Testing

@testable import lunara_web

@Suite struct FactLogTests {
  private let library = NodeID.library
  private let kitchen = NodeID.playback(RoomName(from: "kitchen"))

  private func say(
    _ log: inout FactLog, _ node: NodeID, _ seq: Int64, journal: String = "j", epoch: Int64 = 1, isOld: Bool = false,
    isTold: Bool = true,
    size: Int = 4
  ) {
    let place = EventID.Place(journal: journal, epoch: epoch, seq: seq)
    log.record(place, of: node)
    let text = Array("\(node.role.prefix(1))\(seq)".utf8)
    if isTold {
      log.add(
        .init(
          node: node, place: place, isOld: isOld, json: text + Array(repeating: 32, count: max(0, size - text.count)))
      )
    }
  }

  private func told(_ log: FactLog, _ reader: inout FactReader) -> [String] {
    log.read(&reader).facts.map { String(decoding: $0.json, as: UTF8.self).replacing(" ", with: "") }
  }

  @Test func aNewBrowserGetsOnlyFactsFromThenOn() {
    var log = FactLog()
    say(&log, library, 7)
    var reader = log.newReader()
    #expect(told(log, &reader).isEmpty)
    say(&log, library, 8)
    say(&log, kitchen, 1)
    #expect(told(log, &reader) == ["l8", "p1"])
    #expect(told(log, &reader).isEmpty)
  }

  @Test func oldFactsAreNotSentToANewBrowser() {
    var log = FactLog()
    var reader = log.newReader()
    say(&log, library, 7, isOld: true)
    say(&log, library, 8, isOld: true)
    say(&log, kitchen, 1)
    #expect(told(log, &reader) == ["p1"])
  }

  @Test func aReturningBrowserGetsEachMissedFactOnceInOrder() throws {
    var log = FactLog()
    say(&log, library, 7)
    var reader = log.newReader()
    say(&log, library, 8)
    let id = try #require(log.read(&reader).facts.last?.id)
    say(&log, kitchen, 1)
    say(&log, library, 9, isTold: false)
    say(&log, library, 10)
    var back = log.reader(at: try #require(EventID(id.text)))
    let (isLost, facts) = log.read(&back)
    #expect(!isLost)
    #expect(facts.map { String(decoding: $0.json, as: UTF8.self).replacing(" ", with: "") } == ["p1", "l10"])
    say(&log, kitchen, 2)
    #expect(told(log, &back) == ["p2"])
  }

  @Test func aServiceThatWasStartedAnewGoesOnWhereTheOldOneWas() throws {
    // The new service reads older facts from the journals, after the browser has come back.
    var log = FactLog()
    var back = log.reader(at: try #require(EventID("library@main:j:1.8,playback@kitchen:k:1.3")))
    #expect(told(log, &back).isEmpty)
    for seq in 6...10 as ClosedRange<Int64> { say(&log, library, seq, isOld: true) }
    let (isLost, facts) = log.read(&back)
    #expect(!isLost && facts.count == 2)
    #expect(facts.last?.id.text == "library@main:j:1.10,playback@kitchen:k:1.3")
  }

  @Test func aBrowserThatMissedDroppedFactsIsToldSo() throws {
    var log = FactLog()
    say(&log, library, 500)
    var back = log.reader(at: try #require(EventID("library@main:j:1.480")))
    #expect(log.read(&back).isLost)
    #expect(!log.read(&back).isLost)
    // A browser that does not read while more happens than the log keeps has missed facts, too.
    var slow = log.newReader()
    for seq in 501...(501 + Int64(FactLog.most)) { say(&log, library, seq) }
    #expect(log.read(&slow).isLost)
    #expect(!log.read(&slow).isLost)
  }

  @Test func aNumberThatIsGivenAgainAfterAPowerCutIsNews() throws {
    var log = FactLog()
    say(&log, kitchen, 97)
    var live = log.newReader()
    for seq in 98...100 as ClosedRange<Int64> { say(&log, kitchen, seq) }
    #expect(told(log, &live) == ["p98", "p99", "p100"])
    for seq in 98...100 as ClosedRange<Int64> { say(&log, kitchen, seq, epoch: 2) }
    #expect(told(log, &live) == ["p98", "p99", "p100"])
    var back = log.reader(at: try #require(EventID("playback@kitchen:j:1.100")))
    #expect(told(log, &back) == ["p98", "p99", "p100"])
  }

  @Test func factsOfTwoJournalsOfANodeAreSentOnce() throws {
    var log = FactLog()
    var live = log.newReader()
    for seq in 481...483 as ClosedRange<Int64> { say(&log, library, seq, journal: "old") }
    say(&log, library, 1, journal: "new")
    // The old journal is still being read.
    say(&log, library, 484, journal: "old")
    let facts = log.read(&live).facts
    #expect(facts.count == 5)
    say(&log, library, 2, journal: "new")
    let last = try #require(facts.last)
    var back = log.reader(at: try #require(EventID(last.id.text)))
    let (isLost, rest) = log.read(&back)
    #expect(!isLost && rest.map { String(decoding: $0.json, as: UTF8.self).replacing(" ", with: "") } == ["l2"])
  }

  @Test func aBrowserFromBeforeTheFirstFactGetsTheMissedOnesOrALoss() throws {
    var log = FactLog()
    var early = log.newReader()
    #expect(log.read(&early).facts.isEmpty && EventID(early.seen).text == "-")
    say(&log, kitchen, 1)
    var back = log.reader(at: try #require(EventID("-")))
    #expect(told(log, &back) == ["p1"])
    // After a restart, facts that the browser may have missed or received are read again.
    var anew = log.reader(at: try #require(EventID("-")))
    say(&log, library, 7, isOld: true)
    say(&log, library, 8, isOld: true)
    let (isLost, facts) = log.read(&anew)
    #expect(isLost && facts.count == 1)
    #expect(!log.read(&anew).isLost)
  }

  @Test func aLongIDIsNotRepeatedWithoutLimit() throws {
    let places = (0..<120).map { "playback@room-\($0):journal-of-this-one-that-is-long:1.\($0)" }
    let id = try #require(EventID(places.joined(separator: ",")))
    #expect(EventID((places + places).joined(separator: ",")) == nil)
    var log = FactLog()
    var back = log.reader(at: id)
    for seq in 1...1000 as ClosedRange<Int64> { say(&log, library, seq) }
    var told = 0
    while case let facts = log.read(&back).facts, !facts.isEmpty {
      told += facts.count
      let size = facts.reduce(0) { $0 + $1.json.count + $1.id.text.utf8.count }
      #expect(size < FactLog.mostAtOnce + EventID.longest + 100)
    }
    #expect(told == 1000)
  }

  @Test func aJournalThatBeginsAnewIsReadFromItsBeginning() throws {
    var log = FactLog()
    var back = log.reader(at: try #require(EventID("library@main:old:1.480")))
    say(&log, library, 1, journal: "new")
    #expect(told(log, &back) == ["l1"])
  }

  @Test func largeFactsDoNotGrowTheLog() {
    var log = FactLog()
    var reader = log.newReader()
    for seq in 1...100 as ClosedRange<Int64> { say(&log, library, seq, size: FactLog.mostBytes / 10) }
    var count = 0
    while case let facts = log.read(&reader).facts, !facts.isEmpty { count += facts.count }
    #expect(count == 10)
  }

  @Test(arguments: [
    "7.3", "", "library@main:j", "library@main:j:x", "x:y:1.1", "library@main::1.1",
    ",", "a@b:c:1.1:2", "library@main:j:12", "library@main:j:1.", "-,-",
  ])
  func aMalformedEventIDIsRefused(text: String) { #expect(EventID(text) == nil) }
}

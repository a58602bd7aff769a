import Bus
import Model
import Testing

@testable import lunara_web

@Suite struct FactLogTests {
  private let library = NodeID.library
  private let kitchen = NodeID.playback(RoomName(from: "kitchen"))

  private func say(
    _ log: inout FactLog, _ node: NodeID, _ seq: Int64, journal: String = "j", isOld: Bool = false, isTold: Bool = true,
    size: Int = 4
  ) {
    let place = EventID.Place(journal: journal, seq: seq)
    log.note(place, of: node)
    let text = Array("\(node.role.prefix(1))\(seq)".utf8)
    if isTold {
      log.add(
        .init(
          node: node, place: place, isOld: isOld, json: text + Array(repeating: 32, count: max(0, size - text.count))))
    }
  }

  private func told(_ log: FactLog, _ reader: inout FactReader) -> [String] {
    log.read(&reader).news.map { String(decoding: $0.json, as: UTF8.self).replacing(" ", with: "") }
  }

  @Test func whoHasJustComeHearsOnlyWhatHappensFromThenOn() {
    var log = FactLog()
    say(&log, library, 7)
    var reader = log.newcomer()
    #expect(told(log, &reader).isEmpty)
    say(&log, library, 8)
    say(&log, kitchen, 1)
    #expect(told(log, &reader) == ["l8", "p1"])
    #expect(told(log, &reader).isEmpty)
  }

  @Test func whatHappenedLongAgoIsNoNewsToWhoHasJustCome() {
    var log = FactLog()
    var reader = log.newcomer()
    say(&log, library, 7, isOld: true)
    say(&log, library, 8, isOld: true)
    say(&log, kitchen, 1)
    #expect(told(log, &reader) == ["p1"])
  }

  @Test func whoComesBackIsToldEachFactThatItMissedOnceAndInOrder() throws {
    var log = FactLog()
    say(&log, library, 7)
    var reader = log.newcomer()
    say(&log, library, 8)
    let id = try #require(log.read(&reader).news.last?.id)
    say(&log, kitchen, 1)
    say(&log, library, 9, isTold: false)
    say(&log, library, 10)
    var back = log.returner(at: try #require(EventID(id.text)))
    let (isLost, news) = log.read(&back)
    #expect(!isLost)
    #expect(news.map { String(decoding: $0.json, as: UTF8.self).replacing(" ", with: "") } == ["p1", "l10"])
    say(&log, kitchen, 2)
    #expect(told(log, &back) == ["p2"])
  }

  @Test func aServiceThatWasStartedAnewGoesOnWhereTheOldOneWas() throws {
    // The new one reads the journals from some time ago on, after the browser has come back.
    var log = FactLog()
    var back = log.returner(at: try #require(EventID("library@main:j:8,playback@kitchen:k:3")))
    #expect(told(log, &back).isEmpty)
    for seq in 6...10 as ClosedRange<Int64> { say(&log, library, seq, isOld: true) }
    let (isLost, news) = log.read(&back)
    #expect(!isLost && news.count == 2)
    #expect(news.last?.id.text == "library@main:j:10,playback@kitchen:k:3")
  }

  @Test func whoMissedMoreThanIsKeptIsToldSo() throws {
    var log = FactLog()
    say(&log, library, 500)
    var back = log.returner(at: try #require(EventID("library@main:j:480")))
    #expect(log.read(&back).isLost)
    #expect(!log.read(&back).isLost)
    // As is one that does not read while more happens than is kept.
    var slow = log.newcomer()
    for seq in 501...(501 + Int64(FactLog.most)) { say(&log, library, seq) }
    #expect(log.read(&slow).isLost)
    #expect(!log.read(&slow).isLost)
  }

  @Test func aJournalThatBeginsAnewIsReadFromItsBeginning() throws {
    var log = FactLog()
    var back = log.returner(at: try #require(EventID("library@main:old:480")))
    say(&log, library, 1, journal: "new")
    #expect(told(log, &back) == ["l1"])
  }

  @Test func largeFactsDoNotGrowTheLog() {
    var log = FactLog()
    var reader = log.newcomer()
    for seq in 1...100 as ClosedRange<Int64> { say(&log, library, seq, size: FactLog.mostBytes / 10) }
    #expect(log.read(&reader).news.count == 10)
  }

  @Test(arguments: ["7.3", "", "library@main:j", "library@main:j:x", "x:y:1", "library@main::1", ",", "a@b:c:1:2"])
  func anIdOfAnotherFormIsNotUnderstood(text: String) { #expect(EventID(text) == nil) }
}

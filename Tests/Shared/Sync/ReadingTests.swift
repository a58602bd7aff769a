import Model
import Testing

@testable import Sync

@Suite struct ReadingTests {
  @Test func pagesOfAListThatStaysAreOneReading() {
    var reading = PagedReading<String>()
    reading.add(["a", "b"], total: 3, snapshot: "s")
    #expect(reading.complete() == nil && reading.offset == 2 && !reading.isSpoilt)
    reading.add(["c"], total: 3, snapshot: "s")
    #expect(reading.complete() == ["a", "b", "c"])
  }

  @Test func aListThatChangesWhileItIsReadIsNoReading() {
    var grown = PagedReading<String>()
    grown.add(["a", "b"], total: 3)
    grown.add(["b", "c"], total: 4)
    #expect(grown.isSpoilt && grown.complete() == nil)
    var changed = PagedReading<String>()
    changed.add(["a"], total: 2, snapshot: "s")
    changed.add(["b"], total: 2, snapshot: "t")
    #expect(changed.complete() == nil)
    var long = PagedReading<String>()
    long.add(["a", "b"], total: 1)
    #expect(long.complete() == nil)
  }

  @Test func anEntryThatOccursTwiceSpoilsAReadingWhereItMayNot() {
    var reading = PagedReading<String>()
    reading.add(["a"], total: 2)
    reading.add(["a"], total: 2)
    #expect(reading.complete() == ["a", "a"])
    #expect(reading.complete { $0 } == nil)
  }

  @Test func anEmptyListIsAReadingAndNoAnswerIsNone() {
    var reading = PagedReading<String>()
    #expect(reading.complete() == nil)
    reading.add([], total: 0)
    #expect(reading.complete() == [])
  }
}

@Suite struct ListTwinTests {
  private let mark = ListTwin.mark(of: "p12", in: "7f3a")

  private func find(_ lists: [RemoteListInfo], stored: String? = nil, linked: Set<String> = []) -> ListTwin.Finding {
    ListTwin.find(title: "Road Trip", mark: mark, stored: stored, among: lists, linked: linked)
  }

  @Test func theStoredIDTheMarkAndTheTitleAreTriedInThisOrder() {
    let other = RemoteListInfo(native: "1", title: "Other")
    let named = RemoteListInfo(native: "2", title: "road trip!")
    let marked = RemoteListInfo(native: "3", title: "Renamed", summary: ListTwin.marked("For the car.", mark))
    #expect(find([other, named, marked], stored: "1") == .twin("1"))
    #expect(find([other, named, marked], stored: "gone") == .twin("3"))
    #expect(find([other, named]) == .namesakes(["2"]))
    #expect(find([other]) == .none)
    #expect(find([named], linked: ["2"]) == .none)
    #expect(find([RemoteListInfo(native: "4", title: "Road Trip", isEditable: false)]) == .none)
    // The mark of another list of ours, or of another library, is not its mark.
    let foreign = RemoteListInfo(native: "5", title: "Other", summary: ListTwin.mark(of: "p1", in: "7f3a"))
    #expect(find([foreign]) == .none)
  }

  @Test func aMarkStandsBehindWhatAPersonWroteAndIsTakenOff() {
    let summary = ListTwin.marked("For the car.", mark)
    #expect(summary == "For the car. [lunara:7f3a:p12]")
    #expect(ListTwin.marked(summary, mark) == summary)
    #expect(ListTwin.withoutMarks(summary) == "For the car." && ListTwin.withoutMarks(mark).isEmpty)
    #expect(ListTwin.withoutMarks("[lunara: is] a word") == "[lunara: is] a word")
    #expect(ListTwin.marked("", mark) == mark && ListTwin.marked(mark, mark) == mark)
  }

  @Test func aNamesakeIsTheTwinIfTheContentsAgree() throws {
    func lists(_ here: String, _ there: String) throws -> (here: [LocalEntry], there: [RemoteEntry]) {
      (try ListPair(here, .plex).local.entries, try ListPair(there, .plex).remote.entries)
    }
    for (here, there, isSame) in [
      ("abcd", "cdef", true), ("abcd", "defg", false), ("", "abc", true), ("abc", "", true), ("ab", "xbyzw", true),
      ("abc", "xyz", false),
    ] {
      let sides = try lists(here, there)
      #expect(ListTwin.isSame(sides.here, sides.there) == isSame, "\(here) and \(there)")
    }
  }
}

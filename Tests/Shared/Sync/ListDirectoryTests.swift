import Model
import Testing

@testable import Sync

@Suite struct ListDirectoryTests {
  private var directory = ListDirectory()
  private let start = Timestamp(seconds: 1_000_000)

  private static func there(_ natives: String...) -> [RemoteListInfo] {
    natives.map { RemoteListInfo(native: $0, title: "List \($0)") }
  }

  /// Compares, and makes here what the provider has, with the same ids.
  @discardableResult private mutating func compare(
    _ reading: [RemoteListInfo], _ local: [LocalListInfo], deselected: Set<String> = [],
    different: [String: Set<String>] = [:], direction: SyncDirection = .both, answer: RemovalAnswer? = nil,
    days: Int64 = 0
  ) -> ListDirectoryPlan {
    let plan = directory.compare(
      reading, local: local, library: "lib", deselected: deselected, different: different, direction: direction,
      answer: answer, at: Timestamp(seconds: 1_000_000 + days * 86_400))
    for list in plan.made { directory.recordMade(list.native, as: list.native) }
    return plan
  }

  /// The lists of ours that came from there.
  private func here(_ ids: String..., changed: Set<String> = []) -> [LocalListInfo] {
    ids.map { LocalListInfo(id: $0, title: "List \($0)", isChanged: changed.contains($0)) }
  }

  @Test mutating func aListOfTheProviderIsMadeHereOnce() {
    #expect(compare(Self.there("a", "b", "b"), []).made.map(\.native) == ["a", "b"])
    #expect(compare(Self.there("a", "b"), here("a", "b")) == ListDirectoryPlan())
  }

  @Test mutating func aListOfOursIsMadeThereOnceEvenIfTheAnswerIsLost() {
    let ours = here("p1")
    #expect(compare([], ours).additions == ["p1": "[lunara:lib:p1]"])
    // The call had an effect, and one reading is a false one.
    #expect(compare([], ours).additions.isEmpty)
    let marked = RemoteListInfo(native: "n", title: "Renamed", summary: "[lunara:lib:p1]")
    #expect(compare([marked], ours) == ListDirectoryPlan())
    #expect(directory.native(of: "p1") == "n")
  }

  @Test mutating func aListIsMadeAgainAfterTwoReadingsWithoutIt() {
    compare([], here("p1"))
    #expect(compare([], here("p1")).waiting == 1)
    #expect(compare([], here("p1")).additions.count == 1)
    directory.recordTwin("n", of: "p1")
    #expect(compare(Self.there("n"), here("p1")) == ListDirectoryPlan())
  }

  @Test mutating func aNamesakeIsNeitherMadeHereNorThereBeforeItsContentsAreKnown() {
    let namesake = RemoteListInfo(native: "n", title: "List p1")
    var plan = compare([namesake], here("p1"))
    #expect(plan.namesakes == ["p1": ["n"]] && plan.made.isEmpty && plan.additions.isEmpty)
    plan = compare([namesake], here("p1"), different: ["p1": ["n"]])
    #expect(plan.made.map(\.native) == ["n"] && plan.additions.keys.sorted() == ["p1"])
  }

  @Test mutating func aListThatIsGoneThereIsRemovedOrDetachedAfterTwoReadings() {
    compare(Self.there("a", "b", "c"), [])
    let ours = here("a", "b", "c", changed: ["b"])
    #expect(compare(Self.there("c"), ours).waiting == 2)
    let plan = compare(Self.there("c"), ours)
    #expect(plan.removed == ["a"] && plan.detached == ["b"] && plan.waiting == 0)
  }

  @Test mutating func aListOfOursStaysWhenItIsGoneThere() {
    compare([], here("p1"))
    directory.recordTwin("n", of: "p1")
    compare(Self.there("n"), here("p1"))
    compare([], here("p1"))
    #expect(compare([], here("p1")).detached == ["p1"])
  }

  @Test mutating func aListThatIsDeselectedLeavesAtOnceAndDoesNotComeBack() {
    compare(Self.there("a"), [])
    #expect(compare(Self.there("a"), here("a"), deselected: ["a"]).removed == ["a"])
    #expect(compare(Self.there("a"), [], deselected: ["a"]) == ListDirectoryPlan())
  }

  @Test mutating func manyListsThatAreGoneAskAPerson() {
    compare(Self.there("a", "b", "c", "d", "e", "f"), [])
    let ours = here("a", "b", "c", "d", "e", "f")
    compare([], ours)
    #expect(compare([], ours).question?.removed.count == 6)
    var other = self
    #expect(other.compare([], ours, answer: .keep).detached.count == 6)
    #expect(compare([], ours, answer: .remove).removed.count == 6)
  }

  @Test mutating func aListThatAPersonDeletedHereIsDeletedThereOnlyIfWeMadeIt() {
    compare(Self.there("a"), here("p1"))
    directory.recordTwin("n", of: "p1")
    compare(Self.there("a", "n"), here("a", "p1"))
    #expect(compare(Self.there("a", "n"), []).deletions == ["n"])
    // The call was lost; it is made again, and neither list comes back.
    #expect(compare(Self.there("a", "n"), []).deletions == ["n"])
    #expect(compare(Self.there("a"), []) == ListDirectoryPlan())
    #expect(compare(Self.there("a"), [], days: 364).made.isEmpty)
    #expect(compare([], [], days: 700).made.isEmpty)
    #expect(compare([], [], days: 730) == ListDirectoryPlan())
    #expect(compare(Self.there("a"), [], days: 731).made.map(\.native) == ["a"])
  }

  @Test mutating func aDeletionThatIsTakenBackMakesNoSecondList() {
    compare(Self.there("a"), here("p1"))
    directory.recordTwin("n", of: "p1")
    compare(Self.there("a", "n"), here("a", "p1"))
    compare(Self.there("a", "n"), [])
    #expect(compare(Self.there("a", "n"), here("a", "p1")) == ListDirectoryPlan())
    // Of one that the provider has deleted meanwhile, the list here stays.
    compare(Self.there("a", "n"), here("a"))
    compare(Self.there("a"), here("a"))
    compare(Self.there("a"), here("a", "p1"))
    #expect(compare(Self.there("a"), here("a", "p1")).detached == ["p1"])
  }

  @Test mutating func eachDirectionChangesItsSideOnly() {
    var plan = compare(Self.there("a"), here("p1"), direction: .pull)
    #expect(plan.made.count == 1 && plan.additions.isEmpty)
    directory = ListDirectory()
    plan = compare(Self.there("a"), here("p1"), direction: .push)
    #expect(plan.made.isEmpty && plan.additions.count == 1)
  }
}

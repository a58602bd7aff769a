import Messages
import Model
import Storage
import TestSupport
import ServiceKit
import Sync
import Testing

@testable import People
@testable import ProviderRuns
@testable import Records

/// Playlists that are kept in step with a provider.
@Suite(.timeLimit(.minutes(2)))
struct ProviderListsTests {
  @Test func aProvidersListComesHereAndIsChangedOnBothSides() async throws {
    let house = try await ProviderHouse()
    house.provider.make("L1", "Evening", ["a", "b", "c"], summary: "calm")
    let report = try await house.run()
    #expect(try await house.titles("Evening") == ["a", "b", "c"])
    #expect(try await house.playlist("Evening").summary == "calm")
    #expect(report.added == 4 && report.removed == 0 && report.problem == nil)
    #expect(report.lines.contains { $0.title == "Evening" && $0.text == "3 added here." })
    try await house.add(["d"], to: "Evening")
    try await house.remove(["a"], from: "Evening")
    house.provider.set("L1", ["a", "b", "x", "c"])
    try await house.run()
    #expect(try await house.titles("Evening") == ["b", "x", "c", "d"])
    #expect(house.provider.titles(of: "L1") == ["b", "x", "c", "d"])
    // A list that was changed there is read once more; a run without changes only reads the overview.
    try await house.run()
    let calls = house.provider.calls.count
    #expect(try await house.run().added == 0)
    #expect(house.provider.calls.dropFirst(calls) == ["lists"])
  }

  @Test func whatTheLibraryHasIsFoundAndTheRestIsDescribed() async throws {
    let house = try await ProviderHouse()
    try await house.catalogue.stock(albums: 2, tracks: 2)
    try await house.catalogue.write("UPDATE tracks SET title = 'Known', title_sort = 'known' WHERE id % 100 = 1")
    let track = try #require(try await house.catalogue.tracks().first)
    house.provider.make("L1", "Mixed", ["unknown"])
    house.provider.edit {
      $0.lists["L1"]?.entries.append(
        RemoteEntry(native: "n", described: DescribedTrack(title: track.title, artist: track.artist)))
    }
    try await house.run()
    let entries = try await house.catalogue.entries(try await house.playlist("Mixed").id)
    #expect(entries.map { $0.described?.title } == ["unknown", nil])
  }

  @Test func aRemovalThereNeedsTwoReadings() async throws {
    let house = try await ProviderHouse()
    house.provider.make("L1", "Evening", ["a", "b", "c"])
    try await house.run()
    house.provider.set("L1", ["a", "c"])
    #expect(try await house.run().removed == 0)
    #expect(try await house.titles("Evening") == ["a", "b", "c"])
    #expect(try await house.run().removed == 1)
    #expect(try await house.titles("Evening") == ["a", "c"])
    let removal = try #require(try await house.reports().removals.first)
    #expect(removal.title == "b" && removal.from == "Evening" && removal.isHere)
    _ = try await house.requests.undo(.init(name: "fake", removal: removal.id))
    #expect(try await house.titles("Evening") == ["a", "b", "c"])
    try await house.run()
    #expect(house.provider.titles(of: "L1") == ["a", "b", "c"])
    await #expect(throws: LunaraError.self) {
      try await house.requests.undo(.init(name: "fake", removal: removal.id))
    }
  }

  @Test(arguments: [true, false]) func anEmptyAnswerAsksFirst(_ removes: Bool) async throws {
    let house = try await ProviderHouse()
    let all = ["a", "b", "c", "d", "e", "f"]
    house.provider.make("L1", "Evening", all)
    try await house.run()
    house.provider.set("L1", [])
    for _ in 0..<4 { try await house.run() }
    #expect(try await house.titles("Evening") == all)
    let question = try #require(try await house.reports().questions.first)
    #expect(question.removed == 6 && question.total == 6 && question.title == "Evening")
    #expect(try await house.requests.list().providers.first?.held == 6)
    _ = try await house.requests.answer(.init(name: "fake", question: question.id, removes: removes))
    try await house.run()
    try await house.run()
    #expect(try await house.titles("Evening") == (removes ? [] : all))
    #expect(house.provider.titles(of: "L1") == (removes ? [] : all))
    #expect(try await house.reports().questions.isEmpty)
  }

  @Test func aListThatChangesWhileItIsReadIsNotCompared() async throws {
    let house = try await ProviderHouse()
    house.provider.make("L1", "Evening", ["a"])
    try await house.run()
    house.provider.edit { $0.isUnsteady = true }
    let report = try await house.run()
    #expect(report.lines.contains { $0.text.contains("changed while it was read") })
    #expect(try await house.titles("Evening") == ["a"])
  }

  @Test func aPlaylistOfOursIsMadeThereOnceEvenIfTheAnswerIsLost() async throws {
    let house = try await ProviderHouse()
    try await house.make("Mine", ["a", "b"])
    house.provider.decide { $0.hasPrefix("create") ? .lostAfter : .answered }
    try await house.run()
    house.provider.decide { _ in .answered }
    for _ in 0..<3 { try await house.run() }
    #expect(house.provider.calls.filter { $0.hasPrefix("create") }.count == 1)
    #expect(house.provider.titles(of: "made1") == ["a", "b"])
    #expect(try await house.playlists().map(\.title) == ["Mine"])
  }

  @Test func aListOfTheSameTitleAndContentsIsTheTwinAndAnotherOneIsNot() async throws {
    let house = try await ProviderHouse()
    try await house.make("Mine", ["a", "b", "c"])
    try await house.make("Other", ["a", "b", "c"])
    house.provider.make("L1", "mine", ["a", "b"])
    house.provider.make("L2", "Other", ["x", "y"])
    for _ in 0..<3 { try await house.run() }
    #expect(try await house.playlists().map(\.title).sorted() == ["Mine", "Other", "Other"].sorted())
    #expect(house.provider.titles(of: "L1") == ["a", "b", "c"])
    #expect(house.provider.titles(of: "L2") == ["x", "y"])
    #expect(house.provider.titles(of: "made1") == ["a", "b", "c"])
  }

  @Test func titlesAndDescriptionsFollowAndOursCountIfBothChange() async throws {
    let house = try await ProviderHouse()
    house.provider.make("L1", "Evening", ["a"])
    try await house.make("Mine", ["b"])
    try await house.run()
    house.provider.edit { $0.lists["L1"]?.info.title = "Late evening" }
    let mine = try await house.playlist("Mine").id
    _ = try await house.catalogue.edit { try $0.describe(.init(id: mine, title: "Ours", summary: "for dinner")) }
    try await house.run()
    #expect(try await house.titles("Late evening") == ["a"])
    let info = house.provider.edit { $0.lists["made1"]?.info }
    #expect(info?.title == "Ours" && info?.summary.hasPrefix("for dinner [lunara:") == true)
    #expect(try await house.playlist("Ours").summary == "for dinner")
  }

  @Test func aListThatIsDeletedHereIsDeletedThereOnlyIfItIsOurs() async throws {
    let house = try await ProviderHouse()
    house.provider.make("L1", "Theirs", ["a"])
    try await house.make("Ours", ["b"])
    try await house.run()
    for title in ["Theirs", "Ours"] {
      let id = try await house.playlist(title).id
      try await house.catalogue.edit { try $0.delete(.init(id: id)) }
    }
    for _ in 0..<3 { try await house.run() }
    #expect(try await house.playlists().isEmpty)
    #expect(house.provider.titles(of: "L1") == ["a"])
    #expect(house.provider.titles(of: "made1") == nil)
  }

  @Test func aListThatIsDeletedThereGoesHereUnlessItWasChangedOrMadeHere() async throws {
    let house = try await ProviderHouse()
    for (native, title) in [("L1", "One"), ("L2", "Two")] { house.provider.make(native, title, ["a"]) }
    try await house.make("Ours", ["b"])
    try await house.run()
    try await house.run()
    try await house.add(["c"], to: "Two")
    house.provider.edit { for native in ["L1", "L2", "made1"] { $0.lists[native] = nil } }
    try await house.run()
    #expect(try await house.playlists().count == 3)
    let report = try await house.run()
    #expect(try await house.playlists().map(\.title) == ["Ours", "Two"])
    #expect(report.lines.contains { $0.title == "One" && $0.text.contains("lunara playlists undo") })
  }

  @Test func aPersonChoosesListsAndWays() async throws {
    let house = try await ProviderHouse([.playlists: .pull])
    house.provider.make("L1", "Theirs", ["a"])
    let mine = try await house.make("Mine", ["b"])
    try await house.run()
    #expect(house.provider.titles(of: "made1") == nil)
    let theirs = try await house.playlist("Theirs").id
    _ = try await house.requests.set(
      .init(name: "fake", parts: [.init(part: .playlists, way: .both)], leave: ["\(theirs)"], take: ["\(mine.id)"]))
    try await house.add(["x"], to: "Theirs")
    for _ in 0..<3 { try await house.run() }
    #expect(house.provider.titles(of: "made1") == ["b"])
    #expect(house.provider.titles(of: "L1") == ["a"])
    #expect(try await house.titles("Theirs") == ["a", "x"])
    let lists = try await house.reports().lists
    #expect(lists.first { $0.id == theirs }?.isKept == false && lists.first { $0.id == mine.id }?.isKept == true)
    _ = try await house.requests.set(.init(name: "fake", take: ["\(theirs)"]))
    for _ in 0..<3 { try await house.run() }
    #expect(house.provider.titles(of: "L1") == ["a", "x"])
    #expect(try await house.playlists().count == 2)
    await #expect(throws: LunaraError.self) {
      try await house.requests.set(.init(name: "fake", parts: [.init(part: .unknown, way: .pull)]))
    }
  }

  @Test func whatTheProviderDoesNotHaveStaysHere() async throws {
    let house = try await ProviderHouse()
    house.provider.edit { $0.lacks = ["rare"] }
    try await house.make("Mine", ["a", "rare", "b"])
    let report = try await house.run()
    #expect(house.provider.titles(of: "made1") == ["a", "b"])
    #expect(try await house.titles("Mine") == ["a", "rare", "b"])
    #expect(report.lines.contains { $0.text.contains("Only here, since Fake does not have them: 1.") })
    try await house.run()
    #expect(house.provider.calls.filter { $0 == "look up rare" }.count == 1)
  }

  @Test func likedTracksAreAPlaylistHere() async throws {
    let house = try await ProviderHouse([.liked: .both])
    house.provider.set("liked", ["a", "b"])
    try await house.run()
    #expect(try await house.titles("Liked on Fake") == ["a", "b"])
    try await house.add(["c"], to: "Liked on Fake")
    try await house.remove(["a"], from: "Liked on Fake")
    try await house.run()
    #expect(house.provider.titles(of: "liked") == ["b", "c"])
    let id = try await house.playlist("Liked on Fake").id
    try await house.catalogue.edit { try $0.delete(.init(id: id)) }
    try await house.run()
    #expect(house.provider.titles(of: "liked") == ["b", "c"])
    #expect(try await house.record().state[.liked] == .off)
  }

  @Test func aProviderThatIsLinkedAgainHasOnePlaylistOfLikedTracksWhichIsNoListAnywhere() async throws {
    let parts: [Library.SyncPart: Library.SyncWay] = [.playlists: .both, .liked: .both]
    let house = try await ProviderHouse(parts)
    house.provider.set("liked", ["a", "b"])
    for _ in 0..<2 { try await house.run() }
    let id = try await house.playlist("Liked on Fake").id
    _ = try await house.catalogue.edit { try $0.describe(.init(id: id, title: "Hearts")) }
    try await house.run()
    _ = try await house.requests.unlink("fake")
    // Another provider gets the playlists that are ours, and not this one.
    try await house.make("Ours", ["x"])
    try await house.link("fake-2", [.playlists: .both])
    for _ in 0..<3 { try await house.run("fake-2") }
    try await house.link("fake", parts)
    for _ in 0..<4 { try await house.run() }
    #expect(try await house.playlists().map(\.title).sorted() == ["Hearts", "Ours"])
    #expect(try await house.titles("Hearts") == ["a", "b"])
    #expect(house.provider.titles(of: "liked") == ["a", "b"])
    #expect(house.provider.edit { $0.lists.values.map(\.info.title).sorted() } == ["", "Ours"])
  }

  @Test func likedTracksComeAgainAfterTheirPlaylistWasDeletedWhileNothingWasLinked() async throws {
    let house = try await ProviderHouse([.liked: .pull])
    house.provider.set("liked", ["a"])
    try await house.run()
    let id = try await house.playlist("Liked on Fake").id
    _ = try await house.requests.unlink("fake")
    try await house.catalogue.edit { try $0.delete(.init(id: id)) }
    _ = try await house.requests.link(.init(type: "fake", token: "right", parts: [.init(part: .liked, way: .pull)]))
    try await house.run()
    #expect(try await house.record().state[.liked] == .pull)
    #expect(try await house.titles("Liked on Fake") == ["a"])
  }

  @Test func aRefusedCallLeavesTheRestAlone() async throws {
    let house = try await ProviderHouse()
    for index in 1...3 { house.provider.make("L\(index)", "List \(index)", ["a"]) }
    house.provider.decide { $0 == "read L2" ? .refused : .answered }
    let report = try await house.run()
    #expect(try await house.titles("List 1") == ["a"])
    #expect(try await house.titles("List 2") == [])
    #expect(try await house.titles("List 3") == ["a"])
    #expect(report.problem == nil && report.lines.contains { $0.title == "List 2" && $0.text == "It is not allowed." })
  }

  @Test func aRevokedTokenEndsTheRunsUntilAPersonSignsIn() async throws {
    let house = try await ProviderHouse()
    house.provider.make("L1", "One", ["a"])
    house.provider.decide { $0.hasPrefix("read") ? .signedOut : .answered }
    #expect(try await house.run().problem?.code == "library.signedOut")
    #expect(try await house.requests.list().providers.first?.health == "signed-out")
    house.catalogue.wait(seconds: 100_000)
    #expect(try await house.record().state.pacing.isDue(at: house.catalogue.time) == false)
    await #expect(throws: LunaraError.self) { try await house.requests.sync("fake") }
    house.provider.decide { _ in .answered }
    _ = try await house.requests.link(.init(type: "fake", token: "right", name: "fake"))
    try await house.run()
    #expect(try await house.titles("One") == ["a"])
  }

  @Test func whatIsMadeHereGoesToEachProviderAndWhatCameFromOneStaysOutOfTheOthers() async throws {
    let house = try await ProviderHouse()
    let now = house.catalogue.time
    try await house.catalogue.database.write { transaction in
      var state = ProviderState(pacing: ProviderPacing(linkedAt: now))
      state[.playlists] = .both
      try ProviderStore.keep(
        ProviderRecord(name: "fake-2", kind: "fake", linkedAt: now, state: state), transaction)
    }
    house.provider.make("L1", "Theirs", ["a"])
    try await house.make("Mine", ["b"])
    for _ in 0..<2 { try await house.run() }
    #expect(house.provider.titles(of: "made1") == ["b"])
    let other = FakeProvider()
    let runner = ProviderRunner(
      database: house.catalogue.database, services: [FakeProviderService(provider: other)], hostID: "h1",
      folders: MusicFolders([]), log: .quiet, now: { house.catalogue.time })
    for _ in 0..<3 {
      house.catalogue.wait(seconds: 600)
      await runner.run(try await house.catalogue.database.read { try ProviderStore.record("fake-2", $0) })
    }
    #expect(other.titles(of: "made1") == ["b"])
    #expect(other.edit { $0.lists.count } == 2)
    #expect(house.provider.titles(of: "L1") == ["a"] && house.provider.titles(of: "made1") == ["b"])
  }
}

import Bus
import Messages
import Model
import Testing

@testable import lunara_router

struct QueueMaintenancePlanTests {
  private let den = RoomName(from: "den")

  private func queue(
    revision: Int64 = 4, wantsMore: Bool? = true, count: Int = 2, current: Int = 1, away: Bool = false,
    node: String = "playback@den"
  ) throws -> Observed<Playback.QueueState> {
    let continuation = Playback.Continuation(list: Library.AlbumList(), after: FakeLibraryAndRoom.album(1), position: 3)
    let state = Playback.QueueState(
      revision: revision, count: count, current: current, first: 0,
      items: [FakeLibraryAndRoom.item(1, 0), FakeLibraryAndRoom.item(1, 1)],
      continuation: continuation, wantsMore: wantsMore)
    return Observed(
      node: try #require(NodeID(node)), value: state, age: .zero, saidAt: Timestamp(seconds: 1), away: away)
  }

  private func catalogue(_ generation: Int64, _ health: String...) -> Library.CatalogueState {
    let sources = health.enumerated().map { index, health in
      Library.SourceStatus(
        name: "s\(index)", kind: "plex", health: health, lastRefreshed: nil, albums: 0, tracks: 0, problemCount: 0,
        problems: [])
    }
    return Library.CatalogueState(generation: generation, albums: 0, tracks: 0, sources: sources)
  }

  @Test func aWantIsAnsweredOnceAndAnewAtAnotherRevision() throws {
    var plan = QueueMaintenancePlan()
    plan.update([try queue()])
    let needed = try #require(plan.neededAlbums(in: den))
    #expect(needed.revision == 4 && needed.continuation.position == 3 && needed.origin == "web@main")
    plan.answered(needed)
    #expect(plan.neededAlbums(in: den) == nil && plan.busy.isEmpty)
    plan.update([try queue()])
    #expect(plan.neededAlbums(in: den) == nil)
    plan.update([try queue(revision: 5)])
    #expect(plan.neededAlbums(in: den)?.revision == 5)
  }

  @Test(arguments: [nil, false]) func aQueueThatHasEnoughWantsNothing(wantsMore: Bool?) throws {
    var plan = QueueMaintenancePlan()
    plan.update([try queue(wantsMore: wantsMore)])
    #expect(plan.busy.isEmpty)
  }

  @Test func roomsThatAreAwayOrRetiredWantNothing() throws {
    var plan = QueueMaintenancePlan()
    plan.update(catalogue(1, "ready"))
    plan.update([try queue(away: true), try queue(node: "playback@retired-den")])
    #expect(plan.busy.isEmpty)
  }

  @Test func aQueueIsComparedOnceWithEachCatalogue() throws {
    var plan = QueueMaintenancePlan()
    plan.update([try queue(wantsMore: false)])
    #expect(plan.uncompared(den) == nil)
    plan.update(catalogue(1, "ready", "unreachable"))
    let first = try #require(plan.uncompared(den))
    plan.compared(den, with: first)
    #expect(plan.uncompared(den) == nil)
    // A source that is being read or away changes nothing; one that is ready again does.
    plan.update(catalogue(1, "scanning", "unreachable"))
    plan.update(catalogue(1, "ready", "unreachable"))
    #expect(plan.uncompared(den) == nil)
    plan.update(catalogue(1, "ready", "ready"))
    let second = try #require(plan.uncompared(den))
    plan.compared(den, with: second)
    plan.update(catalogue(2, "scanning", "unreachable"))
    #expect(plan.uncompared(den)?.generation == 2)
  }

  /// Only the items around the current one are compared.
  @Test func aQueueIsComparedAgainWhenOtherItemsAreNext() throws {
    var plan = QueueMaintenancePlan()
    plan.update(catalogue(1, "ready"))
    func compare(_ queue: Observed<Playback.QueueState>) throws {
      plan.update([queue])
      plan.compared(den, with: try #require(plan.uncompared(den)))
      #expect(plan.uncompared(den) == nil)
    }
    try compare(queue(wantsMore: false, count: 500))
    plan.update([try queue(wantsMore: false, count: 500, current: 50)])
    #expect(plan.uncompared(den) == nil)
    try compare(queue(wantsMore: false, count: 500, current: 51))
    try compare(queue(wantsMore: false, count: 500, current: 1))
    // Added items come from the catalogue; shuffled ones were not compared before.
    plan.update([try queue(revision: 5, wantsMore: false, count: 600)])
    #expect(plan.uncompared(den) == nil)
    try compare(queue(revision: 6, wantsMore: false, count: 600))
  }

  @Test func aRoomThatComesBackIsComparedAgainAndAnEmptyOneNever() throws {
    var plan = QueueMaintenancePlan()
    plan.update(catalogue(1, "ready"))
    plan.update([try queue(wantsMore: false)])
    plan.compared(den, with: try #require(plan.uncompared(den)))
    plan.update([try queue(wantsMore: false, away: true)])
    plan.update([try queue(wantsMore: false)])
    #expect(plan.uncompared(den) != nil)
    plan.update([try queue(wantsMore: false, count: 0)])
    #expect(plan.uncompared(den) == nil)
  }
}

import Bus
import Messages
import Model
import Testing

@testable import lunara_router

struct PlayPlanTests {
  private let context = RequestContext(id: RequestID("ask"), from: .web)
  private let album = PlayableID(source: "files", native: "a1")

  private func found(_ count: Int) -> [PlayPlan.Found] {
    (0..<count).map { PlayPlan.Found(track: playable($0), place: album) }
  }

  private func order(_ intent: Router.Play, of count: Int, as id: String = "ask") throws -> [String] {
    try PlayPlan(intent, of: found(count), asked: RequestContext(id: RequestID(id), from: .web)).items.map(
      \.track.title)
  }

  @Test func tracksBecomeItemsThatSayWhoAskedForWhat() throws {
    let plan = try PlayPlan(Router.Play(ids: [album], startAt: 1), of: found(3), asked: context)
    #expect(plan.startAt == 1)
    #expect(plan.items.map(\.track.title) == ["Track 0", "Track 1", "Track 2"])
    #expect(plan.items.map(\.entry.rawValue) == ["ask-0", "ask-1", "ask-2"])
    #expect(Set(plan.items.map(\.origin)) == [QueueItem.Origin(node: "web@main", place: "files:a1")])
    #expect(plan.items[2].path == LocalPath("/music/2.flac") && plan.items[2].host == "host-1")
  }

  @Test func anIntentSentAgainGivesTheSameItems() throws {
    for intent in [Router.Play(ids: [album]), Router.Play(ids: [album], shuffle: true)] {
      let first = try PlayPlan(intent, of: found(50), asked: context)
      #expect(try PlayPlan(intent, of: found(50), asked: context) == first)
    }
  }

  @Test func theSeedAloneSettlesTheOrder() throws {
    let intent = Router.Play(ids: [album], shuffle: true, seed: 7)
    let order = try order(intent, of: 30)
    #expect(try self.order(intent, of: 30, as: "another") == order)
    #expect(try self.order(Router.Play(ids: [album], shuffle: true, seed: 8), of: 30) != order)
    #expect(order != order.sorted { ($0.count, $0) < ($1.count, $1) })
    #expect(Set(order).count == 30)
  }

  @Test func withoutASeedTheRequestsIdSettlesTheOrder() throws {
    let intent = Router.Play(ids: [album], shuffle: true)
    #expect(try order(intent, of: 30) == order(intent, of: 30))
    #expect(try order(intent, of: 30) != order(intent, of: 30, as: "another"))
  }

  @Test func aChosenTrackComesFirstInAShuffledOrder() throws {
    let plan = try PlayPlan(
      Router.Play(ids: [album], startAt: 5, shuffle: true, seed: 1), of: found(30), asked: context)
    #expect(plan.startAt == 0)
    #expect(plan.items.first?.track.title == "Track 5")
    #expect(Set(plan.items.map(\.entry)).count == 30)
  }

  @Test func everyOrderOfThreeComesUp() throws {
    let orders = try (0..<200).map { try order(Router.Play(ids: [album], shuffle: true, seed: UInt64($0)), of: 3) }
    #expect(Set(orders).count == 6)
  }

  @Test func nothingFoundIsAnErrorThatNamesWhatWasAsked() {
    let error = #expect(throws: LunaraError.self) {
      try PlayPlan(Router.Play(ids: [album]), of: [], asked: context)
    }
    #expect(error?.code == "router.nothingToPlay")
    #expect(error?.message.contains("files:a1") == true)
    let none = #expect(throws: LunaraError.self) { try PlayPlan(Router.Play(ids: []), of: [], asked: context) }
    #expect(none?.code == "router.nothingToPlay")
  }

  @Test(arguments: [-1, 3, .max, .min]) func aStartOutsideIsRefused(start: Int) {
    let error = #expect(throws: LunaraError.self) {
      try PlayPlan(Router.Play(ids: [album], startAt: start), of: found(3), asked: context)
    }
    #expect(error?.code == "router.startOutOfRange")
  }

  @Test func aStartMeansNothingWhereNothingIsReplaced() throws {
    let plan = try PlayPlan(Router.Play(ids: [album], mode: .later, startAt: 9), of: found(3), asked: context)
    #expect(plan.startAt == 0)
  }
}

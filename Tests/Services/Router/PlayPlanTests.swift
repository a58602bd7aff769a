import Bus
import Messages
import Model
import System
import Testing

@testable import lunara_router

struct PlayPlanTests {
  private let context = RequestContext(id: RequestID("ask"), from: .web)
  private let album = PlayableID(source: "files", native: "a1")

  /// The items of a plan over that many tracks, in albums of `size`, in the order in which they are sent.
  private func items(
    _ intent: Router.Play, of count: Int, as id: String = "ask", albumsOf size: Int = 1000
  ) throws -> [QueueItem] {
    var plan = PlayPlan(intent, asked: RequestContext(id: RequestID(id), from: .web))
    let items = try (0..<count).map { index in
      var found = anyTrack(index)
      found.track.albumID = AlbumID(source: "files", native: "a\(index / size)")
      return try plan.item(found, of: album)
    }
    try plan.check()
    return plan.shuffled(items)
  }

  private func order(_ intent: Router.Play, of count: Int, as id: String = "ask") throws -> [String] {
    try items(intent, of: count, as: id).map(\.track.title)
  }

  @Test func tracksBecomeItemsThatSayWhoAskedForWhat() throws {
    var plan = PlayPlan(Router.Play(ids: [album], startAt: 1), asked: context)
    let items = try (0..<3).map { try plan.item(anyTrack($0), of: album) }
    try plan.check()
    #expect(items.map(\.track.title) == ["Track 0", "Track 1", "Track 2"])
    #expect(items.map(\.entry.rawValue) == ["ask-0", "ask-1", "ask-2"])
    #expect(Set(items.map(\.origin)) == [QueueItem.Origin(node: "web@main", place: "files:a1")])
    #expect(items[2].path == LocalPath("/music/2.flac") && items[2].host == "host-1")
    let part = plan.part(4, items, isLast: false)
    #expect(part.load == "ask" && part.part == 4 && !part.isLast && part.mode == .now && part.startAt == 1)
    #expect(part.items == items)
  }

  @Test func aQueueDoesNotGoOnInTheOrderByPlays() throws {
    func code(_ list: Library.AlbumList?, _ mode: Playback.LoadMode = .now) -> String? {
      let plan = PlayPlan(Router.Play(ids: [album], mode: mode, continues: list), asked: context)
      do { try plan.check(continues: list) } catch { return LunaraError(error).code }
      return nil
    }
    #expect(code(Library.AlbumList(sort: .plays)) == "router.badContinuation")
    #expect(code(Library.AlbumList(sort: .plays, isReversed: true)) == "router.badContinuation")
    #expect(code(Library.AlbumList(sort: .plays), .later) == nil)
    #expect(code(Library.AlbumList(sort: .plays, albums: [AlbumID(source: "files", native: "a1")])) == nil)
    #expect(code(Library.AlbumList(sort: .played)) == nil && code(nil) == nil)
  }

  @Test func theLastPartSaysHowTheQueueGoesOn() throws {
    let list = Library.AlbumList(sort: .year)
    for (mode, random) in [(Playback.LoadMode.now, false), (.now, true), (.next, false), (.later, false)] {
      var intent = Router.Play(ids: [album], mode: mode, continues: list)
      if random { intent.continues = Library.AlbumList(sort: .random) }
      var plan = PlayPlan(intent, asked: context)
      let items = try (0..<3).map { try plan.item(anyTrack($0), of: album) }
      #expect(plan.part(0, items, isLast: false).continuation == nil)
      let continuation = plan.part(1, items, isLast: true).continuation
      if mode != .now {
        #expect(continuation == nil)
      } else if random {
        #expect(continuation?.list.sort == .random && continuation?.list.seed != nil)
      } else {
        #expect(continuation == Playback.Continuation(list: list, after: AlbumID(source: "files", native: "a1")))
      }
    }
  }

  @Test func aQueueThatEndsAfterItsItemsKeepsTheList() throws {
    let list = Library.AlbumList(sort: .year)
    var plan = PlayPlan(Router.Play(ids: [album], continues: list, endsAfter: true), asked: context)
    let items = try (0..<3).map { try plan.item(anyTrack($0), of: album) }
    let continuation = plan.part(1, items, isLast: true).continuation
    #expect(continuation?.list == list && continuation?.isOff == true)
  }

  @Test func anIntentSentAgainGivesTheSameItems() throws {
    for intent in [Router.Play(ids: [album]), Router.Play(ids: [album], mode: .later, shuffle: true)] {
      #expect(try items(intent, of: 50) == items(intent, of: 50))
    }
  }

  @Test func theOrderDependsOnlyOnTheSeed() throws {
    let intent = Router.Play(ids: [album], mode: .later, shuffle: true, seed: 7)
    let order = try order(intent, of: 30)
    #expect(try self.order(intent, of: 30, as: "another") == order)
    #expect(try self.order(Router.Play(ids: [album], mode: .later, shuffle: true, seed: 8), of: 30) != order)
    #expect(order != order.sorted { ($0.count, $0) < ($1.count, $1) })
    #expect(Set(order).count == 30)
  }

  @Test func withoutASeedTheRequestsIdSettlesTheOrder() throws {
    let intent = Router.Play(ids: [album], mode: .next, shuffle: true)
    #expect(try order(intent, of: 30) == order(intent, of: 30))
    #expect(try order(intent, of: 30) != order(intent, of: 30, as: "another"))
  }

  @Test func whatReplacesAQueueIsMixedByTheRoom() throws {
    for order in [nil, Playback.Order.albums] {
      var plan = PlayPlan(
        Router.Play(ids: [album], startAt: 2, shuffle: true, seed: 9, order: order), asked: context)
      let items = try (0..<30).map { try plan.item(anyTrack($0), of: album) }
      #expect(plan.shuffled(items) == items)
      let part = plan.part(0, items, isLast: true)
      #expect(part.order == order ?? .tracks && part.seed == 9 && part.startAt == 2)
    }
    let plain = PlayPlan(Router.Play(ids: [album], seed: 9, order: .albums), asked: context).part(0, [], isLast: true)
    #expect(plain.order == nil && plain.seed == nil)
    // Without a seed, it is made from the intent's id, so that a repeated intent gives the same order.
    let drawn = PlayPlan(Router.Play(ids: [album], shuffle: true), asked: context).part(0, [], isLast: true)
    #expect(drawn.seed == FNV1a.hash("ask"))
  }

  @Test func mixedAlbumsKeepTheirOwnOrder() throws {
    let intent = Router.Play(ids: [album], mode: .later, shuffle: true, seed: 3, order: .albums)
    let numbers = try items(intent, of: 40, albumsOf: 4).compactMap { Int($0.track.title.dropFirst(6)) }
    let albums = stride(from: 0, to: 40, by: 4).map { Array(numbers[$0..<$0 + 4]) }
    #expect(albums.allSatisfy { $0 == Array($0[0]..<$0[0] + 4) && $0[0] % 4 == 0 })
    #expect(Set(numbers).count == 40 && numbers != numbers.sorted())
  }

  @Test func mixingThreeTracksGivesEveryOrder() throws {
    let orders = try (0..<200).map {
      try order(Router.Play(ids: [album], mode: .later, shuffle: true, seed: UInt64($0)), of: 3)
    }
    #expect(Set(orders).count == 6)
  }

  @Test func aPlanIsLimitedToTheSizeOfAQueue() throws {
    for (mode, shuffle, limit) in [
      (Playback.LoadMode.now, true, 250_000), (.later, false, 250_000), (.later, true, 50_000),
    ] {
      let plan = PlayPlan(Router.Play(ids: [album], mode: mode, shuffle: shuffle), asked: context)
      try plan.check(total: limit)
      let error = #expect(throws: LunaraError.self) { try plan.check(total: limit + 1) }
      #expect(error?.code == "router.tooMany")
    }
  }

  @Test func nothingFoundIsAnErrorThatNamesWhatWasAsked() {
    let error = #expect(throws: LunaraError.self) {
      try items(Router.Play(ids: [album]), of: 0)
    }
    #expect(error?.code == "router.nothingToPlay")
    #expect(error?.message.contains("files:a1") == true)
    let none = #expect(throws: LunaraError.self) { try items(Router.Play(ids: []), of: 0) }
    #expect(none?.code == "router.nothingToPlay")
  }

  @Test(arguments: [-1, 3, .max, .min]) func aStartOutsideIsRefused(start: Int) {
    let error = #expect(throws: LunaraError.self) {
      try items(Router.Play(ids: [album], startAt: start), of: 3)
    }
    #expect(error?.code == "router.startOutOfRange")
  }

  @Test func aStartMeansNothingWhereNothingIsReplaced() throws {
    var plan = PlayPlan(Router.Play(ids: [album], mode: .later, startAt: 9), asked: context)
    let items = try (0..<3).map { try plan.item(anyTrack($0), of: album) }
    try plan.check()
    #expect(plan.part(0, items, isLast: true).startAt == 0)
  }
}

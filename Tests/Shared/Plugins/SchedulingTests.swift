import Model
import Plugins
import Testing

@Suite struct RequestLimiterTests {
  private func at(_ milliseconds: Int64) -> Milliseconds { Milliseconds(milliseconds) }

  @Test func fourRunAtOnceAndStartOneAfterTheOther() {
    var limiter = RequestLimiter()
    for request in 1...6 { limiter.enqueue(UInt64(request)) }
    limiter.cancel(3)
    var started: [[UInt64]] = []
    for time in stride(from: 0, through: 500, by: 50) { started.append(limiter.start(at: at(Int64(time)))) }
    #expect(started == [[1], [], [2], [], [4], [], [5], [], [], [], []])
    #expect(limiter.nextStart == nil)
    limiter.finish(2, .success, at: at(510))
    #expect(limiter.nextStart == at(400) && limiter.start(at: at(510)) == [6])
  }

  @Test func threeThrottleErrorsStopAllStartsForAWhile() {
    var limiter = RequestLimiter(.init(atOnce: 9, gap: .zero, errorLimit: 3, pause: at(5000)))
    func run(_ request: UInt64, _ outcome: RequestLimiter.Outcome, at time: Int64) {
      limiter.enqueue(request)
      #expect(limiter.start(at: at(time)) == [request])
      limiter.finish(request, outcome, at: at(time))
    }
    run(1, .throttled, at: 0)
    run(2, .throttled, at: 1)
    run(3, .success, at: 2)
    run(4, .throttled, at: 3)
    run(5, .failure, at: 4)
    run(6, .throttled, at: 5)
    limiter.enqueue(7)
    #expect(limiter.start(at: at(5004)).isEmpty && limiter.nextStart == at(5005))
    #expect(limiter.start(at: at(5005)) == [7])
  }

  @Test func messagesTellWhetherAServiceIsThrottling() {
    #expect(["HTTP 429", "Rate limit exceeded", "connection reset", "Timeout"].allSatisfy(RequestLimiter.isThrottle))
    #expect(!RequestLimiter.isThrottle("HTTP 404"))
  }
}

@Suite struct ResolveSchedulerTests {
  private var scheduler = ResolveScheduler(at: .zero)
  private var running: Set<String> = []

  /// Handles an event, and returns the tracks that start and those that are aborted.
  private mutating func handle(_ event: ResolveScheduler.Event, at time: Int64 = 1) -> (
    started: [String], aborted: [String]
  ) {
    var (started, aborted): ([String], [String]) = ([], [])
    for action in scheduler.handle(event, at: Milliseconds(time)) {
      switch action {
      case .start(let key, _):
        started.append(key)
        #expect(running.insert(key).inserted, "no track is looked for twice at once")
      case .abort(let key): aborted.append(key)
      case .readBackground, .wake: break
      }
    }
    #expect(running.count <= ResolveScheduler.workers)
    return (started, aborted)
  }

  private mutating func finish(_ key: String, _ outcome: ResolveScheduler.Outcome = .resolved) -> [String] {
    running.remove(key)
    return handle(.finished(key, outcome)).started
  }

  @Test mutating func tracksStartByPriorityAndThenByTheirIndex() {
    _ = handle(.registered(context: "page", .page))
    _ = handle(.registered(context: "queue", .queue))
    #expect(handle(.visible(context: "page", ["a", "b", "c", "d", "e", "f", "g"])).started == ["a", "b", "c", "d"])
    _ = handle(.visible(context: "queue", ["x", "g"]))
    _ = handle(.hovered("f"))
    #expect(finish("a") == ["x"] && finish("b") == ["g"] && finish("c") == ["f"] && finish("d") == ["e"])
  }

  @Test mutating func whatLeavesIsGivenUpAndMayComeAgain() {
    _ = handle(.registered(context: "page", .page))
    _ = handle(.visible(context: "page", ["a", "b", "c", "d", "e", "f"]))
    let change = handle(.visible(context: "page", ["b", "f", "g"]))
    #expect(change.started.isEmpty && change.aborted == ["a", "c", "d"])
    #expect(finish("a", .aborted) == ["f"] && finish("c", .aborted) == ["g"])
    // One that comes back while its search is being ended starts when that has ended.
    #expect(handle(.visible(context: "page", ["d"])).started.isEmpty)
    #expect(finish("d", .aborted) == ["d"])
  }

  @Test mutating func resolvedTracksStaySoUntilThePluginsChange() {
    _ = handle(.registered(context: "page", .page))
    #expect(handle(.visible(context: "page", ["a", "b"])).started == ["a", "b"])
    #expect(finish("a").isEmpty && finish("b", .failed).isEmpty)
    #expect(handle(.visible(context: "page", [])).started.isEmpty)
    #expect(handle(.visible(context: "page", ["a", "b"])).started == ["b"])
    let change = handle(.pluginsChanged(areAny: true))
    #expect(change.started == ["a"] && change.aborted == ["b"])
    // An answer of the former plugins does not count.
    #expect(finish("b", .resolved) == ["b"])
  }

  @Test mutating func aTrackThatFailedAndStaysInViewComesAgainWithTheNextChangeOfIt() {
    _ = handle(.registered(context: "page", .page))
    _ = handle(.registered(context: "side", .sidebar))
    _ = handle(.visible(context: "page", ["a", "b"]))
    _ = handle(.visible(context: "side", ["a"]))
    #expect(finish("a", .failed).isEmpty && finish("b").isEmpty)
    #expect(handle(.visible(context: "page", ["a", "b"])).started == ["a"])
    #expect(finish("a", .failed).isEmpty)
    #expect(handle(.visible(context: "side", ["a"])).started == ["a"])
    #expect(finish("a").isEmpty && handle(.visible(context: "page", ["a", "b", "c"])).started == ["c"])
  }

  @Test func theBackgroundWaitsUntilTheLastSearchHasEndedForAWhile() {
    var scheduler = ResolveScheduler(at: .zero)
    func handle(_ event: ResolveScheduler.Event, _ time: Int64) -> [ResolveScheduler.Action] {
      scheduler.handle(event, at: Milliseconds(time))
    }
    _ = handle(.pluginsChanged(areAny: true), 0)
    _ = handle(.registered(context: "page", .page), 0)
    #expect(handle(.visible(context: "page", ["a"]), 30_000) == [.start("a", priority: 4)])
    #expect(handle(.finished("a", .resolved), 40_000) == [.wake(at: Milliseconds(40_500))])
    #expect(handle(.woken, 40_500) == [.readBackground(limit: 5)])
  }

  @Test mutating func hoveringNeverLowersWhatSoundsSoon() {
    _ = handle(.registered(context: "queue", .queue))
    _ = handle(.visible(context: "queue", ["a", "b", "c", "d", "e", "f"]))
    _ = handle(.hovered("f"))
    _ = handle(.hovered(nil))
    #expect(finish("a") == ["e"] && finish("b") == ["f"])
  }

  @Test mutating func aTrackOfTwoPlacesStaysForTheOther() {
    for (context, kind) in [("page", ResolveScheduler.ContextKind.page), ("side", .sidebar)] {
      _ = handle(.registered(context: context, kind))
    }
    _ = handle(.visible(context: "page", ["a", "b", "c", "d", "e"]))
    _ = handle(.visible(context: "side", ["b", "e", "f"]))
    let left = handle(.left(context: "page", lettingRunningFinish: true))
    #expect(left.started.isEmpty && left.aborted.isEmpty)
    #expect(finish("a") == ["e"])
    _ = handle(.left(context: "side", lettingRunningFinish: false))
    #expect(finish("c").isEmpty)
    #expect(handle(.visible(context: "gone", ["x"])).started.isEmpty)
  }

  @Test mutating func oneThatNobodyWantsIsTakenOut() {
    _ = handle(.registered(context: "page", .page))
    _ = handle(.visible(context: "page", ["a", "b", "c", "d", "e"]))
    #expect(handle(.aborted("e")).aborted.isEmpty && handle(.aborted("a")).aborted == ["a"])
    #expect(finish("a", .aborted).isEmpty)
  }

  @Test func theBackgroundWaitsUntilNobodyDoes() {
    var scheduler = ResolveScheduler(at: .zero)
    func handle(_ event: ResolveScheduler.Event, _ time: Int64) -> [ResolveScheduler.Action] {
      scheduler.handle(event, at: Milliseconds(time))
    }
    #expect(handle(.woken, 1) == [.wake(at: Milliseconds(30_000))])
    #expect(handle(.woken, 30_000) == [.wake(at: Milliseconds(40_000))])
    #expect(handle(.pluginsChanged(areAny: true), 40_000) == [.readBackground(limit: 5)])
    #expect(handle(.background([]), 40_001) == [.wake(at: Milliseconds(100_001))])
    var now: Int64 = 100_001
    for limit in [5, 5, 5, 25, 25] {
      #expect(handle(.woken, now) == [.readBackground(limit: limit)])
      #expect(handle(.background(["k\(now)"]), now) == [.start("k\(now)", priority: 10)])
      // A person comes in between.
      _ = handle(.hovered(nil), now)
      #expect(handle(.finished("k\(now)", .resolved), now) == [.wake(at: Milliseconds(now + 3000))])
      now += 3000
    }
  }
}

import Model
import Synchronization
import Testing

@testable import ServiceKit

@Suite struct WatchdogTests {
  private static let start = ContinuousClock.now

  @Test func aCheckBeginsFourTimesWithinTheTimeout() {
    var pace = WatchdogPace(patience: .seconds(40))
    var fed: [Int] = []
    for second in 0...30 where pace.round(at: Self.start + .seconds(second)) {
      pace.proved(at: Self.start + .seconds(second))
      fed.append(second)
    }
    #expect(fed == [0, 10, 20, 30])
  }

  @Test func anUnfinishedCheckIsNotBegunAgain() {
    var pace = WatchdogPace(patience: .seconds(4))
    let first = pace.round(at: Self.start)
    #expect(first)
    let later = (1...60).map { pace.round(at: Self.start + .seconds($0)) }
    #expect(!later.contains(true))
    pace.proved(at: Self.start + .seconds(60))
    let (soon, due) = (pace.round(at: Self.start + .seconds(60)), pace.round(at: Self.start + .seconds(61)))
    #expect(!soon && due)
  }

  @Test func onlyACompletedCheckFeedsTheWatchdog() async {
    let (gate, opening) = AsyncStream<Void>.makeStream()
    let (feeds, feeding) = AsyncStream<Void>.makeStream()
    let asked = Mutex(0)
    let watchdog = Watchdog(patience: .seconds(60), log: .quiet, feed: { feeding.yield() }) {
      asked.withLock { $0 += 1 }
      for await _ in gate { return }
    }
    watchdog.round()
    watchdog.round()
    opening.yield()
    var iterator = feeds.makeAsyncIterator()
    _ = await iterator.next()
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func anErrorIsProgressAsWell() async {
    let (feeds, feeding) = AsyncStream<Void>.makeStream()
    let watchdog = Watchdog(patience: .seconds(60), log: .quiet, feed: { feeding.yield() }) {
      throw LunaraError("storage.full", "The disk is full.")
    }
    watchdog.round()
    var iterator = feeds.makeAsyncIterator()
    #expect(await iterator.next() != nil)
  }
}

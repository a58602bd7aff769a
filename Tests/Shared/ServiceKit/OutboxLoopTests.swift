import ServiceKit
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OutboxLoopTests {
  /// Sleeps that only a wake-up ends, and the rounds between them.
  private final class Rounds: Sendable {
    let pauses = Mutex<[Duration]>([])
    /// True where everything is sent, round by round; later rounds send everything.
    let results: Mutex<[Bool]>

    init(_ results: [Bool]) { self.results = Mutex(results) }

    @Sendable func sleep(_ time: Duration) async throws {
      pauses.withLock { $0.append(time) }
      try await Task.sleep(for: .seconds(3600))
    }

    @Sendable func sendAll() async -> Bool { results.withLock { $0.isEmpty ? true : $0.removeFirst() } }

    func pauses(_ count: Int) async -> [Duration] {
      _ = await eventually(atLeast: count) { self.pauses.withLock { $0.count } }
      return pauses.withLock { $0 }
    }
  }

  @Test func pausesGrowWhileSomethingIsLeftAndEndWithAWakeUp() async {
    let rounds = Rounds([false, false, true, false])
    let now = ContinuousClock.now
    let loop = OutboxLoop(now: { now }, sleep: rounds.sleep)
    await loop.start(rounds.sendAll)
    #expect(await rounds.pauses(1) == [.seconds(5)])
    await loop.wake()
    #expect(await rounds.pauses(2) == [.seconds(5), .seconds(10)])
    await loop.wake()
    #expect(await rounds.pauses(3).last == .seconds(3600))
    // After a success the pauses begin anew.
    await loop.wake()
    #expect(await rounds.pauses(4).last == .seconds(5))
    await loop.stop()
  }

  @Test func aFreshWakeUpBeginsWithTheShortestPause() async {
    let rounds = Rounds([false, false, false])
    let now = ContinuousClock.now
    let loop = OutboxLoop(now: { now }, sleep: rounds.sleep)
    await loop.start(rounds.sendAll)
    _ = await rounds.pauses(1)
    await loop.wake()
    #expect(await rounds.pauses(2).last == .seconds(10))
    await loop.wake(isFresh: true)
    #expect(await rounds.pauses(3).last == .seconds(5))
    await loop.stop()
  }
}

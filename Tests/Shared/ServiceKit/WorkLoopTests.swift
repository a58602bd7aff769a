import ServiceKit
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct WorkLoopTests {
  /// Sleeps that end when they are cancelled or released; records the length of each.
  private final class ManualSleep: Sendable {
    let asked = Mutex<[Duration]>([])
    let passes = Mutex(0)

    @Sendable func sleep(_ time: Duration) async throws {
      asked.withLock { $0.append(time) }
      let isOver = passes.withLock { left in
        defer { left = max(0, left - 1) }
        return left > 0
      }
      if !isOver { try await Task.sleep(for: .seconds(3600)) }
    }
  }

  private final class Count: Sendable {
    let rounds = Mutex(0)
    var value: Int { rounds.withLock { $0 } }
    func up() -> Int {
      rounds.withLock {
        $0 += 1
        return $0
      }
    }
  }

  private func comes(_ count: Int, _ rounds: Count) async -> Bool {
    await eventually(equals: count) { rounds.value }
  }

  @Test func aRoundThatHasMoreToDoIsFollowedAtOnce() async {
    let (sleeper, rounds) = (ManualSleep(), Count())
    let loop = WorkLoop(sleep: sleeper.sleep)
    await loop.start { rounds.up() < 5 ? .none : .untilWoken }
    #expect(await eventually(equals: [WorkLoop.forever]) { sleeper.asked.withLock { $0 } })
    #expect(rounds.value == 5)
    await loop.stop()
  }

  @Test func aSleepEndsByItselfAndByWakingUp() async {
    let (sleeper, rounds) = (ManualSleep(), Count())
    sleeper.passes.withLock { $0 = 2 }
    let loop = WorkLoop(sleep: sleeper.sleep)
    await loop.start {
      _ = rounds.up()
      return .atMost(.seconds(7))
    }
    // Two sleeps end by themselves; the third lasts until it is interrupted.
    #expect(await eventually(equals: 3) { sleeper.asked.withLock { $0.count } })
    #expect(rounds.value == 3)
    await loop.wake()
    #expect(await eventually(equals: 4) { sleeper.asked.withLock { $0.count } })
    #expect(rounds.value == 4)
    #expect(sleeper.asked.withLock { $0 } == Array(repeating: .seconds(7), count: 4))
    await loop.stop()
  }

  @Test func aWakeUpInTheMiddleOfARoundIsNotLost() async {
    let (sleeper, rounds) = (ManualSleep(), Count())
    let loop = WorkLoop(sleep: sleeper.sleep)
    await loop.start {
      if rounds.up() == 1 { await loop.wake() }
      return .untilWoken
    }
    #expect(await comes(2, rounds))
    #expect(await eventually(equals: 1) { sleeper.asked.withLock { $0.count } })
    #expect(rounds.value == 2)
    await loop.stop()
  }

  @Test func aPauseWithinARoundEndsByAWakeUp() async {
    let (sleeper, rounds) = (ManualSleep(), Count())
    let loop = WorkLoop(sleep: sleeper.sleep)
    await loop.start {
      await loop.rest(.atMost(.seconds(3)))
      _ = rounds.up()
      return .untilWoken
    }
    #expect(await eventually(equals: [.seconds(3)]) { sleeper.asked.withLock { $0 } })
    #expect(rounds.value == 0)
    await loop.wake()
    #expect(
      await eventually(equals: [.seconds(3), WorkLoop.forever]) { sleeper.asked.withLock { $0 } })
    #expect(rounds.value == 1)
    await loop.stop()
  }

  @Test func stoppingCancelsTheRoundAndWaitsForItsEnd() async {
    let (rounds, ended) = (Count(), Count())
    let loop = WorkLoop()
    await loop.start {
      _ = rounds.up()
      // Waits until the round is cancelled.
      do { try await Task.sleep(for: .seconds(3600)) } catch {}
      _ = ended.up()
      return .none
    }
    #expect(await comes(1, rounds))
    await loop.stop()
    #expect(ended.value == 1)
    #expect(rounds.value == 1)
  }

  @Test func aSleeperIsStoppedAndMayBeginAgain() async {
    let (sleeper, rounds) = (ManualSleep(), Count())
    let loop = WorkLoop(sleep: sleeper.sleep)
    let round: @Sendable () async -> WorkLoop.Rest = {
      _ = rounds.up()
      return .untilWoken
    }
    await loop.start(round)
    // A second start of a running loop does nothing.
    await loop.start(round)
    #expect(await eventually(equals: 1) { sleeper.asked.withLock { $0.count } })
    await loop.stop()
    #expect(rounds.value == 1)
    await loop.start(round)
    #expect(await comes(2, rounds))
    await loop.stop()
  }

  @Test func twoStopsWithAStartBetweenThemLeaveALoopThatCanBeStopped() async {
    let rounds = Count()
    let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
    let loop = WorkLoop()
    await loop.start {
      _ = rounds.up()
      await withCheckedContinuation { continuation in gate.withLock { $0 = continuation } }
      return .untilWoken
    }
    #expect(await eventually(equals: true) { gate.withLock { $0 != nil } })
    // The first of the two that returns starts the loop anew.
    let (starts, ended) = (Count(), Count())
    @Sendable func stopAndStart() async {
      await loop.stop()
      guard starts.up() == 1 else { return }
      await loop.start {
        _ = rounds.up()
        do { try await Task.sleep(for: .seconds(3600)) } catch {}
        _ = ended.up()
        return .untilWoken
      }
    }
    let first = Task { await stopAndStart() }
    let second = Task { await stopAndStart() }
    // Both wait for the round.
    for _ in 0..<100 { await Task.yield() }
    gate.withLock { $0?.resume() }
    await first.value
    await second.value
    #expect(await comes(2, rounds))
    await loop.stop()
    #expect(ended.value == 1)
  }

  private struct Refusal: Error {}

  @Test func aRoundThatFailsIsRepeatedAfterPausesThatGrowUntilOneSucceeds() async {
    let (sleeper, rounds) = (ManualSleep(), Count())
    let counts = Mutex<[Int]>([])
    sleeper.passes.withLock { $0 = 3 }
    let loop = WorkLoop(sleep: sleeper.sleep)
    await loop.start(
      failed: { failure in counts.withLock { $0.append(failure.count) } },
      {
        switch rounds.up() {
        case 1, 2, 5: throw Refusal()
        case 3: return .retry
        case 4: return .none
        default: return .untilWoken
        }
      })
    #expect(await eventually(equals: 4) { sleeper.asked.withLock { $0.count } })
    #expect(sleeper.asked.withLock { $0 } == [5, 10, 20, 5].map { .seconds($0) })
    #expect(counts.withLock { $0 } == [1, 2, 1])
    #expect(await loop.failures == 1)
    await loop.wake()
    #expect(await comes(6, rounds))
    await loop.stop()
  }

  @Test func aFreshWakeUpBeginsWithTheShortestPause() async {
    let (sleeper, rounds) = (ManualSleep(), Count())
    let loop = WorkLoop(RetryPolicy(first: .seconds(1), longest: .seconds(3)), sleep: sleeper.sleep)
    await loop.start {
      _ = rounds.up()
      return .retry
    }
    for (isFresh, pause) in [(false, 1), (false, 2), (false, 3), (true, 3), (false, 1)] {
      #expect(await eventually { sleeper.asked.withLock { $0.last } == .seconds(pause) })
      await loop.wake(isFresh: isFresh)
    }
    await loop.stop()
  }

  @Test func aStepThatMustSucceedIsRepeatedUntilItDoesOrIsHopeless() async throws {
    let (sleeper, tries) = (ManualSleep(), Count())
    sleeper.passes.withLock { $0 = 100 }
    let loop = WorkLoop(sleep: sleeper.sleep)
    try await loop.insist(failed: { _ in }) { if tries.up() < 4 { throw Refusal() } }
    #expect(tries.value == 4)
    #expect(sleeper.asked.withLock { $0 } == [5, 10, 20].map { .seconds($0) })
    await #expect(throws: Refusal.self) {
      try await loop.insist(failed: { _ in throw Refusal() }) { throw CancellationError() }
    }
    #expect(sleeper.asked.withLock { $0.count } == 3)
  }
}

import Messages
import Model
import Testing

@testable import lunara_playback

/// A player's process that ends or no longer reacts.
@Suite struct EngineSupervisionTests {
  private let first = Cue(1, LocalPath("/1.flac"))
  private let second = Cue(2, LocalPath("/2.flac"))
  private let crash = EngineSupervision.Fault.crashed(status: -11)

  private func time(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

  /// A supervision of a process that plays the first cue up to a position.
  private func playing(upTo position: Int64) -> EngineSupervision {
    var supervision = EngineSupervision()
    _ = supervision.handle(.play(first, paused: false))
    supervision.sent(.play(first, paused: false), isNew: true, at: time(0))
    for event: EngineEvent in [
      .opening(first.id), .began(first.id), .flowing(first.id, .zero), .position(first.id, Milliseconds(position)),
    ] { _ = supervision.handle(event, at: time(position)) }
    return supervision
  }

  private func again(_ cue: Cue, at position: Int64, paused: Bool = false) -> EngineSupervision.Action {
    var cue = cue
    cue.start = Milliseconds(position)
    return .send(.play(cue, paused: paused))
  }

  private func failures(_ actions: [EngineSupervision.Action]) -> [String] {
    actions.compactMap {
      switch $0 {
      case .report(.failed(let id, let error)): "\(id.number) \(error.code)"
      case .report(.exhausted(let id)): "exhausted \(id?.number ?? 0)"
      default: nil
      }
    }
  }

  @Test func aCueThatEndsTheProcessWhileItIsOpenedFails() {
    var supervision = EngineSupervision()
    _ = supervision.handle(.play(first, paused: false))
    _ = supervision.handle(.opening(first.id), at: time(1))
    #expect(failures(supervision.ended(crash, at: time(2))) == ["1 playback.decoderFailed", "exhausted 0"])
    #expect(supervision.isSilent)
  }

  @Test func whatIsHeardGoesOnInANewProcessOnce() {
    var supervision = playing(upTo: 5000)
    #expect(
      supervision.ended(crash, at: time(5000)) == [
        .report(.halted(first.id, Milliseconds(5000), .starved)), .report(.reopened(first.id)), again(first, at: 5000),
      ])
    for event: EngineEvent in [.opening(first.id), .began(first.id), .flowing(first.id, Milliseconds(5000))] {
      _ = supervision.handle(event, at: time(5100))
    }
    #expect(failures(supervision.ended(crash, at: time(5200))) == ["1 playback.decoderFailed", "exhausted 0"])
  }

  @Test func afterProgressItGoesOnOnceMore() {
    var supervision = playing(upTo: 5000)
    _ = supervision.ended(crash, at: time(5000))
    for event: EngineEvent in [.opening(first.id), .began(first.id), .flowing(first.id, Milliseconds(5000))] {
      _ = supervision.handle(event, at: time(5100))
    }
    _ = supervision.handle(.position(first.id, Milliseconds(15_000)), at: time(15_100))
    #expect(supervision.ended(crash, at: time(15_200)).last == again(first, at: 15_000))
  }

  @Test func aPreparedCueIsWithheldUntilItCanBeOpenedAlone() {
    var supervision = playing(upTo: 5000)
    _ = supervision.handle(.prepare(second))
    #expect(supervision.ended(crash, at: time(5000)).last == again(first, at: 5000))
    // The room prepares the same track again, under another id.
    var again = second
    again.id = CueID(number: 3)
    #expect(supervision.handle(.prepare(again)) == [.send(.prepare(nil))])
    _ = supervision.handle(.opening(first.id), at: time(5100))
    _ = supervision.handle(.ended(first.id, Milliseconds(9000)), at: time(9000))
    #expect(supervision.handle(.exhausted(nil), at: time(9000)) == [.report(.exhausted(again.id))])
    // Alone it fails if it does harm, and is trusted again once it is heard.
    again.id = CueID(number: 4)
    #expect(supervision.handle(.play(again, paused: false)) == [.send(.play(again, paused: false))])
    for event: EngineEvent in [.opening(again.id), .began(again.id), .position(again.id, Milliseconds(100))] {
      _ = supervision.handle(event, at: time(9500))
    }
    #expect(supervision.handle(.prepare(second)) == [.send(.prepare(second))])
  }

  @Test func afterARestartNothingIsPreparedUntilTheHeardCueHasMadeProgress() {
    var supervision = playing(upTo: 5000)
    _ = supervision.ended(crash, at: time(5000))
    for event: EngineEvent in [.opening(first.id), .began(first.id), .flowing(first.id, Milliseconds(5000))] {
      _ = supervision.handle(event, at: time(5100))
    }
    // The second cue was not prepared when the process ended, but a stream may have another address each time.
    #expect(supervision.handle(.prepare(second)) == [.send(.prepare(nil))])
    _ = supervision.handle(.position(first.id, Milliseconds(14_999)), at: time(15_000))
    #expect(supervision.handle(.prepare(second)) == [.send(.prepare(nil))])
    var exhausted = supervision
    #expect(exhausted.handle(.exhausted(nil), at: time(15_000)) == [.report(.exhausted(second.id))])
    _ = supervision.handle(.position(first.id, Milliseconds(15_000)), at: time(15_001))
    #expect(supervision.handle(.prepare(second)) == [.send(.prepare(second))])
  }

  @Test func ofTwoCuesThatFollowTheFirstIsNext() {
    var supervision = playing(upTo: 5000)
    let third = Cue(3, LocalPath("/3.flac"))
    _ = supervision.handle(.prepare(second))
    _ = supervision.handle(.decoding(second.id), at: time(5100))
    _ = supervision.handle(.prepare(third))
    var other = supervision
    _ = other.handle(.began(second.id), at: time(5200))
    _ = other.handle(.flowing(second.id, Milliseconds(40)), at: time(5200))
    #expect(other.ended(crash, at: time(5300)).last == again(second, at: 40))
    _ = supervision.ended(crash, at: time(5300))
    _ = supervision.handle(.opening(first.id), at: time(5400))
    #expect(supervision.handle(.exhausted(nil), at: time(6000)) == [.report(.exhausted(second.id))])
  }

  @Test func aPausedCueIsReopenedPaused() {
    var supervision = playing(upTo: 5000)
    _ = supervision.handle(.pause(true))
    _ = supervision.handle(.halted(first.id, Milliseconds(5010), .pause), at: time(5010))
    #expect(
      supervision.ended(crash, at: time(6000)) == [.report(.reopened(first.id)), again(first, at: 5010, paused: true)])
  }

  @Test func aProcessThatDoesNotStopIsKilled() {
    var supervision = playing(upTo: 5000)
    #expect(supervision.handle(.stop) == [.send(.stop)])
    supervision.sent(.stop, isNew: false, at: time(5000))
    #expect(supervision.wake(at: time(5000) + EngineSupervision.reactionTime - Milliseconds(1)).isEmpty)
    #expect(supervision.wake(at: time(5000) + EngineSupervision.reactionTime) == [.kill(.unresponsive)])
    // Nothing is to be played, so nothing fails and no process is started.
    #expect(
      supervision.ended(.unresponsive, at: time(7000)) == [.report(.output(used: nil, problem: nil))])
    #expect(supervision.deadline == nil)
  }

  @Test func aProcessThatStopsIsLeftAlone() {
    var supervision = playing(upTo: 5000)
    _ = supervision.handle(.stop)
    supervision.sent(.stop, isNew: false, at: time(5000))
    _ = supervision.handle(.exhausted(nil), at: time(5100))
    #expect(supervision.deadline == nil)
  }

  @Test func aCueThatAHungProcessDoesNotOpenIsPlayedByANewOne() {
    var supervision = playing(upTo: 5000)
    _ = supervision.handle(.play(second, paused: false))
    supervision.sent(.play(second, paused: false), isNew: false, at: time(5000))
    // A last report about the first cue is no reaction.
    _ = supervision.handle(.position(first.id, Milliseconds(5100)), at: time(5100))
    #expect(supervision.wake(at: time(6500)) == [.kill(.unresponsive)])
    #expect(supervision.ended(.unresponsive, at: time(6500)) == [again(second, at: 0)])
    // If the new one does not react either, the player itself is at fault.
    guard case .report(.outputFailed(let error))? = supervision.ended(.unresponsive, at: time(25_000)).first else {
      Issue.record("The player's fault is not reported.")
      return
    }
    #expect(error.code == "playback.engineFailed")
  }

  @Test func aProcessThatFallsSilentWhileItPlaysIsKilled() {
    var supervision = playing(upTo: 5000)
    #expect(supervision.deadline == time(5000) + EngineSupervision.silenceTime)
    #expect(supervision.wake(at: time(15_000)) == [.kill(.unresponsive)])
    _ = supervision.handle(.halted(first.id, Milliseconds(5000), .pause), at: time(15_000))
    #expect(supervision.deadline == nil)
  }

  @Test func commandsAboutCuesAreRemovedAndSettingsStay() {
    var work = EngineWork()
    for command: EngineCommand in [.play(first, paused: false), .prepare(second), .volume(30, over: .zero)] {
      work.add(command)
    }
    work.removeCues()
    #expect(work.outbox == [.volume(30, over: .zero)])
    #expect(!work.needsProcess)
  }
}

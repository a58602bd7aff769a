import Messages
import Model
import Testing

@testable import lunara_playback

/// The playhead's handling of libmpv's signals, one by one.
struct PlayheadTests {
  private let one = CueID(number: 1)
  private let two = CueID(number: 2)

  @Test func soundBeginsWhenTheOutputHasAPosition() {
    var harness = PlayheadHarness()
    harness.send(.play(Cue(1, LocalPath("/1")), paused: false))
    harness.receive(.idle)
    #expect(harness.opened.isEmpty)
    harness.receive(.started(entry: 1))
    // libmpv has left what it played before, which shows that it still works.
    #expect(harness.opened == [one])
    harness.receive(.restarted)
    #expect(harness.events.isEmpty)
    harness.answer(nil)
    #expect(harness.events.isEmpty)
    harness.receive(.restarted)
    harness.answer(0.01)
    #expect(harness.events == [.began(one), .flowing(one, .zero), .position(one, Milliseconds(10))])
  }

  @Test func thePositionIsAskedForWithinEverySecondOfMediaTime() {
    var harness = PlayheadHarness()
    harness.play(1)
    #expect(harness.wait() == Milliseconds(900))
    #expect(harness.commands.last == .askPosition(mark: harness.head.positionRequest?.mark ?? 0))
    harness.answer(0.9)
    #expect(harness.events.last == .position(one, Milliseconds(900)))
    var quick = PlayheadHarness(.steady(20))
    quick.play(1)
    #expect(quick.wait() == Milliseconds(45))
  }

  @Test func aHeldOrSilentPlayerIsLeftAlone() {
    var harness = PlayheadHarness()
    #expect(harness.head.deadline == nil)
    harness.play(1)
    harness.send(.pause(true))
    harness.answer(0.4)
    #expect(harness.events.last == .halted(one, Milliseconds(400), .pause))
    #expect(harness.head.deadline == nil)
  }

  @Test func theTailOfATrackIsHeardWhileTheNextIsDecoded() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.send(.prepare(Cue(2, LocalPath("/2"))))
    harness.pass(1600)
    harness.endFile(1, at: 2, thenStart: 2)
    #expect(harness.takeEvents().last == .decoding(two))
    harness.receive(.restarted)
    harness.answer(-0.4)
    #expect(harness.takeEvents() == [.position(one, Milliseconds(1600))])
    // The playhead asks for the position again when the rest of the first track has been heard.
    let waited = harness.wait() ?? .zero
    #expect(waited >= Milliseconds(400) && waited < Milliseconds(410))
    harness.answer(0.002)
    #expect(
      harness.takeEvents() == [
        .position(one, Milliseconds(2000)), .ended(one, Milliseconds(2000)), .began(two), .flowing(two, .zero),
        .position(two, Milliseconds(2)),
      ])
  }

  @Test func theTailEndsInTimeThoughTheNextIsNotThereYet() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.send(.prepare(Cue(2, LocalPath("/2"))))
    harness.pass(1600)
    harness.wait()
    harness.answer(1.6)
    harness.endFile(1, at: 2, thenStart: 2)
    _ = harness.takeEvents()
    harness.wait()
    harness.answer(nil)
    #expect(harness.takeEvents() == [.position(one, Milliseconds(2000)), .ended(one, Milliseconds(2000))])
    harness.pass(3000)
    harness.receive(.restarted)
    harness.answer(0)
    #expect(harness.takeEvents() == [.began(two), .flowing(two, .zero)])
  }

  @Test func trackThatFitIntoTheBufferAreHeardInOrder() {
    var harness = PlayheadHarness(.steady(100))
    harness.play(1)
    harness.send(.prepare(Cue(2, LocalPath("/2"))))
    harness.receive(.unloading(end: 5))
    harness.receive(.ended(entry: 1, .endOfFile))
    harness.receive(.started(entry: 2))
    harness.send(.prepare(Cue(3, LocalPath("/3"))))
    harness.receive(.restarted)
    harness.endFile(2, at: 3, thenStart: 3)
    harness.receive(.restarted)
    _ = harness.takeEvents()
    // 3 s of the second track and 2 s of the first are still in the buffer.
    harness.answer(-5)
    #expect(harness.takeEvents() == [.position(one, Milliseconds(3000))])
    harness.pass(30)
    harness.wait()
    harness.answer(-1)
    #expect(
      harness.takeEvents() == [
        .position(one, Milliseconds(5000)), .ended(one, Milliseconds(5000)), .began(two), .flowing(two, .zero),
        .position(two, Milliseconds(2000)),
      ])
    harness.receive(.unloading(end: 7))
    harness.receive(.ended(entry: 3, .endOfFile))
    harness.receive(.idle)
    #expect(
      harness.takeEvents() == [
        .position(two, Milliseconds(3000)), .ended(two, Milliseconds(3000)), .began(CueID(number: 3)),
        .flowing(CueID(number: 3), .zero), .position(CueID(number: 3), Milliseconds(7000)),
        .ended(CueID(number: 3), Milliseconds(7000)), .exhausted(nil),
      ])
  }

  @Test func anEndIsWhereTheDecodedSoundEndsNotWhereTheHeaderSays() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.receive(.duration(seconds: 60))
    harness.receive(.unloading(end: 19.5))
    harness.receive(.ended(entry: 1, .endOfFile))
    harness.receive(.idle)
    #expect(harness.events.contains(.duration(one, Milliseconds(60_000))))
    #expect(harness.events.suffix(2) == [.ended(one, Milliseconds(19_500)), .exhausted(nil)])
  }

  @Test(arguments: [PlayerSignal.Ending.unopenable, .unplayable, .redirected, .endOfFile])
  func aFileThatNeverSoundedFails(ending: PlayerSignal.Ending) {
    var harness = PlayheadHarness()
    harness.send(.play(Cue(1, LocalPath("/1")), paused: false))
    harness.receive(.started(entry: 1))
    harness.receive(.unloading(end: nil))
    harness.receive(.ended(entry: 1, ending))
    #expect(harness.failures.map(\.0) == [one])
    #expect(harness.events.isEmpty)
  }

  @Test func aStreamThatBreaksBeforeItSoundsEndsWhereItWasToBegin() {
    var harness = PlayheadHarness()
    harness.send(.play(Cue(1, LocalPath("/1"), from: Milliseconds(7000)), paused: false))
    harness.receive(.started(entry: 1))
    harness.receive(.unloading(end: nil))
    harness.receive(.ended(entry: 1, .cut))
    #expect(harness.events == [.ended(one, Milliseconds(7000))])
    #expect(harness.failures.isEmpty)
  }

  @Test func aPreparedFileThatFailsIsReportedAfterTheTailBeforeIt() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.send(.prepare(Cue(2, LocalPath("/2"))))
    harness.endFile(1, at: 2, thenStart: 2)
    harness.receive(.ended(entry: 2, .unopenable))
    #expect(harness.failures.isEmpty)
    harness.receive(.idle)
    #expect(harness.failures.map(\.0) == [two])
    #expect(harness.events.contains(.ended(one, Milliseconds(2000))))
  }

  @Test func aSeekHaltsAtTheAudiblePositionAndFlowsFromItsTarget() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.pass(700)
    harness.send(.seek(one, to: Milliseconds(30_000)))
    #expect(harness.events.last == .halted(one, Milliseconds(700), .seek))
    #expect(harness.commands.last == .seek(Cue(1, LocalPath("/1")), to: Milliseconds(30_000)))
    _ = harness.takeEvents()
    harness.receive(.restarted)
    harness.answer(30.02)
    #expect(harness.takeEvents() == [.flowing(one, Milliseconds(30_000)), .position(one, Milliseconds(30_020))])
  }

  @Test func aJumpInATrackThatIsDecodedToItsEndOpensItAgain() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.send(.prepare(Cue(2, LocalPath("/2"))))
    harness.endFile(1, at: 2, thenStart: 2)
    _ = harness.takeEvents()
    harness.send(.seek(one, to: Milliseconds(500)))
    #expect(harness.takeEvents() == [.halted(one, .zero, .seek), .reopened(one)])
    harness.receive(.ended(entry: 2, .stopped))
    harness.receive(.started(entry: 3))
    harness.receive(.restarted)
    harness.answer(0.5)
    #expect(harness.takeEvents() == [.began(one), .flowing(one, Milliseconds(500))])
  }

  @Test func missingDataHaltsTheSoundUntilItReturns() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.pass(500)
    harness.receive(.starving(true))
    #expect(harness.events.last == .halted(one, Milliseconds(500), .starved))
    harness.pass(5000)
    harness.receive(.starving(false))
    harness.answer(0.5)
    #expect(harness.events.last == .flowing(one, Milliseconds(500)))
  }

  @Test func aPositionThatStandsStillIsNoSound() {
    var harness = PlayheadHarness()
    harness.play(1)
    for _ in 0..<3 {
      harness.wait()
      harness.answer(0)
    }
    #expect(harness.events.last == .halted(one, .zero, .starved))
    harness.wait()
    harness.answer(1)
    #expect(harness.events.last == .flowing(one, Milliseconds(1000)))
  }

  @Test func aPlayerThatDoesNotAnswerIsNoSound() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.wait()
    harness.wait()
    #expect(harness.events.last == .halted(one, .zero, .starved))
    #expect(harness.now - MonotonicTime(nanoseconds: 0) <= Milliseconds(3001))
  }

  @Test func aLostOutputEndsAll() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.receive(.ended(entry: 1, .noOutput))
    #expect(harness.outputEnded == .playing)
    #expect(harness.head.held == Cue(1, LocalPath("/1")))
    // After a resume the track continues where it was heard last.
    harness.send(.pause(true))
    harness.send(.seek(one, to: Milliseconds(300)))
    _ = harness.takeEvents()
    harness.send(.pause(false))
    #expect(harness.takeEvents() == [.reopened(one)])
    #expect(harness.head.pending?.start == Milliseconds(300))
    #expect(harness.head.openCues.isEmpty && harness.head.deadline == nil)
  }

  @Test func signalsOfAnEarlierCueAreIgnored() {
    var harness = PlayheadHarness()
    harness.play(1)
    _ = harness.takeEvents()
    harness.send(.play(Cue(2, LocalPath("/2")), paused: false))
    harness.receive(.restarted)
    harness.receive(.duration(seconds: 5))
    harness.receive(.unloading(end: 1))
    harness.receive(.ended(entry: 1, .stopped))
    harness.receive(.idle)
    #expect(harness.takeEvents().isEmpty)
    harness.receive(.started(entry: 2))
    harness.receive(.restarted)
    harness.answer(0)
    #expect(harness.takeEvents().first == .began(two))
  }

  @Test func aCuePreparedTooLateIsReported() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.send(.prepare(Cue(2, LocalPath("/2"))))
    // libmpv went idle before the file was in its list.
    harness.receive(.unloading(end: 2))
    harness.receive(.ended(entry: 1, .endOfFile))
    harness.receive(.idle)
    #expect(harness.takeEvents().last == .exhausted(two))
    harness.send(.prepare(Cue(3, LocalPath("/3"))))
    #expect(harness.takeEvents() == [.exhausted(CueID(number: 3))])
  }

  @Test func whatIsPreparedBetweenTwoFilesReplacesWhatWasToFollow() {
    var harness = PlayheadHarness()
    harness.send(.play(Cue(1, LocalPath("/1")), paused: false))
    harness.send(.prepare(Cue(2, LocalPath("/2"))))
    harness.receive(.started(entry: 1))
    harness.receive(.ended(entry: 1, .unopenable))
    // libmpv is about to open the second file, or the third in its place.
    harness.send(.prepare(Cue(3, LocalPath("/3"))))
    #expect(harness.events.isEmpty)
    harness.receive(.started(entry: 3))
    #expect(harness.takeEvents() == [.decoding(CueID(number: 3))])
  }

  @Test func aRefusedLoadFails() {
    var head = Playhead(pace: .steady(1))
    let now = MonotonicTime(nanoseconds: 0)
    guard
      case .player(.load(_, _, let mark))? = head.handle(.play(Cue(1, LocalPath("/1")), paused: false), at: now).last
    else { return #expect(Bool(false)) }
    #expect(head.handle(.added(mark: mark, entry: nil), at: now) == [.fail(Cue(1, LocalPath("/1")), .unopenable)])
  }
}

import Messages
import Model
import Testing

@testable import lunara_playback

/// The playhead's handling of libmpv's signals, one by one.
struct PlayheadTests {
  private let one = CueID(number: 1)
  private let two = CueID(number: 2)

  @Test func soundBeginsWhenTheOutputHasAPosition() {
    var bench = PlayheadHarness()
    bench.order(.play(Cue(1, LocalPath("/1")), paused: false))
    bench.say(.idle)
    bench.say(.started(entry: 1))
    bench.say(.restarted)
    #expect(bench.events.isEmpty)
    bench.answer(nil)
    #expect(bench.events.isEmpty)
    bench.say(.restarted)
    bench.answer(0.01)
    #expect(bench.events == [.began(one), .flowing(one, .zero), .position(one, Milliseconds(10))])
  }

  @Test func thePositionIsAskedForWithinEverySecondOfMediaTime() {
    var bench = PlayheadHarness()
    bench.play(1)
    #expect(bench.wait() == Milliseconds(900))
    #expect(bench.commands.last == .askPosition(mark: bench.head.question?.mark ?? 0))
    bench.answer(0.9)
    #expect(bench.events.last == .position(one, Milliseconds(900)))
    var quick = PlayheadHarness(.steady(20))
    quick.play(1)
    #expect(quick.wait() == Milliseconds(45))
  }

  @Test func aHeldOrSilentPlayerIsLeftAlone() {
    var bench = PlayheadHarness()
    #expect(bench.head.deadline == nil)
    bench.play(1)
    bench.order(.pause(true))
    bench.answer(0.4)
    #expect(bench.events.last == .halted(one, Milliseconds(400), .pause))
    #expect(bench.head.deadline == nil)
  }

  @Test func theTailOfATrackIsHeardWhileTheNextIsDecoded() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.order(.prepare(Cue(2, LocalPath("/2"))))
    bench.pass(1600)
    bench.say(.unloading(end: 2))
    bench.say(.ended(entry: 1, .endOfFile))
    bench.say(.started(entry: 2))
    #expect(bench.takeEvents().last == .decoding(two))
    bench.say(.restarted)
    bench.answer(-0.4)
    #expect(bench.takeEvents() == [.position(one, Milliseconds(1600))])
    // The playhead asks for the position again when the rest of the first track has been heard.
    let waited = bench.wait() ?? .zero
    #expect(waited >= Milliseconds(400) && waited < Milliseconds(410))
    bench.answer(0.002)
    #expect(
      bench.takeEvents() == [
        .position(one, Milliseconds(2000)), .ended(one, Milliseconds(2000)), .began(two), .flowing(two, .zero),
        .position(two, Milliseconds(2)),
      ])
  }

  @Test func theTailEndsInTimeThoughTheNextIsNotThereYet() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.order(.prepare(Cue(2, LocalPath("/2"))))
    bench.pass(1600)
    bench.wait()
    bench.answer(1.6)
    bench.say(.unloading(end: 2))
    bench.say(.ended(entry: 1, .endOfFile))
    bench.say(.started(entry: 2))
    _ = bench.takeEvents()
    bench.wait()
    bench.answer(nil)
    #expect(bench.takeEvents() == [.position(one, Milliseconds(2000)), .ended(one, Milliseconds(2000))])
    bench.pass(3000)
    bench.say(.restarted)
    bench.answer(0)
    #expect(bench.takeEvents() == [.began(two), .flowing(two, .zero)])
  }

  @Test func trackThatFitIntoTheBufferAreHeardInOrder() {
    var bench = PlayheadHarness(.steady(100))
    bench.play(1)
    bench.order(.prepare(Cue(2, LocalPath("/2"))))
    bench.say(.unloading(end: 5))
    bench.say(.ended(entry: 1, .endOfFile))
    bench.say(.started(entry: 2))
    bench.order(.prepare(Cue(3, LocalPath("/3"))))
    bench.say(.restarted)
    bench.say(.unloading(end: 3))
    bench.say(.ended(entry: 2, .endOfFile))
    bench.say(.started(entry: 3))
    bench.say(.restarted)
    _ = bench.takeEvents()
    // 3 s of the second track and 2 s of the first are still in the buffer.
    bench.answer(-5)
    #expect(bench.takeEvents() == [.position(one, Milliseconds(3000))])
    bench.pass(30)
    bench.wait()
    bench.answer(-1)
    #expect(
      bench.takeEvents() == [
        .position(one, Milliseconds(5000)), .ended(one, Milliseconds(5000)), .began(two), .flowing(two, .zero),
        .position(two, Milliseconds(2000)),
      ])
    bench.say(.unloading(end: 7))
    bench.say(.ended(entry: 3, .endOfFile))
    bench.say(.idle)
    #expect(
      bench.takeEvents() == [
        .position(two, Milliseconds(3000)), .ended(two, Milliseconds(3000)), .began(CueID(number: 3)),
        .flowing(CueID(number: 3), .zero), .position(CueID(number: 3), Milliseconds(7000)),
        .ended(CueID(number: 3), Milliseconds(7000)), .exhausted(nil),
      ])
  }

  @Test func anEndIsWhereTheDecodedSoundEndsNotWhereTheHeaderSays() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.say(.duration(seconds: 60))
    bench.say(.unloading(end: 19.5))
    bench.say(.ended(entry: 1, .endOfFile))
    bench.say(.idle)
    #expect(bench.events.contains(.duration(one, Milliseconds(60_000))))
    #expect(bench.events.suffix(2) == [.ended(one, Milliseconds(19_500)), .exhausted(nil)])
  }

  @Test(arguments: [PlayerSignal.Ending.unopenable, .unplayable, .redirected, .endOfFile])
  func aFileThatNeverSoundedFails(ending: PlayerSignal.Ending) {
    var bench = PlayheadHarness()
    bench.order(.play(Cue(1, LocalPath("/1")), paused: false))
    bench.say(.started(entry: 1))
    bench.say(.unloading(end: nil))
    bench.say(.ended(entry: 1, ending))
    #expect(bench.failures.map(\.0) == [one])
    #expect(bench.events.isEmpty)
  }

  @Test func aStreamThatBreaksBeforeItSoundsEndsWhereItWasToBegin() {
    var bench = PlayheadHarness()
    bench.order(.play(Cue(1, LocalPath("/1"), from: Milliseconds(7000)), paused: false))
    bench.say(.started(entry: 1))
    bench.say(.unloading(end: nil))
    bench.say(.ended(entry: 1, .cut))
    #expect(bench.events == [.ended(one, Milliseconds(7000))])
    #expect(bench.failures.isEmpty)
  }

  @Test func aPreparedFileThatFailsIsReportedAfterTheTailBeforeIt() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.order(.prepare(Cue(2, LocalPath("/2"))))
    bench.say(.unloading(end: 2))
    bench.say(.ended(entry: 1, .endOfFile))
    bench.say(.started(entry: 2))
    bench.say(.ended(entry: 2, .unopenable))
    #expect(bench.failures.isEmpty)
    bench.say(.idle)
    #expect(bench.failures.map(\.0) == [two])
    #expect(bench.events.contains(.ended(one, Milliseconds(2000))))
  }

  @Test func aSeekHaltsAtTheAudiblePositionAndFlowsFromItsTarget() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.pass(700)
    bench.order(.seek(one, to: Milliseconds(30_000)))
    #expect(bench.events.last == .halted(one, Milliseconds(700), .seek))
    #expect(bench.commands.last == .seek(Milliseconds(30_000)))
    _ = bench.takeEvents()
    bench.say(.restarted)
    bench.answer(30.02)
    #expect(bench.takeEvents() == [.flowing(one, Milliseconds(30_000)), .position(one, Milliseconds(30_020))])
  }

  @Test func aJumpInATrackThatIsDecodedToItsEndOpensItAgain() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.order(.prepare(Cue(2, LocalPath("/2"))))
    bench.say(.unloading(end: 2))
    bench.say(.ended(entry: 1, .endOfFile))
    bench.say(.started(entry: 2))
    _ = bench.takeEvents()
    bench.order(.seek(one, to: Milliseconds(500)))
    #expect(bench.takeEvents() == [.halted(one, .zero, .seek), .reopened(one)])
    bench.say(.ended(entry: 2, .stopped))
    bench.say(.started(entry: 3))
    bench.say(.restarted)
    bench.answer(0.5)
    #expect(bench.takeEvents() == [.began(one), .flowing(one, Milliseconds(500))])
  }

  @Test func missingDataHaltsTheSoundUntilItReturns() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.pass(500)
    bench.say(.starving(true))
    #expect(bench.events.last == .halted(one, Milliseconds(500), .starved))
    bench.pass(5000)
    bench.say(.starving(false))
    bench.answer(0.5)
    #expect(bench.events.last == .flowing(one, Milliseconds(500)))
  }

  @Test func aPositionThatStandsStillIsNoSound() {
    var bench = PlayheadHarness()
    bench.play(1)
    for _ in 0..<3 {
      bench.wait()
      bench.answer(0)
    }
    #expect(bench.events.last == .halted(one, .zero, .starved))
    bench.wait()
    bench.answer(1)
    #expect(bench.events.last == .flowing(one, Milliseconds(1000)))
  }

  @Test func aPlayerThatDoesNotAnswerIsNoSound() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.wait()
    bench.wait()
    #expect(bench.events.last == .halted(one, .zero, .starved))
    #expect(bench.now - MonotonicTime(nanoseconds: 0) <= Milliseconds(3001))
  }

  @Test func aLostOutputEndsAll() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.say(.ended(entry: 1, .noOutput))
    #expect(bench.outputEnded == .playing)
    #expect(bench.head.held == Cue(1, LocalPath("/1")))
    // After a resume the track continues where it was heard last.
    bench.order(.pause(true))
    bench.order(.seek(one, to: Milliseconds(300)))
    _ = bench.takeEvents()
    bench.order(.pause(false))
    #expect(bench.takeEvents() == [.reopened(one)])
    #expect(bench.head.pending?.start == Milliseconds(300))
    #expect(bench.head.segments.isEmpty && bench.head.deadline == nil)
  }

  @Test func signalsOfAnEarlierCueAreIgnored() {
    var bench = PlayheadHarness()
    bench.play(1)
    _ = bench.takeEvents()
    bench.order(.play(Cue(2, LocalPath("/2")), paused: false))
    bench.say(.restarted)
    bench.say(.duration(seconds: 5))
    bench.say(.unloading(end: 1))
    bench.say(.ended(entry: 1, .stopped))
    bench.say(.idle)
    #expect(bench.takeEvents().isEmpty)
    bench.say(.started(entry: 2))
    bench.say(.restarted)
    bench.answer(0)
    #expect(bench.takeEvents().first == .began(two))
  }

  @Test func aCuePreparedTooLateIsReported() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.order(.prepare(Cue(2, LocalPath("/2"))))
    // libmpv went idle before the file was in its list.
    bench.say(.unloading(end: 2))
    bench.say(.ended(entry: 1, .endOfFile))
    bench.say(.idle)
    #expect(bench.takeEvents().last == .exhausted(two))
    bench.order(.prepare(Cue(3, LocalPath("/3"))))
    #expect(bench.takeEvents() == [.exhausted(CueID(number: 3))])
  }

  @Test func whatIsPreparedBetweenTwoFilesReplacesWhatWasToFollow() {
    var bench = PlayheadHarness()
    bench.order(.play(Cue(1, LocalPath("/1")), paused: false))
    bench.order(.prepare(Cue(2, LocalPath("/2"))))
    bench.say(.started(entry: 1))
    bench.say(.ended(entry: 1, .unopenable))
    // libmpv is about to open the second file, or the third in its place.
    bench.order(.prepare(Cue(3, LocalPath("/3"))))
    #expect(bench.events.isEmpty)
    bench.say(.started(entry: 3))
    #expect(bench.takeEvents() == [.decoding(CueID(number: 3))])
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

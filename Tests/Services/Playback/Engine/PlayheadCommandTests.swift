import Messages
import Model
import Testing

@testable import lunara_playback

/// Commands to the playhead: skips, fades, seeks.
struct PlayheadCommandTests {
  private let one = CueID(number: 1)

  @Test func aPreparedCueIsSkippedTo() {
    var bench = PlayheadHarness()
    bench.play(1)
    let next = Cue(2, LocalPath("/2"))
    bench.order(.prepare(next))
    _ = bench.takeEvents()
    var wanted = next
    wanted.id = CueID(number: 3)
    bench.order(.play(wanted, paused: false))
    #expect(bench.commands.last == .next)
    bench.say(.ended(entry: 1, .stopped))
    bench.say(.started(entry: 2))
    bench.say(.restarted)
    bench.answer(0)
    #expect(bench.takeEvents() == [.began(wanted.id), .flowing(wanted.id, .zero)])
    // Another cue can be prepared after it, as after any other.
    bench.order(.prepare(Cue(4, LocalPath("/4"))))
    #expect(bench.head.prepared?.id == CueID(number: 4))
  }

  @Test(arguments: [
    Cue(3, LocalPath("/2"), from: Milliseconds(1)), Cue(3, LocalPath("/2")).gained(-1), Cue(3, LocalPath("/3")),
  ])
  func aCueThatDiffersFromThePreparedOneIsOpened(wanted: Cue) {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.order(.prepare(Cue(2, LocalPath("/2"))))
    bench.order(.play(wanted, paused: false))
    #expect(!bench.commands.contains(.next))
    #expect(bench.head.pending == wanted)
  }

  @Test func aPreparedCueStaysWhereTheTrackEndedFirst() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.order(.prepare(Cue(2, LocalPath("/2"))))
    // libmpv has moved on to the second file by itself, and its signal is on the way.
    bench.order(.play(Cue(3, LocalPath("/2")), paused: false))
    bench.say(.unloading(end: 2))
    bench.say(.ended(entry: 1, .endOfFile))
    bench.say(.started(entry: 2))
    bench.say(.restarted)
    _ = bench.takeEvents()
    bench.answer(-0.2)
    #expect(bench.takeEvents() == [.began(CueID(number: 3)), .flowing(CueID(number: 3), .zero)])
  }

  @Test func aFadeLeadsToItsEndInSteps() {
    var bench = PlayheadHarness()
    bench.order(.volume(0, over: Milliseconds(1000)))
    #expect(bench.commands.isEmpty)
    while bench.head.fader.fade != nil { bench.wait() }
    let levels = bench.commands.compactMap { if case .volume(let level) = $0 { level } else { nil } }
    #expect(levels.count == 50 && levels.last == 0)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 > $1 && $0 - $1 < 2.1 })
    #expect(bench.head.deadline == nil)
  }

  @Test func aNewVolumeEndsAFade() {
    var bench = PlayheadHarness()
    bench.order(.volume(0, over: Milliseconds(1000)))
    for _ in 0..<25 { bench.wait() }
    // The next fade starts at the current volume, not where the first one started.
    bench.order(.volume(100, over: Milliseconds(100)))
    #expect(abs((bench.head.fader.fade?.from ?? 0) - 50) < 0.001)
    bench.order(.volume(70, over: .zero))
    #expect(bench.head.fader.fade == nil)
    #expect(bench.commands.last == .volume(70))
  }

  @Test(arguments: [(-3, 0.0), (101, 100), (Int.max, 100), (Int.min, 0)] as [(Int, Double)])
  func aVolumeBeyondBoundsIsTheNearest(asked: Int, set: Double) {
    var bench = PlayheadHarness()
    bench.order(.volume(asked, over: .zero))
    #expect(bench.commands == [.volume(set)])
  }

  @Test func aJumpBeforeTheStartIsToTheStart() {
    var bench = PlayheadHarness()
    bench.play(1)
    bench.order(.seek(one, to: Milliseconds(-5000)))
    #expect(bench.commands.last == .seek(.zero))
  }
}

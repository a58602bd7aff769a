import Messages
import Model
import Testing

@testable import lunara_playback

/// Commands to the playhead: skips, fades, seeks.
struct PlayheadCommandTests {
  private let one = CueID(number: 1)

  @Test func aPreparedCueIsSkippedTo() {
    var harness = PlayheadHarness()
    harness.play(1)
    let next = Cue(2, LocalPath("/2"))
    harness.send(.prepare(next))
    _ = harness.takeEvents()
    var wanted = next
    wanted.id = CueID(number: 3)
    harness.send(.play(wanted, paused: false))
    #expect(harness.commands.last == .next)
    harness.receive(.ended(entry: 1, .stopped))
    harness.receive(.started(entry: 2))
    harness.receive(.restarted)
    harness.answer(0)
    #expect(harness.takeEvents() == [.began(wanted.id), .flowing(wanted.id, .zero)])
    // Another cue can be prepared after it, as after any other.
    harness.send(.prepare(Cue(4, LocalPath("/4"))))
    #expect(harness.head.prepared?.id == CueID(number: 4))
  }

  @Test(arguments: [
    Cue(3, LocalPath("/2"), from: Milliseconds(1)), Cue(3, LocalPath("/2")).gained(-1), Cue(3, LocalPath("/3")),
  ])
  func aCueThatDiffersFromThePreparedOneIsOpened(wanted: Cue) {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.send(.prepare(Cue(2, LocalPath("/2"))))
    harness.send(.play(wanted, paused: false))
    #expect(!harness.commands.contains(.next))
    #expect(harness.head.pending == wanted)
  }

  @Test func aPreparedCueStaysWhereTheTrackEndedFirst() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.send(.prepare(Cue(2, LocalPath("/2"))))
    // libmpv has moved on to the second file by itself, and its signal is on the way.
    harness.send(.play(Cue(3, LocalPath("/2")), paused: false))
    harness.endFile(1, at: 2, thenStart: 2)
    harness.receive(.restarted)
    _ = harness.takeEvents()
    harness.answer(-0.2)
    #expect(harness.takeEvents() == [.began(CueID(number: 3)), .flowing(CueID(number: 3), .zero)])
  }

  @Test func aFadeLeadsToItsEndInSteps() {
    var harness = PlayheadHarness()
    harness.send(.volume(0, over: Milliseconds(1000)))
    #expect(harness.commands.isEmpty)
    while harness.head.fader.fade != nil { harness.wait() }
    let levels = harness.commands.compactMap { if case .volume(let level) = $0 { level } else { nil } }
    #expect(levels.count == 50 && levels.last == 0)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 > $1 && $0 - $1 < 2.1 })
    #expect(harness.head.deadline == nil)
  }

  @Test func aNewVolumeEndsAFade() {
    var harness = PlayheadHarness()
    harness.send(.volume(0, over: Milliseconds(1000)))
    for _ in 0..<25 { harness.wait() }
    // The next fade starts at the current volume, not where the first one started.
    harness.send(.volume(100, over: Milliseconds(100)))
    #expect(abs((harness.head.fader.fade?.from ?? 0) - 50) < 0.001)
    harness.send(.volume(70, over: .zero))
    #expect(harness.head.fader.fade == nil)
    #expect(harness.commands.last == .volume(70))
  }

  @Test(arguments: [(-3, 0.0), (101, 100), (Int.max, 100), (Int.min, 0)] as [(Int, Double)])
  func aVolumeBeyondBoundsIsTheNearest(asked: Int, set: Double) {
    var harness = PlayheadHarness()
    harness.send(.volume(asked, over: .zero))
    #expect(harness.commands == [.volume(set)])
  }

  @Test func aJumpBeforeTheStartIsToTheStart() {
    var harness = PlayheadHarness()
    harness.play(1)
    harness.send(.seek(one, to: Milliseconds(-5000)))
    #expect(harness.commands.last == .seek(Cue(1, LocalPath("/1")), to: .zero))
  }
}

import Messages
import Model
import Testing

@testable import lunara_playback

/// The playhead's handling of segments of one file. A sample is a millisecond here.
struct PlayheadSegmentTests {
  private let one = CueID(number: 1)
  private let two = CueID(number: 2)

  private func cue(_ number: UInt64, _ samples: Range<Int64>, _ path: String = "/image") -> Cue {
    Cue(number, LocalPath(path), samples: samples, rate: 1000)
  }

  private let first: Cue
  private let second: Cue

  init() {
    (first, second) = (
      Cue(1, LocalPath("/image"), samples: 5000..<10_000, rate: 1000),
      Cue(2, LocalPath("/image"), samples: 10_000..<14_000, rate: 1000)
    )
  }

  /// Plays the first segment until it is heard.
  private func playing() -> PlayheadHarness {
    var harness = PlayheadHarness()
    harness.send(.play(first, paused: false))
    harness.receive(.started(entry: 1))
    harness.receive(.duration(seconds: 60))
    harness.receive(.restarted)
    harness.answer(5.1)
    return harness
  }

  @Test func positionsAndLengthsCountFromTheSegmentsStart() {
    var harness = playing()
    #expect(
      harness.takeEvents() == [
        .duration(one, Milliseconds(5000)), .began(one), .flowing(one, .zero), .position(one, Milliseconds(100)),
      ])
    harness.send(.seek(one, to: Milliseconds(2000)))
    #expect(harness.commands.last == .seek(first, to: Milliseconds(2000)))
    harness.receive(.restarted)
    harness.answer(7.05)
    #expect(harness.takeEvents().suffix(2) == [.flowing(one, Milliseconds(2000)), .position(one, Milliseconds(2050))])
  }

  @Test func theNextSegmentIsPlayedWithoutOpeningAnything() {
    var harness = playing()
    harness.send(.prepare(second))
    #expect(harness.commands.last == .end(second))
    harness.wait()
    harness.answer(6)
    _ = harness.takeEvents()
    // The next cue is open shortly before the decoder can reach it, so that the one after it is prepared in time.
    while harness.takeEvents().last != .decoding(two), harness.now < MonotonicTime(nanoseconds: 9_000_000_000) {
      harness.wait()
      harness.answer(5.1 + Double(harness.now.nanoseconds) / 1e9)
      if harness.head.continuation == nil { break }
    }
    let at = harness.now
    #expect(at >= MonotonicTime(nanoseconds: 4_200_000_000) && at < MonotonicTime(nanoseconds: 4_500_000_000))
    _ = harness.takeEvents()
    harness.now = MonotonicTime(nanoseconds: 4_950_000_000)
    _ = harness.head.askPosition(at: harness.now)
    harness.answer(10.05)
    #expect(
      harness.takeEvents() == [
        .position(one, Milliseconds(5000)), .ended(one, Milliseconds(5000)), .began(two), .flowing(two, .zero),
        .position(two, Milliseconds(50)),
      ])
    #expect(!harness.commands.contains { if case .load = $0 { true } else { $0 == .next } })
    // A jump within the second segment is one within the same file.
    harness.send(.seek(two, to: .zero))
    #expect(harness.commands.last == .seek(second, to: .zero))
  }

  @Test func theEndIsPutBackWhereAnotherCueBecomesTheNextOne() {
    for next in [nil, cue(3, 0..<500), cue(3, 10_000..<14_000, "/other"), second.gained(-3)] {
      var harness = playing()
      harness.send(.prepare(second))
      harness.commands = []
      harness.send(.prepare(next))
      #expect(harness.commands == [.end(first)])
      #expect(harness.head.prepared == next && harness.head.continuation == nil)
    }
  }

  @Test func aLongerNextSegmentMovesTheEndOnceMore() {
    var harness = playing()
    harness.send(.prepare(second))
    harness.commands = []
    // Only the locator is fresh.
    var again = second
    again.id = CueID(number: 3)
    harness.send(.prepare(again))
    #expect(harness.commands.isEmpty)
    let longer = cue(4, 10_000..<15_000)
    harness.send(.prepare(longer))
    #expect(harness.commands == [.end(longer)])
  }

  @Test func aSegmentThatComesTooLateIsOpenedAsAFileOfItsOwn() {
    var harness = playing()
    harness.pass(4400)
    harness.send(.prepare(second))
    #expect(harness.head.prepared == second && !harness.commands.contains(.end(second)))
  }

  @Test func aSegmentThatIsPreparedBeforeTheFileIsOpenWaitsForIt() {
    var harness = PlayheadHarness()
    harness.send(.play(first, paused: true))
    harness.send(.prepare(second))
    harness.receive(.started(entry: 1))
    harness.receive(.restarted)
    #expect(!harness.commands.contains(.end(second)))
    harness.answer(5)
    #expect(harness.commands.last == .end(second))
  }

  @Test func aFileThatEndsBeforeTheNextSegmentFailsThatSegment() {
    var harness = playing()
    harness.send(.prepare(second))
    harness.pass(4400)
    harness.wait()
    harness.answer(9.5)
    #expect(harness.takeEvents().contains(.decoding(two)))
    // The file is shorter than its sheet says.
    harness.receive(.unloading(end: 9.2))
    harness.receive(.ended(entry: 1, .endOfFile))
    harness.receive(.idle)
    #expect(harness.takeEvents().contains(.ended(one, Milliseconds(4200))))
    #expect(harness.failures.map(\.0) == [two] && harness.failures.map(\.1) == [.unplayable])
  }

  @Test func aSegmentAtWhoseStartLibmpvHadStoppedIsOpenedLater() {
    var harness = playing()
    harness.send(.prepare(second))
    harness.pass(4400)
    harness.wait()
    harness.answer(9.5)
    _ = harness.takeEvents()
    harness.receive(.unloading(end: 10))
    harness.receive(.ended(entry: 1, .endOfFile))
    harness.receive(.idle)
    #expect(harness.takeEvents().suffix(2) == [.ended(one, Milliseconds(5000)), .exhausted(two)])
    #expect(harness.failures.isEmpty)
  }

  @Test func anotherSegmentIsHeardOnlyAfterTheBufferOfTheFormerFile() {
    var harness = playing()
    let other = cue(2, 30_000..<34_000, "/other")
    harness.send(.prepare(other))
    harness.pass(4500)
    harness.endFile(1, at: 10, thenStart: 2)
    harness.receive(.restarted)
    _ = harness.takeEvents()
    // 300 ms of the first segment are still in the buffer.
    harness.answer(29.7)
    #expect(harness.takeEvents() == [.position(one, Milliseconds(4700))])
    harness.pass(400)
    harness.wait()
    harness.answer(30.1)
    #expect(
      harness.takeEvents() == [
        .position(one, Milliseconds(5000)), .ended(one, Milliseconds(5000)), .began(two), .flowing(two, .zero),
        .position(two, Milliseconds(100)),
      ])
  }

  @Test func whatIsBufferedOfAStreamIsTheSegmentsPart() {
    var harness = PlayheadHarness()
    let segment = AudioSegment(start: 5000, end: 10_000, sampleRate: 1000)
    harness.send(
      .play(Cue(id: one, locator: .url("http://a/1", headers: [:], segment: segment), start: .zero), paused: false))
    harness.receive(.started(entry: 1))
    harness.receive(.cached(seconds: 7))
    harness.receive(.cached(seconds: 30))
    #expect(harness.events == [.buffered(one, upTo: Milliseconds(2000)), .buffered(one, upTo: Milliseconds(5000))])
  }

  @Test func segmentsOfOneFileAreRecognised() {
    func stream(_ url: String, _ start: Int64, file: String?, end: Int64? = nil) -> Cue {
      let segment = AudioSegment(start: start, end: end, sampleRate: 1000, file: file)
      return Cue(id: two, locator: .url(url, headers: [:], segment: segment), start: .zero)
    }
    #expect(second.continues(first) && !first.continues(second) && !first.continues(first))
    #expect(!cue(2, 10_001..<14_000).continues(first))
    #expect(!Cue(2, LocalPath("/image"), samples: 10_000..<14_000, rate: 2000).continues(first))
    #expect(!Cue(2, LocalPath("/image")).continues(first))
    // Each track has an address of its own, and the key tells that they lead to one file.
    let former = stream("http://a/1?s=1", 0, file: "k", end: 500)
    #expect(stream("http://a/2?s=2", 500, file: "k").continues(former))
    #expect(!stream("http://a/2?s=2", 500, file: "other").continues(former))
    #expect(!stream("http://a/2?s=2", 500, file: nil).continues(stream("http://a/1?s=1", 0, file: nil, end: 500)))
    var midway = stream("http://a/2?s=2", 500, file: "k")
    midway.start = Milliseconds(1)
    #expect(!midway.continues(former))
  }
}

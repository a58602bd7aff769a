import Messages
import Model
import ServiceKit
import TestSupport
import Testing

@testable import lunara_playback

/// The time that counts as heard.
struct ListenMeterTests {
  private let item = QueueItem.numbered(1, seconds: 200)
  private let date = Timestamp(seconds: 1000)

  private func meter(_ pace: Pace = .steady(1), resuming listen: ListenMeter.OpenListen? = nil) -> ListenMeter {
    ListenMeter(room: .kitchen, pace: pace, resuming: listen)
  }

  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }
  private func ms(_ seconds: Double) -> Milliseconds { Milliseconds(seconds: seconds) }
  private var drawn: ListenID { ListenID(rawValue: "listen-1") }

  /// Plays in real time from `position` at `start`, with one position report a second.
  private func play(_ meter: inout ListenMeter, from position: Double, to end: Double, at start: Double)
    -> [RoomFact]
  {
    var reports = meter.soundStarted(item, from: ms(position), at: at(start), on: date) { drawn }
    var now = position
    while now < end {
      now = min(end, now + 1)
      reports += meter.advance(to: ms(now), at: at(start + now - position))
    }
    return reports
  }

  private func heard(_ reports: [RoomFact]) -> [Milliseconds] {
    reports.compactMap { if case .heard(_, let heard) = $0 { heard } else { nil } }
  }

  @Test func aListenStartsWithItsFirstSound() {
    var meter = meter()
    let reports = meter.soundStarted(item, from: .zero, at: at(5), on: date) { drawn }
    guard case .started(let subject)? = reports.first else { return #expect(Bool(false), "\(reports)") }
    #expect(reports.count == 1)
    #expect(subject == .init(listen: drawn, room: .kitchen, item: item, startedAt: date))
  }

  @Test func aListenGetsTheNewNamesOfItsTrackAndKeepsALengthThatOnlyTheFileKnows() throws {
    var meter = meter()
    var bare = item
    bare.track.duration = .zero
    _ = meter.soundStarted(bare, length: ms(90), from: .zero, at: at(0), on: date) { drawn }
    var renamed = bare.track
    renamed.title = "Renamed"
    let results = [[QueueItem.numbered(2).track, renamed], [renamed], [QueueItem.numbered(2).track]]
      .map { meter.renew($0) }
    #expect(results == [true, false, false])
    #expect(meter.listen?.subject.item.track.title == "Renamed")
    #expect(meter.listen?.subject.item.track.duration == ms(90))
    renamed.duration = ms(80)
    _ = meter.renew([renamed])
    #expect(meter.listen?.subject.item.track == renamed)
  }

  @Test func aListenThatBeganBeforeTheClockWasSetMovesWithIt() throws {
    var meter = meter()
    _ = play(&meter, from: 0, to: 10, at: 5)
    var clock = ClockReference(now: date, sinceBoot: 300_000_000)
    let set = Timestamp(seconds: 1_796_000_000)
    let step = clock.step(now: set, sinceBoot: 310_000_000)
    meter.apply(try #require(step))
    guard case .ended(let subject, _, _)? = meter.end(.finished).last else { return #expect(Bool(false)) }
    #expect(subject.startedAt == set - Milliseconds(10_000) && subject.listen == drawn)
  }

  @Test func aListenThatIsTakenOverLearnsTheLengthThatOnlyTheFileKnows() {
    var meter = meter()
    var bare = item
    bare.track.duration = .zero
    meter.adopt(.init(listen: drawn, startedAt: date, heard: ms(60)), of: bare)
    _ = meter.soundStarted(bare, from: ms(60), at: at(0), on: date) { drawn }
    #expect(meter.listen?.subject.item.track.duration == .zero)
    meter.setDuration(ms(5), of: EntryID(rawValue: "another"))
    #expect(meter.listen?.subject.item.track.duration == .zero)
    _ = meter.soundStarted(item, from: ms(60), at: at(0), on: date) { drawn }
    #expect(meter.listen?.subject.item.track.duration == ms(200) && meter.listen?.heard == ms(60))
    // A length that the track's source gave is not replaced.
    meter.setDuration(ms(5), of: item.entry)
    #expect(meter.listen?.subject.item.track.duration == ms(200))
  }

  @Test func whatIsHeardIsReportedEveryThirtySeconds() {
    var meter = meter()
    let reports = play(&meter, from: 0, to: 100, at: 0)
    #expect(heard(reports) == [ms(30), ms(60), ms(90)])
    #expect(meter.listen?.heard == ms(100))
  }

  @Test func aPauseReportsAndItsTimeDoesNotCount() {
    var meter = meter()
    _ = play(&meter, from: 0, to: 10, at: 0)
    let reports9 = meter.hold(at: ms(10.4), at(10.4), .pause)
    #expect(heard(reports9) == [ms(10.4)])
    let reports1 = meter.advance(to: ms(60), at: at(60))
    #expect(reports1 == [])
    #expect(meter.listen?.heard == ms(10.4))
    _ = play(&meter, from: 10.4, to: 15, at: 500)
    #expect(meter.listen?.heard == ms(15))
  }

  @Test func goingOnAfterAPauseIsTheSameListen() {
    var meter = meter()
    _ = play(&meter, from: 0, to: 10, at: 0)
    _ = meter.hold(at: ms(10), at(10), .pause)
    let reports2 = meter.soundStarted(item, from: ms(10), at: at(90), on: Timestamp(seconds: 9)) { "other".listen }
    #expect(reports2 == [])
    #expect(meter.listen?.subject.startedAt == date)
  }

  @Test func skippedPartsDoNotCount() {
    var meter = meter()
    _ = play(&meter, from: 0, to: 10, at: 0)
    let reports10 = meter.hold(at: ms(10.5), at(10.5), .seek)
    #expect(heard(reports10) == [ms(10.5)])
    _ = play(&meter, from: 150, to: 160, at: 11)
    #expect(meter.listen?.heard == ms(20.5))
  }

  @Test func waitingForDataReportsNothingAndDoesNotCount() {
    var meter = meter()
    _ = play(&meter, from: 0, to: 10, at: 0)
    let reports3 = meter.hold(at: ms(10), at(10), .starved)
    #expect(reports3 == [])
    _ = play(&meter, from: 10, to: 12, at: 40)
    #expect(meter.listen?.heard == ms(12))
  }

  @Test func aPauseWithNothingNewReportsNothing() {
    var meter = meter()
    _ = play(&meter, from: 0, to: 30, at: 0)
    let reports4 = meter.hold(at: ms(30), at(30), .pause)
    #expect(reports4 == [])
    let reports5 = meter.hold(at: ms(30), at(31), .pause)
    #expect(reports5 == [])
  }

  @Test func aPositionThatLeapsIsNotHeard() {
    var meter = meter()
    _ = play(&meter, from: 0, to: 10, at: 0)
    _ = meter.advance(to: ms(180), at: at(11))
    let counted = meter.listen?.heard ?? .zero
    #expect(counted >= ms(11) && counted < ms(12))
  }

  @Test func aPositionThatFallsBackKeepsTheTimeHeard() {
    var meter = meter()
    _ = play(&meter, from: 0, to: 10, at: 0)
    _ = meter.advance(to: ms(4), at: at(11))
    #expect(meter.listen?.heard == ms(10))
    _ = meter.advance(to: ms(5), at: at(12))
    #expect(meter.listen?.heard == ms(11))
  }

  @Test func aFasterOutputCountsMediaTime() {
    for pace in [Pace.steady(100), .free] {
      var meter = meter(pace)
      var reports = meter.soundStarted(item, from: .zero, at: at(0), on: date) { drawn }
      for step in 1...20 { reports += meter.advance(to: ms(Double(step) * 10), at: at(Double(step) * 0.1)) }
      #expect(meter.listen?.heard == ms(200))
      #expect(heard(reports) == [30, 60, 90, 120, 150, 180].map(ms))
    }
  }

  @Test(arguments: [Playback.EndReason.finished, .skipped, .failed])
  func anEndReportsAllThatWasHeard(reason: Playback.EndReason) throws {
    var meter = meter()
    _ = play(&meter, from: 0, to: 42, at: 0)
    let subject = try #require(meter.listen?.subject)
    let reports6 = meter.end(reason)
    #expect(reports6 == [.ended(subject, ms(42), reason)])
    let reports7 = meter.end(reason)
    #expect(reports7 == [])
    #expect(meter.listen == nil)
  }

  @Test func anotherEntryIsAnotherListenThoughTheTrackIsTheSame() {
    var meter = meter()
    _ = play(&meter, from: 0, to: 5, at: 0)
    var again = item
    again.entry = EntryID(rawValue: "entry-again")
    let reports = meter.soundStarted(again, from: .zero, at: at(6), on: date) { "listen-2".listen }
    #expect(reports.count == 2)
    guard case .ended(_, ms(5), .skipped) = reports[0], case .started = reports[1] else {
      return #expect(Bool(false), "\(reports)")
    }
  }

  @Test func aListenOfAnEarlierStartGoesOn() {
    let subject = Playback.ListenSubject(listen: drawn, room: .kitchen, item: item, startedAt: date)
    var meter = meter(resuming: .init(subject: subject, heard: ms(50)))
    var reports = meter.soundStarted(item, from: ms(50), at: at(0), on: Timestamp(seconds: 5000)) { "other".listen }
    for second in 1...40 { reports += meter.advance(to: ms(50 + Double(second)), at: at(Double(second))) }
    #expect(reports == [.heard(subject, ms(80))])
    let reports8 = meter.end(.finished)
    #expect(reports8 == [.ended(subject, ms(90), .finished)])
  }

  /// Random events in random order: a listen starts once, is reported with growing amounts, and ends once with at least
  /// the last of them. It never counts more than the sound that flowed.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func randomEventsKeepTheFactsConsistent(seed: UInt64) {
    var random = Seeded(seed)
    var meter = meter(seed % 2 == 0 ? .free : .steady(1))
    var reports: [RoomFact] = []
    var truth: [EntryID: Int64] = [:]
    var (now, position, item, flows, drawn) = (0.0, 0.0, item, false, 0)
    for _ in 0..<500 {
      let step = Double.random(in: 0...5, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2, 3:
        now += step
        if flows {
          truth[item.entry, default: 0] += ms(position + step).rawValue - ms(position).rawValue
          position += step
        }
        reports += meter.advance(to: ms(position), at: at(now))
      case 4:
        flows = true
        drawn += 1
        reports += meter.soundStarted(item, from: ms(position), at: at(now), on: date) { "l\(drawn)".listen }
      case 5:
        reports += meter.hold(at: ms(position), at(now), [.pause, .seek, .starved][drawn % 3])
        flows = false
      case 6:
        reports += meter.hold(at: ms(position), at(now), .seek)
        flows = false
        position = Double.random(in: 0...200, using: &random)
      default:
        reports += meter.end([.finished, .skipped, .failed][drawn % 3])
        flows = false
        item = .numbered(drawn + 1000 * Int(seed) + reports.count + 2)
        position = 0
      }
    }
    reports += meter.end(.skipped)
    var open: [ListenID: Milliseconds] = [:]
    var closed: Set<ListenID> = []
    for report in reports {
      switch report {
      case .started(let subject):
        #expect(open.isEmpty && !closed.contains(subject.listen))
        open[subject.listen] = .zero
      case .heard(let subject, let heard):
        #expect(open[subject.listen].map { $0 < heard } == true)
        open[subject.listen] = heard
      case .ended(let subject, let heard, _):
        let last = open.removeValue(forKey: subject.listen)
        #expect(last.map { $0 <= heard } == true)
        #expect(heard.rawValue == truth[subject.item.entry] ?? 0)
        closed.insert(subject.listen)
      case .failed: #expect(Bool(false), "a meter knows of no failure")
      }
    }
    #expect(open.isEmpty)
  }
}

extension String {
  /// The text as the id of a listen.
  var listen: ListenID { ListenID(rawValue: self) }
}

struct UnknownLengthTests {
  /// Returns the length in a listen's reports, where the track's source and its file give these lengths.
  private func reported(library: Double, file: Int64?) throws -> Milliseconds? {
    var room = try RoomMachineHarness(tracks: 0)
    try room.loadFresh(1, .numbered(1, path: LocalPath("/own"), seconds: library))
    let id = try #require(room.machine.tracks.first?.id)
    if let file { room.sound(.duration(id, Milliseconds(file))) }
    room.sound(.began(id))
    room.sound(.flowing(id, .zero))
    return room.machine.checkpoint(at: room.now).listen?.subject.item.track.duration
  }

  /// Plays a track to its end, of whose length the decoder gives these values, and returns the length in the report.
  private func finished(library: Double, file: [Int64], at end: Int64) throws -> Milliseconds? {
    var room = try RoomMachineHarness(tracks: 0)
    try room.loadFresh(1, .numbered(1, path: LocalPath("/own"), seconds: library))
    let id = try #require(room.machine.tracks.first?.id)
    room.sound(.began(id))
    room.sound(.flowing(id, .zero))
    for length in file { room.sound(.duration(id, Milliseconds(length))) }
    room.pass(Milliseconds(end))
    room.sound(.position(id, Milliseconds(end)))
    room.sound(.ended(id, Milliseconds(end)))
    guard case .ended(let subject, let heard, .finished)? = room.lastFact else { return nil }
    #expect(heard == Milliseconds(end))
    return subject.item.track.duration
  }

  @Test func theNaturalEndIsTheLengthWhereNothingElseGaveOne() throws {
    #expect(try finished(library: 0, file: [], at: 90_000) == Milliseconds(90_000))
    #expect(try finished(library: 0, file: [91_000], at: 90_000) == Milliseconds(91_000))
    #expect(try finished(library: 91, file: [], at: 90_000) == Milliseconds(91_000))
  }

  @Test func aLengthThatTheDecoderLearnsBitByBitIsTheLastOne() throws {
    #expect(try finished(library: 0, file: [2000, 40_000, 90_000], at: 90_000) == Milliseconds(90_000))
    #expect(try finished(library: 0, file: [2000], at: 90_000) == Milliseconds(90_000))
  }

  @Test func whereTheLibraryKnowsNoLengthTheFilesOwnDecidesWhetherAListenCounts() throws {
    #expect(try reported(library: 0, file: 90_000) == Milliseconds(90_000))
    #expect(try reported(library: 100, file: 90_000) == Milliseconds(100_000))
    #expect(try reported(library: 0, file: nil) == .zero)
  }
}

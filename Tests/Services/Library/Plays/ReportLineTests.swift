import Model
import Testing

@testable import lunara_library

@Suite struct NowPlayingQueueTests {
  private func report(_ track: String, _ state: NowPlayingReport.State) -> NowPlayingReport {
    NowPlayingReport(
      native: track, state: state, position: .zero, duration: Milliseconds(100_000), room: RoomName(from: "den"),
      listen: ListenID(rawValue: track))
  }

  /// What is told, one after the other.
  private func all(_ line: inout NowPlayingQueue, isPrivate: Bool = false) -> [String] {
    var told: [String] = []
    while let report = line.next(isPrivate: isPrivate) { told.append("\(report.native) \(report.state.rawValue)") }
    return told
  }

  @Test func theLatestWinsAmongThoseThatWait() {
    var (line, told) = (NowPlayingQueue(), [String]())
    for state in [NowPlayingReport.State.buffering, .playing, .paused] { line.add(report("1", state)) }
    told = all(&line)
    #expect(told == ["1 paused"])
    #expect(!line.isOver)
  }

  @Test func theEndOfWhatWasToldIsToldBeforeWhatComesNext() {
    var (line, told) = (NowPlayingQueue(), [String]())
    line.add(report("1", .playing))
    told = all(&line)
    #expect(told == ["1 playing"])
    line.add(report("1", .stopped))
    for track in ["2", "3"] {
      line.add(report(track, .playing))
      line.add(report(track, .stopped))
    }
    line.add(report("4", .playing))
    told = all(&line)
    #expect(told == ["1 stopped", "4 playing"])
  }

  @Test func whatWasNeverToldNeedsNoEnd() {
    var (line, told) = (NowPlayingQueue(), [String]())
    line.add(report("1", .playing))
    line.add(report("1", .stopped))
    told = all(&line)
    #expect(told.isEmpty)
    #expect(line.isOver)
  }

  @Test func theSameTrackThatGoesOnHasNotStopped() {
    var (line, told) = (NowPlayingQueue(), [String]())
    line.add(report("1", .playing))
    told = all(&line)
    #expect(told == ["1 playing"])
    line.add(report("1", .stopped))
    line.add(report("1", .paused))
    told = all(&line)
    #expect(told == ["1 paused"])
    line.add(report("1", .stopped))
    told = all(&line)
    #expect(told == ["1 stopped"])
    #expect(line.isOver)
  }

  @Test func whileListeningIsPrivateOnlyEndsAreTold() {
    var (line, told) = (NowPlayingQueue(), [String]())
    line.add(report("1", .playing))
    told = all(&line)
    #expect(told == ["1 playing"])
    line.add(report("1", .stopped))
    line.add(report("2", .playing))
    told = all(&line, isPrivate: true)
    #expect(told == ["1 stopped"])
    #expect(line.isOver)
    told = all(&line)
    #expect(told.isEmpty)
  }
}

import Bus
import Glibc
import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import lunara_nowplaying

/// Signals for many tracks in a row, and repeated lookups of covers.
@Suite(.timeLimit(.minutes(5)))
struct ManyTracksTests {
  /// Waits after every 15th track until its signals are complete, and after the others until the first signal names
  /// them.
  @Test func manyTracksLeaveNoFileAndNoMoreThanTwoSignalsEach() async throws {
    let fixture = try await NowPlayingFixture()
    let library = try await fixture.library { request in .file(LocalPath(try fixture.picture(request.id.native))) }
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.idle, item: nil))
    try await fixture.desktopShows("kitchen", "PlaybackStatus", "s \"Stopped\"")
    let monitor = try await SignalMonitor.start(on: fixture.desktop)
    var told: [String: Int] = [:]
    for number in 1...150 {
      var next = item(number)
      next.track.art = ArtID(source: "files", native: "c\(number)")
      // The decoder reports a length that differs a little from the tag's.
      await kitchen.publish(roomState(.buffering, item: next))
      await kitchen.publish(queueState(current: number, count: 1000))
      await kitchen.publish(roomState(.playing, item: next, duration: Milliseconds(200_017)))
      let path = TrackPath.of(next.entry)
      var isWhole = number % 15 != 0
      while told[path] == nil || !isWhole {
        let metadata = try await monitor.nextChange().changed?["Metadata"]?["data"]
        guard case .string(let track)? = metadata?["mpris:trackid"]?["data"] else { continue }
        told[track, default: 0] += 1
        if track == path, metadata?["mpris:artUrl"] != nil, metadata?["xesam:useCount"] != nil { isWhole = true }
      }
    }
    await kitchen.publish(roomState(.idle, item: nil))
    while try await monitor.nextChange().changed?["PlaybackStatus"]?["data"] != .string("Stopped") {}
    #expect(told.count >= 150 && told.values.allSatisfy { $0 <= 2 }, "\(told.filter { $0.value > 2 })")
    #expect(await eventually { access(fixture.covers, F_OK) != 0 })
    await library.close()
    await fixture.close()
  }

  /// A clock whose sleeps return at once and advance it by their length.
  private final class SkippedTime: Sendable {
    private let passed = Mutex(Duration.zero)
    var now: Duration { passed.withLock(\.self) }
    func skip(_ pause: Duration) { passed.withLock { $0 += pause } }
  }

  @Test func aCoverThatIsNotThereYetIsAskedForAfterTwoFourAndSixSecondsAndThenAtTheNextRefresh() async throws {
    let time = SkippedTime()
    let fixture = try await NowPlayingFixture(sleep: { time.skip($0) })
    let asked = Mutex<[String: [Duration]]>([:])
    let has = Mutex<Set<String>>([])
    func asks(_ cover: String) -> [Duration] { asked.withLock { $0[cover] ?? [] } }
    let library = try await fixture.library { request in
      let cover = request.id.native
      asked.withLock { $0[cover, default: []].append(time.now) }
      guard has.withLock({ $0.contains(cover) }) else { throw LunaraError("library.noArt", "There is none yet.") }
      return .file(LocalPath(try fixture.picture(cover)))
    }
    let kitchen = try await fixture.room("kitchen")
    await kitchen.publish(roomState(.playing, item: item(1)))
    #expect(await eventually(equals: 4) { asks("c1").count })
    #expect(asks("c1") == [.zero, .seconds(2), .seconds(6), .seconds(12)])
    // The lookup of the first cover was given up: another cover is tried as often, and this one no more.
    await kitchen.publish(queueState(current: 1, count: 9))
    var other = queueState(current: 1, count: 9)
    other.revision = 2
    other.items[2].track.art = ArtID(source: "files", native: "c2")
    await kitchen.publish(other)
    #expect(await eventually(equals: 4) { asks("c2").count })
    #expect(asks("c1").count == 4)
    has.withLock { $0 = ["c1"] }
    await library.publish(Library.CatalogueState(generation: 1, albums: 1, tracks: 1, sources: []))
    #expect(text(of: try await fixture.cover(of: "kitchen")) == "c1")
    await library.close()
    await fixture.close()
  }
}

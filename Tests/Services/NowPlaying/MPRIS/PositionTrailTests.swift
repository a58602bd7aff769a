import Model
import Testing

@testable import lunara_nowplaying

struct PositionTrailTests {
  private let second: Int64 = 1_000_000

  /// Feeds a trail and gives what it wants announced.
  private struct Feed {
    var trail = PositionTrail()
    mutating func callAsFunction(
      _ track: String, at now: Int64, position: Int64, isPlaying: Bool = true, rate: Double? = nil
    ) -> Int64? {
      trail.observe(
        track: track, isPlaying: isPlaying,
        actual: PositionAnchor(offset: position, rate: rate ?? (isPlaying ? 1 : 0), at: now),
        length: Milliseconds(200_000), at: now)
    }
  }

  @Test func positionMovesWithTheRateAndStaysWithinTheTrack() {
    let anchor = PositionAnchor(offset: 10 * second, rate: 1, at: 100 * second)
    #expect(anchor.position(at: 105 * second, upTo: nil) == 15 * second)
    #expect(anchor.position(at: 105 * second, upTo: Milliseconds(12_000)) == 12 * second)
    #expect(anchor.position(at: 0, upTo: nil) == 0)
    #expect(PositionAnchor(offset: 3, rate: 0, at: 0).position(at: 9 * second, upTo: nil) == 3)
    #expect(PositionAnchor(offset: 3, rate: .infinity, at: 0).position(at: 9 * second, upTo: nil) == 3)
  }

  @Test func playingOnIsNoJump() {
    var feed = Feed()
    #expect(feed("a", at: 0, position: 0) == nil)
    #expect(feed("a", at: 10 * second, position: 10 * second) == nil)
    #expect(feed("a", at: 20 * second, position: 20 * second + 80_000) == nil)
  }

  @Test func aSeekIsAnnouncedOnce() {
    var feed = Feed()
    _ = feed("a", at: 0, position: 0)
    #expect(feed("a", at: 10 * second, position: 60 * second) == 60 * second)
    #expect(feed("a", at: 12 * second, position: 62 * second) == nil)
  }

  @Test func aSeekWhilePausedIsAnnounced() {
    var feed = Feed()
    _ = feed("a", at: 0, position: 5 * second, isPlaying: false)
    #expect(feed("a", at: 9 * second, position: 5 * second, isPlaying: false) == nil)
    #expect(feed("a", at: 10 * second, position: 1 * second, isPlaying: false) == 1 * second)
  }

  @Test func pausingAndPlayingOnIsNoJump() {
    var feed = Feed()
    _ = feed("a", at: 0, position: 0)
    #expect(feed("a", at: 10 * second, position: 10 * second, isPlaying: false) == nil)
    #expect(feed("a", at: 50 * second, position: 10 * second) == nil)
    #expect(feed("a", at: 55 * second, position: 15 * second) == nil)
  }

  @Test func aNewTrackFromItsStartIsNoJump() {
    var feed = Feed()
    _ = feed("a", at: 0, position: 0)
    #expect(feed("b", at: 100 * second, position: 120_000) == nil)
    #expect(feed(TrackPath.none, at: 110 * second, position: 0, isPlaying: false) == nil)
  }

  @Test func aNewTrackFromElsewhereIsAJump() {
    var feed = Feed()
    _ = feed("a", at: 0, position: 0)
    #expect(feed("b", at: 100 * second, position: 70 * second) == 70 * second)
  }

  @Test func slowDriftAddsUpToAJump() {
    var feed = Feed()
    _ = feed("a", at: 0, position: 0)
    #expect(feed("a", at: 10 * second, position: 9_700_000) == nil)
    #expect(feed("a", at: 20 * second, position: 19_400_000) == 19_400_000)
  }

  @Test func soundThatComesLateIsAnnounced() {
    var feed = Feed()
    #expect(feed("a", at: 0, position: 0, rate: 0) == nil)
    #expect(feed("a", at: 3 * second, position: 0) == 0)
  }
}

import Messages
import Model
import Testing

@testable import lunara_nowplaying

struct PropertyChangeTimingTests {
  private let second: Int64 = 1_000_000

  private func player(
    _ number: Int?, _ state: PlaybackState = .playing, cover: String? = nil, volume: Int = 80, count: Int = 9
  ) -> PlayerProperties {
    PlayerProperties(
      state: roomState(state, item: number.map { item($0) }, volume: volume),
      queue: queueState(current: number, count: count), extras: MPRISMetadata.Extras(cover: cover))
  }

  @Test func aNewTrackIsToldAtOnce() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    propertyTiming.update(player(2), at: second)
    #expect(propertyTiming.isUrgent)
    #expect(propertyTiming.popDue(at: second) == ["Metadata"])
    #expect(propertyTiming.due == nil && !propertyTiming.isUrgent)
    #expect(propertyTiming.popDue(at: second) == [])
  }

  @Test func lookedUpDetailsAreAnnouncedTogetherOnce() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    propertyTiming.update(player(2), pending: .details, at: second)
    #expect(propertyTiming.popDue(at: second) == ["Metadata"])
    // One of the two lookups has finished.
    propertyTiming.update(player(2, cover: "file:///c"), pending: .details, at: second + 5000)
    #expect(propertyTiming.popDue(at: second + 5000) == [])
    #expect(propertyTiming.popDue(at: 8 * second) == [])
    propertyTiming.update(player(2, cover: "file:///c"), at: 9 * second)
    #expect(propertyTiming.due.map { $0 <= 9 * second } == true)
    #expect(propertyTiming.popDue(at: 9 * second) == ["Metadata"])
    #expect(propertyTiming.due == nil)
  }

  @Test func whatIsNotOfTheTrackDoesNotWaitForItsCover() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    propertyTiming.update(player(2, count: 3), pending: .details, at: second)
    #expect(propertyTiming.popDue(at: second) == ["Metadata", "CanGoNext"])
    // The play counts are known and the cover is not; another album is queued meanwhile.
    propertyTiming.update(player(2, cover: "file:///c"), pending: .details, at: 2 * second)
    propertyTiming.update(player(2, cover: "file:///c"), pending: .details, at: 3 * second)
    #expect(propertyTiming.due == 2 * second + PropertyChangeTiming.gathering)
    #expect(propertyTiming.popDue(at: 3 * second + PropertyChangeTiming.gathering) == ["CanGoNext"])
    #expect(propertyTiming.due == second + PropertyChangeTiming.patience)
    propertyTiming.update(player(2, cover: "file:///c"), at: 4 * second)
    #expect(propertyTiming.popDue(at: 4 * second) == ["Metadata"])
  }

  @Test func aPauseDoesNotAnnounceMetadataBeforeItsLookup() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    propertyTiming.update(player(2), pending: .details, at: second)
    _ = propertyTiming.popDue(at: second)
    propertyTiming.update(player(2, .paused, cover: "file:///c"), pending: .details, at: 2 * second)
    #expect(propertyTiming.popDue(at: 2 * second) == ["PlaybackStatus"])
    propertyTiming.update(player(2, .paused, cover: "file:///c"), at: 3 * second)
    #expect(propertyTiming.popDue(at: 3 * second) == ["Metadata"])
    #expect(propertyTiming.due == nil)
  }

  @Test func aTrackWhoseSoundTellsAnotherLengthIsToldOfTwice() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    var buffering = roomState(.buffering, item: item(2))
    func look(_ state: Playback.RoomState, cover: String? = nil) -> PlayerProperties {
      PlayerProperties(
        state: state,
        queue: queueState(current: 2, count: 9), extras: MPRISMetadata.Extras(cover: cover))
    }
    propertyTiming.update(look(buffering), pending: .details, at: second)
    #expect(propertyTiming.popDue(at: second) == ["Metadata"])
    propertyTiming.update(look(buffering, cover: "file:///c"), pending: .sound, at: second + 1000)
    #expect(propertyTiming.due == second + PropertyChangeTiming.soundPatience)
    buffering.state = .playing
    buffering.duration = Milliseconds(230_000)
    propertyTiming.update(look(buffering, cover: "file:///c"), at: 2 * second)
    #expect(propertyTiming.popDue(at: 2 * second) == ["Metadata"])
    #expect(propertyTiming.due == nil)
  }

  @Test func quickLookupsAreGatheredIntoOneSignal() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    propertyTiming.update(player(2), pending: .details, at: second)
    _ = propertyTiming.popDue(at: second)
    propertyTiming.update(player(2, cover: "file:///c"), at: second + 1000)
    #expect(propertyTiming.due == second + 1000 + PropertyChangeTiming.gathering)
    propertyTiming.update(player(2, cover: "file:///c", count: 3), at: second + 9000)
    #expect(propertyTiming.popDue(at: second + 1000 + PropertyChangeTiming.gathering) == ["Metadata", "CanGoNext"])
  }

  @Test func aLookupThatDoesNotEndDelaysSignalsOnlyForAWhile() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    propertyTiming.update(player(2), pending: .details, at: second)
    _ = propertyTiming.popDue(at: second)
    propertyTiming.update(player(2, cover: "file:///c"), pending: .details, at: 2 * second)
    #expect(propertyTiming.due == second + PropertyChangeTiming.patience)
    #expect(propertyTiming.popDue(at: second + PropertyChangeTiming.patience) == ["Metadata"])
    #expect(propertyTiming.due == nil)
  }

  @Test func aPauseIsAnnouncedWithWaitingChanges() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    propertyTiming.update(player(1, count: 2), at: second)
    propertyTiming.update(player(1, .paused, count: 2), at: second + 1)
    #expect(propertyTiming.popDue(at: second + 1) == ["PlaybackStatus", "CanGoNext"])
  }

  @Test func aChangeThatIsRevertedIsNotAnnounced() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    propertyTiming.update(player(1, count: 2), at: second)
    propertyTiming.update(player(1), at: second + 1)
    #expect(propertyTiming.due == nil)
    #expect(propertyTiming.popDue(at: 2 * second) == [])
  }

  @Test func aSliderThatIsDraggedIsToldOfAHundredTimesASecondAtMost() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    var told = 0
    for step in 0..<1000 {
      let now = second + Int64(step) * 1000
      propertyTiming.update(player(1, volume: step % 100), at: now)
      if !propertyTiming.popDue(at: now).isEmpty { told += 1 }
    }
    #expect(told == 100)
  }

  @Test func theEndOfTheQueueIsToldOnce() {
    var propertyTiming = PropertyChangeTiming(player(1), at: 0)
    propertyTiming.update(player(nil, .idle), at: second)
    #expect(
      propertyTiming.popDue(at: second)
        == ["PlaybackStatus", "Metadata", "CanGoNext", "CanGoPrevious", "CanSeek"])
    #expect(propertyTiming.due == nil)
  }
}

struct SeekDetectorTests {
  private let second: Int64 = 1_000_000

  /// Feeds positions to the detector and returns the seeks that it announces.
  private struct Feed {
    var seekDetector = SeekDetector()
    mutating func callAsFunction(
      _ track: String, at now: Int64, position: Int64, isPlaying: Bool = true, rate: Double? = nil
    ) -> Int64? {
      seekDetector.update(
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

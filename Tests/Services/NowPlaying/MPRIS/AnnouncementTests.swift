import Messages
import Model
import Testing

@testable import lunara_nowplaying

struct AnnouncementTests {
  private let second: Int64 = 1_000_000

  private func player(
    _ number: Int?, _ state: PlaybackState = .playing, cover: String? = nil, volume: Int = 80, count: Int = 9
  ) -> PlayerProperties {
    PlayerProperties(
      state: roomState(state, item: number.map { item($0) }, volume: volume),
      around: .init(queue: queueState(current: number, count: count), extras: Metadata.Extras(cover: cover)))
  }

  @Test func aNewTrackIsToldAtOnce() {
    var announcement = Announcement(player(1), isComplete: true, at: 0)
    announcement.observe(player(2), isComplete: true, at: second)
    #expect(announcement.isUrgent)
    #expect(announcement.take(at: second) == ["Metadata"])
    #expect(announcement.due == nil && !announcement.isUrgent)
    #expect(announcement.take(at: second) == [])
  }

  @Test func whatIsFoundOutLaterIsToldTogetherOnce() {
    var announcement = Announcement(player(1), isComplete: true, at: 0)
    announcement.observe(player(2), isComplete: false, at: second)
    #expect(announcement.take(at: second) == ["Metadata"])
    // The end of the queue shows, and half of what is searched for.
    announcement.observe(player(2, cover: "file:///c", count: 3), isComplete: false, at: second + 5000)
    #expect(announcement.take(at: second + 5000) == [])
    #expect(announcement.take(at: 8 * second) == [])
    announcement.observe(player(2, cover: "file:///c", count: 3), isComplete: true, at: 9 * second)
    #expect(announcement.due.map { $0 <= 9 * second } == true)
    #expect(announcement.take(at: 9 * second) == ["Metadata", "CanGoNext"])
    #expect(announcement.due == nil)
  }

  @Test func whatIsFoundAtOnceStillWaitsAMomentForItsLike() {
    var announcement = Announcement(player(1), isComplete: true, at: 0)
    announcement.observe(player(2), isComplete: false, at: second)
    _ = announcement.take(at: second)
    announcement.observe(player(2, cover: "file:///c"), isComplete: true, at: second + 1000)
    #expect(announcement.due == second + 1000 + Announcement.gathering)
    announcement.observe(player(2, cover: "file:///c", count: 3), isComplete: true, at: second + 9000)
    #expect(announcement.take(at: second + 1000 + Announcement.gathering) == ["Metadata", "CanGoNext"])
  }

  @Test func aSearchThatDoesNotEndHoldsNothingBackForEver() {
    var announcement = Announcement(player(1), isComplete: true, at: 0)
    announcement.observe(player(2), isComplete: false, at: second)
    _ = announcement.take(at: second)
    announcement.observe(player(2, count: 3), isComplete: false, at: 2 * second)
    #expect(announcement.due == second + Announcement.patience)
    #expect(announcement.take(at: second + Announcement.patience) == ["CanGoNext"])
  }

  @Test func aPauseTakesAlongWhatWaits() {
    var announcement = Announcement(player(1), isComplete: true, at: 0)
    announcement.observe(player(1, count: 2), isComplete: true, at: second)
    announcement.observe(player(1, .paused, count: 2), isComplete: true, at: second + 1)
    #expect(announcement.take(at: second + 1) == ["PlaybackStatus", "CanGoNext"])
  }

  @Test func whatIsTakenBackIsNotTold() {
    var announcement = Announcement(player(1), isComplete: true, at: 0)
    announcement.observe(player(1, count: 2), isComplete: true, at: second)
    announcement.observe(player(1), isComplete: true, at: second + 1)
    #expect(announcement.due == nil)
    #expect(announcement.take(at: 2 * second) == [])
  }

  @Test func aSliderThatIsDraggedIsToldOfAHundredTimesASecondAtMost() {
    var announcement = Announcement(player(1), isComplete: true, at: 0)
    var told = 0
    for step in 0..<1000 {
      let now = second + Int64(step) * 1000
      announcement.observe(player(1, volume: step % 100), isComplete: true, at: now)
      if !announcement.take(at: now).isEmpty { told += 1 }
    }
    #expect(told == 100)
  }

  @Test func theEndOfTheQueueIsToldOnce() {
    var announcement = Announcement(player(1), isComplete: true, at: 0)
    announcement.observe(player(nil, .idle), isComplete: true, at: second)
    #expect(
      announcement.take(at: second)
        == ["PlaybackStatus", "Metadata", "CanGoNext", "CanGoPrevious", "CanSeek"])
    #expect(announcement.due == nil)
  }
}

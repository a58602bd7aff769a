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
    var announcement = Announcement(player(1), at: 0)
    announcement.observe(player(2), at: second)
    #expect(announcement.isUrgent)
    #expect(announcement.take(at: second) == ["Metadata"])
    #expect(announcement.due == nil && !announcement.isUrgent)
    #expect(announcement.take(at: second) == [])
  }

  @Test func whatIsFoundOutLaterIsToldTogetherOnce() {
    var announcement = Announcement(player(1), at: 0)
    announcement.observe(player(2), lack: .findings, at: second)
    #expect(announcement.take(at: second) == ["Metadata"])
    // Half of what is searched for.
    announcement.observe(player(2, cover: "file:///c"), lack: .findings, at: second + 5000)
    #expect(announcement.take(at: second + 5000) == [])
    #expect(announcement.take(at: 8 * second) == [])
    announcement.observe(player(2, cover: "file:///c"), at: 9 * second)
    #expect(announcement.due.map { $0 <= 9 * second } == true)
    #expect(announcement.take(at: 9 * second) == ["Metadata"])
    #expect(announcement.due == nil)
  }

  @Test func whatIsNotOfTheTrackDoesNotWaitForItsCover() {
    var announcement = Announcement(player(1), at: 0)
    announcement.observe(player(2, count: 3), lack: .findings, at: second)
    #expect(announcement.take(at: second) == ["Metadata", "CanGoNext"])
    // The plays are known, the cover is not, and another album is queued.
    announcement.observe(player(2, cover: "file:///c"), lack: .findings, at: 2 * second)
    announcement.observe(player(2, cover: "file:///c"), lack: .findings, at: 3 * second)
    #expect(announcement.due == 2 * second + Announcement.gathering)
    #expect(announcement.take(at: 3 * second + Announcement.gathering) == ["CanGoNext"])
    #expect(announcement.due == second + Announcement.patience)
    announcement.observe(player(2, cover: "file:///c"), at: 4 * second)
    #expect(announcement.take(at: 4 * second) == ["Metadata"])
  }

  @Test func aPauseLeavesWaitingWhatIsSought() {
    var announcement = Announcement(player(1), at: 0)
    announcement.observe(player(2), lack: .findings, at: second)
    _ = announcement.take(at: second)
    announcement.observe(player(2, .paused, cover: "file:///c"), lack: .findings, at: 2 * second)
    #expect(announcement.take(at: 2 * second) == ["PlaybackStatus"])
    announcement.observe(player(2, .paused, cover: "file:///c"), at: 3 * second)
    #expect(announcement.take(at: 3 * second) == ["Metadata"])
    #expect(announcement.due == nil)
  }

  @Test func aTrackWhoseSoundTellsAnotherLengthIsToldOfTwice() {
    var announcement = Announcement(player(1), at: 0)
    var buffering = roomState(.buffering, item: item(2))
    func look(_ state: Playback.RoomState, cover: String? = nil) -> PlayerProperties {
      PlayerProperties(
        state: state, around: .init(queue: queueState(current: 2, count: 9), extras: Metadata.Extras(cover: cover)))
    }
    announcement.observe(look(buffering), lack: .findings, at: second)
    #expect(announcement.take(at: second) == ["Metadata"])
    announcement.observe(look(buffering, cover: "file:///c"), lack: .sound, at: second + 1000)
    #expect(announcement.due == second + Announcement.opening)
    buffering.state = .playing
    buffering.duration = Milliseconds(230_000)
    announcement.observe(look(buffering, cover: "file:///c"), at: 2 * second)
    #expect(announcement.take(at: 2 * second) == ["Metadata"])
    #expect(announcement.due == nil)
  }

  @Test func whatIsFoundAtOnceStillWaitsAMomentForItsLike() {
    var announcement = Announcement(player(1), at: 0)
    announcement.observe(player(2), lack: .findings, at: second)
    _ = announcement.take(at: second)
    announcement.observe(player(2, cover: "file:///c"), at: second + 1000)
    #expect(announcement.due == second + 1000 + Announcement.gathering)
    announcement.observe(player(2, cover: "file:///c", count: 3), at: second + 9000)
    #expect(announcement.take(at: second + 1000 + Announcement.gathering) == ["Metadata", "CanGoNext"])
  }

  @Test func aSearchThatDoesNotEndHoldsNothingBackForEver() {
    var announcement = Announcement(player(1), at: 0)
    announcement.observe(player(2), lack: .findings, at: second)
    _ = announcement.take(at: second)
    announcement.observe(player(2, cover: "file:///c"), lack: .findings, at: 2 * second)
    #expect(announcement.due == second + Announcement.patience)
    #expect(announcement.take(at: second + Announcement.patience) == ["Metadata"])
    #expect(announcement.due == nil)
  }

  @Test func aPauseTakesAlongWhatWaits() {
    var announcement = Announcement(player(1), at: 0)
    announcement.observe(player(1, count: 2), at: second)
    announcement.observe(player(1, .paused, count: 2), at: second + 1)
    #expect(announcement.take(at: second + 1) == ["PlaybackStatus", "CanGoNext"])
  }

  @Test func whatIsTakenBackIsNotTold() {
    var announcement = Announcement(player(1), at: 0)
    announcement.observe(player(1, count: 2), at: second)
    announcement.observe(player(1), at: second + 1)
    #expect(announcement.due == nil)
    #expect(announcement.take(at: 2 * second) == [])
  }

  @Test func aSliderThatIsDraggedIsToldOfAHundredTimesASecondAtMost() {
    var announcement = Announcement(player(1), at: 0)
    var told = 0
    for step in 0..<1000 {
      let now = second + Int64(step) * 1000
      announcement.observe(player(1, volume: step % 100), at: now)
      if !announcement.take(at: now).isEmpty { told += 1 }
    }
    #expect(told == 100)
  }

  @Test func theEndOfTheQueueIsToldOnce() {
    var announcement = Announcement(player(1), at: 0)
    announcement.observe(player(nil, .idle), at: second)
    #expect(
      announcement.take(at: second)
        == ["PlaybackStatus", "Metadata", "CanGoNext", "CanGoPrevious", "CanSeek"])
    #expect(announcement.due == nil)
  }
}

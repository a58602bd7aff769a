import Client
import Messages
import Model
import TestSupport
import Testing

@testable import lunara

/// Rooms, queues and refreshes are printed for people.
struct RoomViewTests {
  private let entry = "0123456789abcdefghjk"
  private var queue: RoomQueue {
    RoomQueue(
      Playback.QueueState(
        revision: 1, count: 2, current: 1, first: 0, items: [Sample.item("e1", "One"), Sample.item(entry, "Two")]),
      of: RoomName(from: "den"), position: Milliseconds(1500))
  }

  @Test func theModesOfARoomAreShown() {
    var state = Sample.room("kitchen", .playing, item: Sample.item("e1", "Last Tram"))
    state.modes = Playback.Modes(
      repeats: .all, order: .albums, stopsAfterCurrent: true, sleepsAt: Sample.moment - Milliseconds(-1_800_000),
      isMuted: true, maximumVolume: 60)
    state.notice = LunaraError("playback.outputAway", "The DAC is gone.")
    #expect(
      RoomStatus(answered: state, now: Sample.moment - Milliseconds(-600_000)).remarks == [
        "The DAC is gone.", "muted", "at most 60", "albums mixed", "repeats all", "stops after this one",
        "sleeps in 20 min",
      ])
    #expect(RoomStatus(answered: Sample.room("x", .idle)).remarks.isEmpty)
  }

  @Test func anErrorSaysWhenItIsTriedAgainAndAnInterruptionWhy() {
    var state = Sample.room("x", .error(LunaraError("playback.noSound", "No sound.")), item: Sample.item("e", "t"))
    state.retriesAt = Sample.moment - Milliseconds(-8000)
    func remarks(_ now: Int64) -> [String] {
      RoomStatus(answered: state, now: Sample.moment - Milliseconds(-now)).remarks
    }
    #expect(remarks(3000) == ["No sound.", "tries again in 5 s"])
    // A time that has passed is shown as 0 s, not as a negative time.
    #expect(remarks(9000).last == "tries again in 0 s")
    var paused = Sample.room("x", .paused, item: Sample.item("e", "t"))
    for (reason, words) in [
      ("sleep", "paused as the machine went to sleep"), ("output", "paused as its output went away"),
    ] {
      paused.interruption = reason
      #expect(RoomStatus(answered: paused).remarks == [words])
    }
  }

  @Test func placesCountFromOneAndEntriesDoAsWell() throws {
    #expect(try queue.index(of: "1") == 0 && queue.index(of: "2") == 1)
    #expect(try queue.index(of: entry) == 1)
  }

  @Test func aPlaceThatIsNotThereIsRefused() {
    for word in ["0", "3", "-1", "zzzzzzzzzzzzzzzzzzzz", "zzzzzzzzzzzzzzzzzzzz-17"] {
      #expect(throws: LunaraError.self) { try queue.index(of: word) }
    }
    #expect(throws: UsageError.self) { try queue.index(of: "two") }
  }

  @Test func theTableMarksWhatPlays() {
    #expect(
      queue.table.text(for: Printed().console())
        == "\t1\tOne\tNova\tNight Lines\t1:00\n▶\t2\tTwo\tNova\tNight Lines\t0:01 / 1:00\n")
  }

  @Test func aFinishedRefreshIsOneLine() {
    let end = Library.SyncFinished(
      source: "files", counts: .init(new: 3, changed: 1, unchanged: 40, deleted: 0, seconds: 1.25))
    #expect(end.line == "files: 3 new, 1 changed, 40 unchanged, 0 deleted, in 1.3 s\n")
  }
}

import Messages
import Model
import Testing

@testable import lunara_scrobble

struct PrivateListeningTests {
  private let start = Timestamp(seconds: 1_700_000_000)

  private func occasion(
    from began: Int64 = 0, to ended: Int64 = 100, _ change: (inout Track) -> Void = { _ in }
  ) -> PrivateListening.HeardTrack {
    var track = subject("l1").item.track
    track.genres = ["Ambient", "Field Recording"]
    track.section = "Music"
    change(&track)
    return PrivateListening.HeardTrack(
      track: track, room: RoomName(from: "den"), began: Timestamp(seconds: start.seconds + began),
      ended: Timestamp(seconds: start.seconds + ended))
  }

  private func privately(_ from: Int64, _ to: Int64) -> PrivateListening {
    PrivateListening(privateTimes: [
      .init(began: Timestamp(seconds: start.seconds + from), ended: Timestamp(seconds: start.seconds + to))
    ])
  }

  @Test func withoutFiltersNoListenIsPrivate() {
    #expect(PrivateListening().reason(occasion()) == nil)
  }

  @Test(arguments: [
    ("source", "files", true), ("source", "plex", false), ("section", "music", true), ("section", "Kids", false),
    ("room", "den", true), ("room", "bath", false), ("artist", "ADA", true), ("artist", "various", true),
    ("artist", "Ad", false), ("genre", "field recording", true), ("genre", "rock", false), ("colour", "red", false),
  ]) func aFilterKeepsMatchingListensPrivate(kind: String, value: String, isKept: Bool) {
    let filter = PrivateListening(filters: [Scrobble.Filter(kind: kind, value: value)])
    #expect((filter.reason(occasion()) != nil) == isKept)
  }

  @Test func marksAndCaseOfANameDoNotMatter() {
    let filter = PrivateListening(filters: [Scrobble.Filter(kind: "artist", value: "sigur ros")])
    #expect(filter.reason(occasion { $0.artist = "Sigur Rós" }) == "artist: sigur ros")
  }

  @Test func aListenIsPrivateWhereAnyOfItIs() {
    #expect(privately(50, 60).reason(occasion()) == "private")
    #expect(privately(-100, 1).reason(occasion()) == "private")
    #expect(privately(99, 200).reason(occasion()) == "private")
    #expect(privately(-100, 0).reason(occasion()) == nil)
    #expect(privately(101, 200).reason(occasion()) == nil)
  }

  @Test func aClockThatIsSetBackEndsNoPrivateTime() {
    var now = occasion(from: -500, to: -300)
    #expect(privately(0, 7200).reason(now) == nil)
    now.now = Timestamp(seconds: start.seconds - 299)
    #expect(privately(0, 7200).reason(now) == "private")
    // Listens from long before stay public, and so do those of a private time that a person has ended since.
    now.now = Timestamp(seconds: start.seconds - 300 + 600)
    #expect(privately(400, 7200).reason(now) == nil)
    now.now = Timestamp(seconds: start.seconds - 299)
    #expect(privately(0, -400).reason(now) == nil)
  }

  @Test func aListenThatIsReportedDaysLaterIsStillPrivate() {
    // The time of the listen decides, not the time of its report.
    #expect(privately(0, 7200).reason(occasion(from: 3000, to: 3200)) == "private")
    #expect(privately(0, 7200).reason(occasion(from: 9000, to: 9200)) == nil)
  }
}

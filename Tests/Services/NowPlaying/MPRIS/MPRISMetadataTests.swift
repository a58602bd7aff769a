import Model
import Testing

@testable import lunara_nowplaying

struct MPRISMetadataTests {
  private func field(_ key: String, in fields: [DBusEntry]) -> DBusValue? { fields.first { $0.key == key }?.value }

  @Test func allThatIsKnownOfATrackIsToldWithTheTypesOfTheStandard() {
    let fields = MPRISMetadata.fields(
      of: item(3), length: Milliseconds(200_000), extras: MPRISMetadata.Extras(cover: "file:///c.jpg"))
    #expect(
      fields == [
        DBusEntry(key: "mpris:trackid", value: .objectPath("/org/lunara/entry/e3")),
        DBusEntry(key: "mpris:length", value: .int64(200_000_000)),
        DBusEntry(key: "mpris:artUrl", value: .string("file:///c.jpg")),
        DBusEntry(key: "xesam:title", value: .string("Track 3")),
        DBusEntry(key: "xesam:album", value: .string("First Light")),
        DBusEntry(key: "xesam:artist", value: .strings(["Ada"])),
        DBusEntry(key: "xesam:albumArtist", value: .strings(["Ada & Band"])),
        DBusEntry(key: "xesam:genre", value: .strings(["Folk", "Jazz"])),
        DBusEntry(key: "xesam:trackNumber", value: .int32(3)),
        DBusEntry(key: "xesam:discNumber", value: .int32(1)),
      ])
  }

  @Test func withoutATrackThereIsOnlyTheIdThatSaysSo() {
    let fields = MPRISMetadata.fields(
      of: nil, length: Milliseconds(5), extras: MPRISMetadata.Extras(cover: "file:///c.jpg"))
    #expect(fields == [DBusEntry(key: "mpris:trackid", value: .objectPath(TrackPath.none))])
  }

  @Test func unknownFieldsAreLeftOut() {
    var bare = item(1, title: "")
    bare.track.genres = []
    bare.track.number = nil
    let fields = MPRISMetadata.fields(of: bare, length: nil)
    for key in ["mpris:length", "mpris:artUrl", "xesam:title", "xesam:genre", "xesam:trackNumber"] {
      #expect(field(key, in: fields) == nil)
    }
  }

  @Test(arguments: [0, 0xFFFE, 0xFFFF, 0xFDD0, 0x1FFFF, 0x10FFFE] as [UInt32])
  func codePointsThatDBusRefusesAreReplaced(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let fields = MPRISMetadata.fields(of: item(1, title: "a\(Character(scalar))b"), length: nil)
    #expect(field("xesam:title", in: fields) == .string("a\u{FFFD}b"))
  }

  @Test func textInAnyScriptIsLeftAsItIs() {
    let title = "夜 Ночь ليل 🎷 e\u{301}"
    #expect(
      field("xesam:title", in: MPRISMetadata.fields(of: item(1, title: title), length: nil)) == .string(title))
  }

  @Test func whatOnlyTheLibraryKnowsIsTold() {
    var bare = item(1)
    bare.track.genres = []
    let details = TrackDetails(
      genres: ["Dub"], uses: 12, lastUsed: Timestamp(seconds: 1_700_000_000), rating: Rating(rawValue: 7))
    let fields = MPRISMetadata.fields(of: bare, length: nil, extras: MPRISMetadata.Extras(details: details))
    #expect(field("xesam:genre", in: fields) == .strings(["Dub"]))
    #expect(field("xesam:useCount", in: fields) == .int32(12))
    #expect(field("xesam:lastUsed", in: fields) == .string("2023-11-14T22:13:20.000000Z"))
    #expect(field("xesam:userRating", in: fields) == .double(0.7))
  }

  @Test func aRatingThatWasTakenAwayIsNotShown() {
    var rated = item(1)
    rated.track.rating = Rating(rawValue: 7)
    let extras = MPRISMetadata.Extras(details: TrackDetails())
    #expect(field("xesam:userRating", in: MPRISMetadata.fields(of: rated, length: nil)) == .double(0.7))
    #expect(field("xesam:userRating", in: MPRISMetadata.fields(of: rated, length: nil, extras: extras)) == nil)
  }

  @Test func onlyAFileOfThisHostIsNamed() {
    var here = item(1)
    (here.path, here.host) = (LocalPath("/music/a b.flac"), "h1")
    func url(_ item: QueueItem, _ host: String?) -> DBusValue? {
      field("xesam:url", in: MPRISMetadata.fields(of: item, length: nil, extras: MPRISMetadata.Extras(host: host)))
    }
    #expect(url(here, "h1") == .string("file:///music/a%20b.flac"))
    #expect(url(here, "h2") == nil && url(here, nil) == nil && url(item(1), "h1") == nil)
  }

  @Test func eachEntryHasAPathOfItsOwn() {
    let entries = ["ab", "a_b", "a-b", "a_5fb", "ä", "", "a.b", "A"]
    let paths = entries.map { TrackPath.of(EntryID(rawValue: $0)) }
    #expect(Set(paths).count == entries.count)
    for path in paths {
      let last = path.split(separator: "/").last ?? ""
      #expect(!last.isEmpty)
      #expect(
        last.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95 }
      )
      #expect(!path.hasPrefix("/org/mpris"))
    }
  }
}

struct PlayerNameTests {
  @Test func aRoomsDashesBecomeUnderscores() {
    #expect(PlayerName.of(room("living-room"), process: 7) == "org.mpris.MediaPlayer2.lunara.living_room")
  }

  @Test func aPartThatBeginsWithADigitIsMadeValid() {
    #expect(PlayerName.of(room("2nd-floor"), process: 7) == "org.mpris.MediaPlayer2.lunara._2nd_floor")
  }

  @Test func aTakenNameGetsAnInstanceSuffix() {
    #expect(PlayerName.of(room("den"), attempt: 1, process: 7) == "org.mpris.MediaPlayer2.lunara.den.instance7")
    #expect(PlayerName.of(room("den"), attempt: 2, process: 7) == "org.mpris.MediaPlayer2.lunara.den.instance7_2")
  }

  @Test func ourErrorsHaveValidDBusNames() {
    #expect(DBusErrorName.of(LunaraError("bus.timeout", "")) == "org.lunara.Error.bus.timeout")
    #expect(DBusErrorName.of(LunaraError("odd-code.2x", "")) == "org.lunara.Error.odd_code._2x")
  }
}

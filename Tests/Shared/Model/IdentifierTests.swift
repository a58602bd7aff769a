import Model
import TestSupport
import Testing

@Suite struct IdentifierTests {
  @Test func anItemIDReadsAndPrintsItsTwoPartsAndTheNativeOneMayHoldColons() {
    let id = TrackID("plex:a:b/ü")
    #expect(id?.source == "plex")
    #expect(id?.native == "a:b/ü")
    #expect(id?.description == "plex:a:b/ü")
  }

  @Test(arguments: ["", ":", "files", "files:", ":a1"])
  func anIDWithoutBothPartsIsRefused(text: String) {
    #expect(TrackID(text) == nil)
    #expect(throws: DecodingError.self) { try decoded(TrackID.self, "\"\(text)\"") }
  }

  @Test func itemIDsOrderBySourceThenNativeAndAreOneStringInJSON() throws {
    let ids = [
      AlbumID(source: "b", native: "1"), AlbumID(source: "a", native: "2"), AlbumID(source: "a", native: "10"),
    ]
    #expect(ids.sorted().map(\.description) == ["a:10", "a:2", "b:1"])
    #expect(try json(ids[0]) == #""b:1""#)
    #expect(try throughJSON(ids) == ids)
  }

  @Test func drawnIDsHaveTwentyEasyCharactersAndAHundredBits() {
    var generator = Seeded(7)
    let ids = (0..<10_000).map { _ in EntryID.random(using: &generator).rawValue }
    let alphabet = Set("0123456789abcdefghjkmnpqrstvwxyz")
    #expect(ids.allSatisfy { $0.utf8.count == 20 && alphabet.isSuperset(of: $0) })
    #expect(Set(ids).count == ids.count)
    // Every position takes every character, so no bit is constant.
    for place in 0..<20 { #expect(Set(ids.map { Array($0)[place] }) == alphabet) }
  }

  @Test func theSameSeedDrawsTheSameIDs() {
    var (first, second) = (Seeded(3), Seeded(3))
    #expect(ListenID.random(using: &first) == ListenID.random(using: &second))
    #expect(ListenID.random() != ListenID.random())
  }

  @Test(arguments: [
    ("kitchen", "kitchen"), ("Küche", "kuche"), ("Ku\u{308}che", "kuche"), ("Großer Saal", "grosser-saal"),
    ("Łazienka", "lazienka"), ("Værelse", "vaerelse"), ("Бар 2", "2"), ("Living Room", "living-room"), ("--a--", "a"),
    ("", "room"),
    ("★★★", "room"), ("A_b.c", "a-b-c"), (String(repeating: "x", count: 99), String(repeating: "x", count: 32)),
    (String(repeating: "x", count: 31) + " y", String(repeating: "x", count: 31)), ("ẞ", "ss"),
    ("İstanbul", "istanbul"),
  ])
  func aRoomNameIsMadeFromAnyText(text: String, name: String) {
    #expect(RoomName.isName(RoomName(from: text).rawValue))
    #expect(RoomName(from: text).rawValue == name)
  }

  @Test func roomsInOtherLettersHaveNamesAndTitlesOfTheirOwn() {
    let rooms = ["台所", "寝室", "Кухня", "Спальня"].map { ($0, RoomName(from: $0)) }
    #expect(Set(rooms.map(\.1)).count == 4)
    for (text, room) in rooms {
      #expect(room.rawValue.hasPrefix("room-") && room.rawValue.utf8.count == 9 && room.title(from: text) == text)
    }
    #expect(RoomName(from: "Küche").title(from: "Küche") == "Küche")
    #expect(RoomName(from: "Living Room").title(from: " Living  Room") == "Living Room")
    #expect(RoomName(from: "Kitchen").title(from: "Kitchen") == nil && RoomName(from: "").title(from: " ") == nil)
  }

  @Test(arguments: ["", "Kitchen", "a b", "a.b", "a@b", "ü", String(repeating: "x", count: 33)])
  func invalidRoomNamesAreRefused(text: String) {
    #expect(RoomName(text) == nil)
    #expect(throws: DecodingError.self) { try decoded(RoomName.self, "\"\(text)\"") }
  }
}

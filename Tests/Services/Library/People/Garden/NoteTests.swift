import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People

/// Notes: written, edited, found, and coming back.
@Suite(.timeLimit(.minutes(2)))
struct NoteTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", ["ALBUM=Blue", "ARTIST=Joni", "DATE=1971"])
    try catalogue.tree.album("red", ["ALBUM=Red", "ARTIST=Ada", "DATE=1999"])
    try await catalogue.refresh()
    return catalogue
  }

  private func write(_ id: PlayableID, _ text: String, on catalogue: TestCatalogue) async throws -> Library.Note {
    try await catalogue.garden { try $0.notes.write(.init(id: id, text: text)) }
  }

  @Test func notesAreListedWithTheirAlbumAndFoundByTheirWords() async throws {
    let catalogue = try await catalogue()
    let blue = try await catalogue.album("Blue")
    let track = try await catalogue.tracks(of: blue)[1]
    let first = try await write(blue.id.playable, "The rain on the second side.", on: catalogue)
    catalogue.wait(seconds: 5)
    let second = try await catalogue.garden {
      try $0.notes.write(.init(id: track.id.playable, text: "Überall Regen", position: Milliseconds(83_000)))
    }
    _ = try await write(try #require(try await catalogue.artists().first).id.playable, "A voice.", on: catalogue)
    #expect(first.on == .init(kind: .album, id: blue.id.playable, title: "Blue", artist: "Joni"))
    #expect(second.on.kind == .track && second.position == Milliseconds(83_000))
    #expect(try await catalogue.notes().count == 3)
    #expect(try await catalogue.notes(.init(id: blue.id.playable)).map(\.note) == [second.note, first.note])
    #expect(try await catalogue.notes(.init(id: track.id.playable)).map(\.note) == [second.note])
    #expect(try await catalogue.notes(.init(words: "uber reg")).map(\.note) == [second.note])
    #expect(try await catalogue.notes(.init(words: "nowhere")).isEmpty)
    let found = try await catalogue.database.read {
      try Catalogue.search(.init(words: "rain", inNotes: true), keeping: SearchCache(.ofPeople()), $0)
    }
    #expect(found.notes?.map(\.note) == [first.note] && found.albums.isEmpty)
    #expect(try await catalogue.search("rain").notes == nil)
    let page = try await catalogue.database.read { try Catalogue.notes(.init(limit: 2), $0) }
    let rest = try await catalogue.database.read { try Catalogue.notes(.init(after: page.next, limit: 2), $0) }
    #expect(page.items.count == 2 && rest.items.map(\.note) == [first.note] && rest.next == nil)
  }

  @Test func aNoteOfAMegabyteOrWithoutTextIsRefused() async throws {
    let catalogue = try await catalogue()
    let id = try await catalogue.album("Blue").id.playable
    for text in [String(repeating: "x", count: 1 << 20), " \n ", "\u{1B}[31m"] {
      #expect(await gardenCode { try await write(id, text, on: catalogue) } == "library.badNote")
    }
    let nowhere = try #require(PlayableID("files:a99"))
    #expect(await gardenCode { try await write(nowhere, "x", on: catalogue) } == "library.unknownID")
    #expect(try await catalogue.notes().isEmpty)
    let longest = try await write(id, String(repeating: "\"", count: 64 << 10), on: catalogue)
    #expect(try await catalogue.notes().map(\.text) == [longest.text])
  }

  @Test(arguments: [
    ("a\u{1B}[31mred\u{1B}[0m", "ared"), ("a\u{1B}]0;title\u{07}b", "ab"), ("a\u{1B}]0;no end", "a0;no end"),
    ("one\r\ntwo\rthree\u{0}", "one\ntwo\nthree"), ("\u{9B}2Jx\u{7F}\u{85}", "x"), ("שלום 日本 👩‍👩‍👧", "שלום 日本 👩‍👩‍👧"),
    ("tab\there *and* http://a.example", "tab\there *and* http://a.example"), ("\u{1B}(Bx\u{1B}7", "x"),
  ])
  func textsAreFreeOfOrdersToTerminals(text: String, clean: String) {
    #expect(GardenText.cleaned(text) == clean)
  }

  @Test func theSecondOfTwoEditsIsRefusedAndBothTextsAreKept() async throws {
    let catalogue = try await catalogue()
    let note = try await write(try await catalogue.album("Blue").id.playable, "one", on: catalogue)
    let edited = try await catalogue.garden {
      try $0.notes.edit(.init(note: note.note, text: "two", version: 1)).get()
    }
    #expect(edited.version == 2 && edited.text == "two" && edited.editedAt != nil && edited.at == note.at)
    let refused = try await catalogue.garden { try $0.notes.edit(.init(note: note.note, text: "three", version: 1)) }
    guard case .failure(let error) = refused else { return #expect(Bool(false), "it was taken") }
    #expect(error.code == "library.noteChanged" && error.message.contains("two") && error.message.contains("three"))
    let history = try await catalogue.database.read { try Catalogue.note(.init(note: note.note), $0) }
    #expect(history.note.text == "two" && history.texts.map(\.text) == ["three", "one"])
    #expect(history.texts.map(\.isRefused) == [true, nil])
    // The words of the text that is there find the note, and no others.
    #expect(try await catalogue.notes(.init(words: "two")).count == 1)
    #expect(try await catalogue.notes(.init(words: "one")).isEmpty)
    // Sending the same text twice changes nothing.
    let again = try await catalogue.garden { try $0.notes.edit(.init(note: note.note, text: "two", version: 1)).get() }
    #expect(again.version == 2)
  }

  @Test func aDeletedNoteComesBackWithItsWords() async throws {
    let catalogue = try await catalogue()
    let note = try await write(try await catalogue.album("Blue").id.playable, "rain", on: catalogue)
    try await catalogue.garden { try $0.notes.delete(.init(note: note.note)) }
    #expect(try await catalogue.notes().isEmpty)
    #expect(try await catalogue.notes(.init(words: "rain")).isEmpty)
    try await catalogue.garden { try $0.notes.delete(.init(note: note.note, isTakenBack: true)) }
    #expect(try await catalogue.notes(.init(words: "rain")) == [note])
    #expect(
      await gardenCode { try await catalogue.garden { try $0.notes.delete(.init(note: 99)) } }
        == "library.unknownNote")
  }

  @Test func aSessionConsistsOfTheListensOfAnAlbumWithPauses() async throws {
    let catalogue = try await catalogue()
    let blue = try await catalogue.album("Blue")
    let (tracks, red) = (
      try await catalogue.tracks(of: blue), try await catalogue.tracks(of: try await catalogue.album("Red"))
    )
    #expect(
      await gardenCode {
        try await catalogue.garden { try $0.notes.write(.init(id: blue.id.playable, text: "x", isOfSession: true)) }
      } == "library.noSession")
    // A former listening, other music, and a listening with a pause of an hour.
    let start: Int64 = 1_799_000_000
    let heard = [
      (tracks[0], 0), (tracks[1], 200), (red[0], 400), (tracks[0], 600), (tracks[1], 800), (tracks[2], 4400),
    ]
    for (index, (track, offset)) in heard.enumerated() {
      let counted = try PlaysTests.counted(track, listen: "l\(index)", at: start + Int64(offset))
      try await catalogue.database.write { try ListenRows.record(counted, at: Timestamp(seconds: start), $0) }
    }
    let note = try await catalogue.garden {
      try $0.notes.write(.init(id: tracks[0].id.playable, text: "With Ada.", isOfSession: true))
    }
    let session = try #require(note.session)
    #expect(note.on.kind == .session && note.on.id == blue.id.playable)
    #expect(session.listens.map(\.rawValue) == ["l3", "l4", "l5"] && session.room.rawValue == "den")
    #expect(session.from == Timestamp(seconds: start + 600) && session.to == Timestamp(seconds: start + 4495))
    #expect(try await catalogue.notes(.init(id: blue.id.playable)) == [note])
  }

  @Test func aNoteComesBackAfterAYearAndNeverTwiceInAFortnight() async throws {
    let catalogue = try await catalogue()
    let blue = try await catalogue.album("Blue")
    let note = try await write(blue.id.playable, "rain", on: catalogue)
    func due(_ album: AlbumID? = nil) async throws -> [Library.DueNote] {
      let now = catalogue.time
      return try await catalogue.database.read { try Catalogue.dueNotes(.init(album: album), now: now, $0).items }
    }
    let day: Int64 = 86_400
    catalogue.wait(seconds: 10 * day)
    #expect(try await due().isEmpty)
    #expect(try await due(blue.id).isEmpty)
    catalogue.wait(seconds: 50 * day)
    #expect(try await due(blue.id).map(\.reason) == ["You wrote this about it 2 months ago."])
    catalogue.wait(seconds: 303 * day)
    let back = try await due()
    #expect(back.map(\.note) == [note] && back.map(\.years) == [1])
    try await catalogue.garden { try $0.notes.keepShown([note.note]) }
    catalogue.wait(seconds: 1)
    #expect(try await due().isEmpty)
    #expect(try await due(blue.id).isEmpty)
    catalogue.wait(seconds: 14 * day)
    #expect(try await due().isEmpty)
    #expect(try await due(blue.id).map(\.reason) == ["You wrote this about it 1 year ago."])
    catalogue.wait(seconds: 351 * day)
    #expect(try await due().map(\.reason) == ["2 years ago you wrote this."])
    // A wall has told of it.
    try await catalogue.garden { try $0.notes.keepShown([], lastOf: [blue.id]) }
    #expect(try await due().isEmpty)
  }

  @Test func aClockThatWasMonthsAheadHidesNoNote() async throws {
    let catalogue = try await catalogue()
    let blue = try await catalogue.album("Blue")
    let day: Int64 = 86_400
    let before = try await write(blue.id.playable, "before", on: catalogue)
    catalogue.wait(seconds: 300 * day)
    // The clock is 300 days ahead now: a note is written and another one comes back; then the clock is right again.
    let ahead = try await write(blue.id.playable, "ahead", on: catalogue)
    try await catalogue.garden { try $0.notes.keepShown([before.note]) }
    catalogue.wait(seconds: -260 * day)
    let edited = try await catalogue.garden {
      try $0.notes.edit(.init(note: ahead.note, text: "mended", version: 1)).get()
    }
    #expect(edited.text == "mended" && edited.version == 2)
    let later = try await write(blue.id.playable, "later", on: catalogue)
    #expect(Set(try await catalogue.notes().map(\.text)) == ["before", "mended", "later"])
    #expect(try await catalogue.notes(.init(words: "later")) == [later])
    func due(_ album: AlbumID? = nil) async throws -> [String] {
      let now = catalogue.time
      return try await catalogue.database.read { transaction in
        try Catalogue.dueNotes(.init(album: album), now: now, transaction).items.map(\.note.text)
      }
    }
    // A note that came back in a future does not rest until then, and one of the future does not come back.
    #expect(try await due(blue.id) == ["before"])
    #expect(try await due().isEmpty)
    catalogue.wait(seconds: 325 * day)
    #expect(try await due() == ["before"])
    catalogue.wait(seconds: 300 * day)
    #expect(try await due() == ["mended"])
  }

  @Test func theNoteOfAnAlbumThatIsGoneStaysAndComesBackWithIt() async throws {
    let catalogue = try await catalogue()
    let blue = try await catalogue.album("Blue")
    let note = try await write(blue.id.playable, "rain", on: catalogue)
    try catalogue.tree.move("blue", to: "../away-blue")
    try await catalogue.refresh(accepting: true)
    #expect(try await catalogue.notes().map(\.on.isHere) == [false])
    #expect(try await catalogue.notes(.init(id: blue.id.playable)).map(\.on.title) == ["Blue"])
    try catalogue.tree.move("../away-blue", to: "blue")
    try await catalogue.refresh()
    #expect(try await catalogue.notes() == [note])
  }
}

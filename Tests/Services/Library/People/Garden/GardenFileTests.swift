import Messages
import Model
import Storage
import Testing

@testable import Catalogue
@testable import People

/// Everything as a file, and into another library.
@Suite(.timeLimit(.minutes(2)))
struct GardenFileTests {
  private func records(_ catalogue: TestCatalogue) async throws -> [Library.GardenRecord] {
    try await catalogue.database.read { try Catalogue.exportGarden(.init(), $0).items }
  }

  private func imported(
    _ records: [Library.GardenRecord], _ catalogue: TestCatalogue
  ) async throws -> Library.ImportedGarden {
    try await catalogue.garden { try GardenImport(transaction: $0.transaction, now: $0.now).add(records) }
  }

  private func catalogue(_ titles: [String]) async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for title in titles { try catalogue.tree.album(title, ["ALBUM=\(title)", "ARTIST=Joni", "DATE=1971"]) }
    try await catalogue.refresh()
    return catalogue
  }

  @Test func aFileBringsEverythingIntoAnotherLibraryOnce() async throws {
    let first = try await catalogue(["Blue", "Red"])
    let blue = try await first.album("Blue").id.playable
    let track = try await first.tracks(of: try await first.album("Red"))[1].id.playable
    let artist = try #require(try await first.artists().first).id.playable
    try await first.garden { change in
      _ = try change.notes.write(.init(id: blue, text: "rain"))
      _ = try change.notes.write(.init(id: track, text: "sun", position: Milliseconds(7000)))
      _ = try change.notes.write(.init(id: artist, text: "voice"))
      _ = try change.marks.mark(.init(id: blue, reason: "Twice."))
      _ = try change.todos.add(.init(id: blue, about: .year, text: "1970"))
    }
    let file = try await records(first)
    #expect(file.map(\.form) == [.note, .note, .note, .mark, .todo])
    // The other library has one of the albums, under another number, and another album with the number of the first.
    let second = try await catalogue(["Green", "Red"])
    #expect(try await imported(file, second) == .init(added: 5, known: 0, notHere: 3))
    #expect(try await imported(file, second) == .init(added: 0, known: 5, notHere: 0))
    let red = try await second.album("Red").id.playable
    #expect(try await second.notes(.init(id: red)).map(\.text) == ["sun"])
    #expect(try await second.notes(.init(words: "rain")).map(\.on.isHere) == [false])
    // An album that is not there is found when it comes.
    try second.tree.album("Blue", ["ALBUM=Blue", "ARTIST=Joni", "DATE=1971"])
    try await second.refresh()
    let arrived = try await second.album("Blue").id.playable
    #expect(try await second.notes(.init(id: arrived)).map(\.text) == ["rain"])
    #expect(try await second.todos().map(\.on.id) == [arrived])
    #expect(try await records(second).map(\.uid) == file.map(\.uid))
  }

  @Test func albumsOfAnotherYearOrOfSeveralArtistsAndTracksWithASortTitleAreFoundByTheirNames() async throws {
    let catalogue = try await catalogue(["Blue"])
    try catalogue.tree.album("Duo", ["ALBUM=Duo", "ARTIST=Ella; Louis", "DATE=1956"])
    try catalogue.tree.flac(
      "Sorted/1.flac", ["TITLE=Raining", "TITLESORT=Zzz", "TRACKNUMBER=1", "ALBUM=Sorted", "ARTIST=Joni"])
    try await catalogue.refresh()
    let stranger = PlayableID(source: "files", native: "a9999")
    func record(_ uid: String, _ title: String, _ artist: String, year: Int?) -> Library.GardenRecord {
      Library.GardenRecord(
        form: .note, uid: uid, on: .init(kind: .album, id: stranger, title: title, artist: artist), year: year,
        text: "rain", at: catalogue.time)
    }
    let song = Library.GardenRecord(
      form: .note, uid: "u4",
      on: .init(
        kind: .track, id: PlayableID(source: "files", native: "t9999"), title: "Raining", artist: "Joni"),
      album: "Sorted", text: "rain", at: catalogue.time)
    let records = [
      record("u1", "Blue", "Joni", year: 1999), record("u2", "Duo", "Ella; Louis", year: nil),
      record("u3", "Duo", "Ella", year: 1956), song,
    ]
    #expect(try await imported(records, catalogue) == .init(added: 4, known: 0, notHere: 1))
  }

  private func exported(_ catalogue: TestCatalogue) async throws -> Library.GardenRecords {
    var all = Library.GardenRecords(items: [], themes: [])
    repeat {
      let after = all.next
      let page = try await catalogue.database.read { try Catalogue.exportGarden(.init(after: after), $0) }
      all.items += page.items
      all.themes? += page.themes ?? []
      all.next = page.next
    } while all.next != nil
    return all
  }

  private func imported(_ all: Library.GardenRecords, _ catalogue: TestCatalogue) async throws -> Library.ImportedGarden
  {
    try await catalogue.garden {
      try GardenImport(transaction: $0.transaction, now: $0.now).add(all.items, themes: all.themes ?? [])
    }
  }

  private func page(_ catalogue: TestCatalogue, _ title: String) async throws -> Library.ThemePage {
    try await catalogue.database.read { transaction in
      let theme = try #require(try ThemeStore.list(transaction).items.first { $0.title == title })
      return try ThemeStore.page(.init(id: theme.id), transaction)
    }
  }

  @Test func likesAndThemesComeIntoAnotherLibraryOnceAndWaitForTheirMusic() async throws {
    let first = try await catalogue(["Blue", "Green (Deluxe Edition)", "Red"])
    let (blue, green, red) = (
      try await first.album("Blue").id, try await first.album("Green (Deluxe Edition)").id,
      try await first.album("Red").id
    )
    try await first.opine(blue, .like)
    first.wait(seconds: 5)
    try await first.opine(red, .dislike)
    try await first.garden { change in
      _ = try ThemeStore.save(
        .init(
          title: "Boat", text: "1994.", look: .init(first: "#1f5f8b", second: "#e8f0f2", texture: .paper), cover: red,
          adding: [green, red, blue]), at: change.now, change.transaction)
      _ = try ThemeStore.save(
        .init(title: "Seventies", rules: #"{"all":[{"inTheRange":{"year":[1970,1979]}}]}"#), at: change.now,
        change.transaction)
    }
    let file = try await exported(first)
    #expect(file.items.map(\.on.title) == ["Blue", "Red"] && file.items.map(\.state) == ["like", "dislike"])
    #expect(file.items.allSatisfy { $0.form == .opinion && $0.year == 1971 })
    let boat = try #require(file.themes?.first)
    #expect(boat.albums.map(\.title) == ["Green (Deluxe Edition)", "Red", "Blue"] && boat.cover?.title == "Red")
    #expect(file.themes?.map(\.title) == ["Boat", "Seventies"])

    let second = try await catalogue(["Violet", "Red"])
    #expect(try await imported(file, second) == .init(added: 4, known: 0, notHere: 2))
    #expect(try await imported(file, second) == .init(added: 0, known: 4, notHere: 0))
    #expect(try await second.opinionWords() == ["Blue like?", "Red dislike"])
    let there = try await page(second, "Boat")
    #expect(there.albums.map(\.title) == ["Red"] && there.theme.text == "1994." && there.theme.look == boat.look)
    #expect(there.missing == ["Joni – Green (Deluxe Edition)", "Joni – Blue"])
    #expect(try await page(second, "Seventies").albums.count == 2)
    // Nothing is lost by the way over a library that has not all of the music.
    let passed = try await exported(second)
    #expect(passed.themes?.first?.albums == boat.albums)
    #expect(Set(passed.items.map(\.uid)) == Set(file.items.map(\.uid)))
    // Albums that were not there are found when they come.
    for title in ["Blue", "Green (Deluxe Edition)"] {
      try second.tree.album(title, ["ALBUM=\(title)", "ARTIST=Joni", "DATE=1971"])
    }
    try await second.refresh()
    #expect(try await second.opinionWords() == ["Blue like", "Red dislike"])
    #expect(try await second.opinionFaults().isEmpty)
    let whole = try await page(second, "Boat")
    #expect(whole.albums.map(\.title) == ["Green (Deluxe Edition)", "Red", "Blue"] && whole.missing == nil)
  }

  @Test func whatAPersonThinksNowIsNotReplacedByAFile() async throws {
    let catalogue = try await catalogue(["Blue"])
    let blue = try await catalogue.album("Blue").id
    try await catalogue.opine(blue, .like)
    try await catalogue.garden {
      _ = try ThemeStore.save(.init(title: "Boat", text: "One."), at: $0.now, $0.transaction)
    }
    let file = try await exported(catalogue)
    try await catalogue.opine(blue, .dislike)
    try await catalogue.garden { change in
      let boat = try #require(try ThemeStore.list(change.transaction).items.first)
      _ = try ThemeStore.save(.init(id: boat.id, text: "Two."), at: change.now, change.transaction)
    }
    #expect(try await imported(file, catalogue) == .init(added: 0, known: 2, notHere: 0))
    #expect(try await catalogue.opinionWords() == ["Blue dislike"])
    #expect(try await page(catalogue, "Boat").theme.text == "Two.")
    // A like that was taken back, and a theme that was deleted, come back from the file. No server is told of the like.
    try await catalogue.opine(blue, nil)
    try await catalogue.garden { change in
      let boat = try #require(try ThemeStore.list(change.transaction).items.first)
      try DeletedThemes.delete(boat.id, at: change.now, change.transaction)
    }
    #expect(try await imported(file, catalogue) == .init(added: 2, known: 0, notHere: 0))
    #expect(try await catalogue.opinionWords() == ["Blue like"])
    #expect(try await catalogue.database.read { try $0.value("SELECT count(*) FROM opinion_outbox") } == 0)
  }

  @Test func anAlbumThatIsCalledLikeAYearAndIsNotHereKeepsItsNames() async throws {
    let catalogue = try await catalogue(["Blue"])
    let look = Library.ThemeLook(first: "#1f5f8b", second: "#e8f0f2", texture: .paper)
    let albums = [
      Library.ThemeAlbum(title: "1984", artist: "Hank"), Library.ThemeAlbum(title: "1984", artist: "Hank", year: 1984),
    ]
    let theme = Library.ThemeRecord(title: "Years", look: look, albums: albums)
    #expect(
      try await imported(.init(items: [], themes: [theme]), catalogue) == .init(added: 1, known: 0, notHere: 1))
    #expect(try await exported(catalogue).themes?.first?.albums == albums)
  }

  @Test func themesOfOneTitleAreBothRestored() async throws {
    let first = try await catalogue(["Blue"])
    try await first.garden { change in
      for text in ["One.", "Two."] {
        _ = try ThemeStore.save(.init(title: "Boat", text: text), at: change.now, change.transaction)
      }
    }
    let file = try await exported(first)
    let second = try await catalogue(["Blue"])
    #expect(try await imported(file, second) == .init(added: 2, known: 0, notHere: 0))
    #expect(try await exported(second).themes?.map(\.text) == ["One.", "Two."])
    #expect(try await imported(file, second) == .init(added: 0, known: 2, notHere: 0))
    // Both are restored where each comes in a request of its own, and are known afterwards.
    let third = try await catalogue(["Blue"])
    let themes = try #require(file.themes)
    #expect(themes.map(\.namesakes) == [nil, 1])
    for known in [0, 1] {
      for theme in themes {
        let result = try await imported(.init(items: [], themes: [theme]), third)
        #expect(result == .init(added: 1 - known, known: known, notHere: 0))
      }
    }
    #expect(try await exported(third).themes == themes)
  }

  @Test func aFileIsReadInPagesOfAllKinds() async throws {
    let catalogue = try await catalogue(["Blue"])
    let blue = try await catalogue.album("Blue").id
    try await catalogue.opine(blue, .like)
    let text = String(repeating: "rain ", count: 12_000)
    try await catalogue.garden { change in
      for _ in 0..<5 { _ = try change.notes.write(.init(id: blue.playable, text: text)) }
      for number in 0..<25 {
        let words = String(repeating: "x", count: 4000)
        _ = try ThemeStore.save(.init(title: "Theme \(number)", text: words), at: change.now, change.transaction)
      }
    }
    let first = try await catalogue.database.read { try Catalogue.exportGarden(.init(), $0) }
    #expect(first.items.count == 3 && first.themes == nil && first.next != nil)
    let all = try await exported(catalogue)
    #expect(all.items.map(\.form) == Array(repeating: .note, count: 5) + [.opinion])
    #expect(all.themes?.map(\.title) == (0..<25).map { "Theme \($0)" })
    #expect(
      await gardenCode { try await catalogue.database.read { try Catalogue.exportGarden(.init(after: "x"), $0) } }
        == "library.badCursor")
  }

  @Test(arguments: [
    "library.badNote", "library.badTheme", "library.badRules",
  ]) func aBadThemeOrOpinionAddsNothing(code: String) async throws {
    let catalogue = try await catalogue(["Blue"])
    let on = Library.GardenSubject(
      kind: .album, id: try await catalogue.album("Blue").id.playable, title: "Blue", artist: "Joni")
    let look = Library.ThemeLook(first: "#1f5f8b", second: "#e8f0f2", texture: .paper)
    let time = catalogue.time
    func opinion(_ state: String?) -> Library.GardenRecord {
      .init(form: .opinion, uid: "u1", on: on, text: "", at: time, state: state)
    }
    var file = Library.GardenRecords(items: [opinion("like")], themes: [.init(title: "Boat", look: look)])
    switch code {
    case "library.badNote": file.items.append(opinion("meh"))
    case "library.badTheme": file.themes?.append(.init(title: "", look: look))
    default: file.themes?.append(.init(title: "Ship", rules: "{}", look: look))
    }
    let bad = file
    #expect(await gardenCode { try await imported(bad, catalogue) } == code)
    #expect(try await catalogue.opinionWords().isEmpty)
    #expect(try await catalogue.database.read { try ThemeStore.list($0) }.items.isEmpty)
  }

  @Test func aBadRecordAddsNothing() async throws {
    let catalogue = try await catalogue(["Blue"])
    let on = Library.GardenSubject(
      kind: .album, id: try await catalogue.album("Blue").id.playable, title: "Blue", artist: "Joni")
    let good = Library.GardenRecord(form: .note, uid: "u1", on: on, text: "rain", at: catalogue.time)
    let bad = Library.GardenRecord(form: .note, uid: "u2", on: on, text: "", at: catalogue.time)
    #expect(await gardenCode { try await imported([good, bad], catalogue) } == "library.badNote")
    #expect(try await catalogue.notes().isEmpty)
  }

  @Test func aFileKeepsWhenNotesWereEditedTodosDoneAndMarksDecided() async throws {
    let first = try await catalogue(["Blue"])
    let blue = try await first.album("Blue").id.playable
    try await first.garden { change in
      _ = try change.notes.write(.init(id: blue, text: "rain"))
      _ = try change.marks.mark(.init(id: blue))
      _ = try change.todos.add(.init(id: blue, about: .year, text: "1970"))
    }
    first.wait(seconds: 60)
    let time = first.time
    try await first.garden { change in
      _ = try change.notes.edit(.init(note: 1, text: "snow", version: 1)).get()
      _ = try change.marks.decide(.init(mark: 1, state: .kept))
      _ = try change.todos.set(.init(todo: 1, state: .done))
    }
    let file = try await records(first)
    #expect(file.map(\.changedAt) == [time, time, time] && file.allSatisfy { $0.at < time })
    let second = try await catalogue(["Blue"])
    second.wait(seconds: 120)
    #expect(try await imported(file, second) == .init(added: 3, known: 0, notHere: 0))
    #expect(try await records(second).map(\.changedAt) == [time, time, time])
    #expect(try await second.todos(.done).map(\.doneAt) == [time])
    // A file of an older version has no such times.
    let third = try await catalogue(["Blue"])
    let older = file.map { record in
      var record = record
      record.changedAt = nil
      return record
    }
    #expect(try await imported(older, third) == .init(added: 3, known: 0, notHere: 0))
    #expect(try await records(third).map(\.changedAt) == [nil, nil, nil])
  }

  @Test(arguments: ["title", "artist", "album", "many listens", "a long listen"])
  func aRecordWithANameOrASessionThatNoLibraryHasIsRefused(part: String) async throws {
    let catalogue = try await catalogue(["Blue"])
    let long = String(repeating: "x", count: 9000)
    var listens = [ListenID(rawValue: "l1")]
    if part == "many listens" { listens = (0...200).map { ListenID(rawValue: "l\($0)") } }
    if part == "a long listen" { listens = [ListenID(rawValue: long)] }
    let on = Library.GardenSubject(
      kind: .session, id: PlayableID(source: "files", native: "a9999"), title: part == "title" ? long : "Gone",
      artist: part == "artist" ? long : "Joni")
    let time = catalogue.time
    let session = Library.NoteSession(room: RoomName(from: "den"), from: time, to: time, listens: listens)
    let record = Library.GardenRecord(
      form: .note, uid: "u1", on: on, album: part == "album" ? long : nil, text: "rain", at: time, session: session)
    #expect(await gardenCode { try await imported([record], catalogue) } == "library.badNote")
    let look = Library.ThemeLook(first: "#1f5f8b", second: "#e8f0f2", texture: .paper)
    let theme = Library.ThemeRecord(title: "Boat", look: look, albums: [.init(title: long, artist: "Joni")])
    #expect(
      await gardenCode { try await imported(.init(items: [], themes: [theme]), catalogue) } == "library.badTheme")
  }

  @Test func theIndexIsMadeAgainAfterARepair() async throws {
    let catalogue = try await catalogue(["Blue"])
    let blue = try await catalogue.album("Blue").id.playable
    try await catalogue.garden { _ = try $0.notes.write(.init(id: blue, text: "rain")) }
    try await catalogue.database.write { transaction in
      try transaction.execute("DELETE FROM garden_search")
      for sql in GardenSchema.repairs { try transaction.execute(sql) }
      try NoteStore.indexPending(transaction)
    }
    #expect(try await catalogue.notes(.init(words: "rain")).count == 1)
  }
}

import Messages
import Model
import Storage
import Testing

@testable import lunara_library

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
    // What is not there is found when it comes.
    try second.tree.album("Blue", ["ALBUM=Blue", "ARTIST=Joni", "DATE=1971"])
    try await second.refresh()
    let arrived = try await second.album("Blue").id.playable
    #expect(try await second.notes(.init(id: arrived)).map(\.text) == ["rain"])
    #expect(try await second.todos().map(\.on.id) == [arrived])
    #expect(try await records(second).map(\.uid) == file.map(\.uid))
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

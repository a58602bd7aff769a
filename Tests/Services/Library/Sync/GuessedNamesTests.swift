import Messages
import Model
import Storage
import Testing

@testable import lunara_library

/// Files without tags in the catalogue.
@Suite(.timeLimit(.minutes(2)))
struct GuessedNamesTests {
  @Test func filesWithoutTagsAreNamedByTheirFolders() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("Joni Mitchell/1971 - Blue [FLAC]/01 - Carey.flac", [])
    try catalogue.tree.flac("Joni Mitchell/1971 - Blue [FLAC]/02 - California.flac", [])
    try await catalogue.refresh()
    let album = try await catalogue.album("Blue")
    #expect(album.artist == "Joni Mitchell" && album.year == 1971)
    let tracks = try await catalogue.tracks(of: album)
    #expect(tracks.map(\.title) == ["Carey", "California"] && tracks.map(\.number) == [1, 2])
    #expect(tracks.allSatisfy { $0.artist == "Joni Mitchell" })
    let page = try await catalogue.database.read { try Catalogue.problems(Library.ListProblems(), $0) }
    #expect(page.items.count == 2)
    #expect(page.items.allSatisfy { $0.problem.message.contains("its title, artist, album and year are guessed") })
  }

  @Test func aFileWithTagsIsNotGuessedAtAndGuessesSurviveAChangeBesideThem() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("Nas/Illmatic/01 - Life.flac", [])
    try await catalogue.refresh()
    try catalogue.tree.flac("Nas/Illmatic/02 - Love.flac", ["TITLE=Other"])
    try await catalogue.refresh()
    let titles = try await catalogue.tracks().map(\.title).sorted()
    #expect(titles == ["Life", "Other"])
    let album = try await catalogue.album("Illmatic")
    #expect(album.artist == "Nas")
    #expect(try await catalogue.problems() == ["library.fileUntagged"])
    // What was guessed is not stored as if the tags said so.
    let stored: [String] = try await catalogue.database.read {
      try $0.values("SELECT tags FROM files WHERE instr(tags, 'Nas') > 0")
    }
    #expect(stored.isEmpty)
  }
}

import Messages
import Model
import MusicTags
import Storage
import Testing

@testable import Catalogue

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

  private func detail(_ catalogue: TestCatalogue, _ title: String) async throws -> Library.TrackDetail {
    let id = try #require(try await catalogue.tracks().first { $0.title == title }).id
    return try await catalogue.database.read { try Catalogue.track(Library.ReadTrack(id: id), $0) }
  }

  @Test func whatWasGuessedIsMarked() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("Joni Mitchell/1971 - Blue/01 - Carey.flac", [])
    try catalogue.tree.flac("Joni Mitchell/1971 - Blue/CD 2/02 California.flac", [])
    try await catalogue.refresh()
    #expect(try await detail(catalogue, "Carey").guessed == [.title, .artist, .album, .year, .number])
    #expect(try await detail(catalogue, "California").guessed == [.title, .artist, .album, .year, .disc, .number])
    let album = try await catalogue.album("Blue")
    let page = try await catalogue.database.read { try Catalogue.album(Library.ReadAlbum(id: album.id), $0) }
    #expect(page.guesses?.map(\.track) == page.tracks.map(\.id) && page.guesses?.count == 2)
    // With tags nothing is guessed any more.
    try catalogue.tree.flac(
      "Joni Mitchell/1971 - Blue/01 - Carey.flac",
      ["TITLE=Carey", "ARTIST=Joni Mitchell", "ALBUM=Blue", "DATE=1971", "TRACKNUMBER=1"])
    try await catalogue.refresh()
    #expect(try await detail(catalogue, "Carey").guessed == nil)
  }

  @Test func filesBesideThoseWithAnArtistStayWithoutOne() async throws {
    let catalogue = try TestCatalogue()
    for name in ["01 - Nas - Life", "02 - Nas - Love", "bare"] { try catalogue.tree.flac("x/\(name).flac", []) }
    try await catalogue.refresh()
    let artists = Dictionary(uniqueKeysWithValues: try await catalogue.tracks().map { ($0.title, $0.artist) })
    #expect(artists == ["Life": "Nas", "Love": "Nas", "bare": VariousArtists.unknown])
    #expect(try await detail(catalogue, "bare").guessed == [.title])
  }

  @Test func aFileWithSomeTagsGetsWhatTheyLackFromItsName() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("x/01 - Nas - Life.flac", ["ALBUM=Illmatic"])
    try catalogue.tree.flac("x/Nas - Love.flac", ["ALBUM=Illmatic", "ARTIST=Nas", "TRACKNUMBER=2"])
    try catalogue.tree.flac("x/03 - Whole.flac", ["ALBUM=Illmatic", "ARTIST=Nas", "TITLE=Whole"])
    try await catalogue.refresh()
    let album = try await catalogue.album("Illmatic")
    #expect(album.artist == "Nas" && album.trackCount == 3)
    let life = try await detail(catalogue, "Life")
    #expect(life.track.artist == "Nas" && life.track.number == 1 && life.guessed == [.title, .artist, .number])
    #expect(try await detail(catalogue, "Love").guessed == [.title])
    #expect(try await detail(catalogue, "Whole").guessed == [.number])
    // They have tags, so none of them is a problem.
    #expect(try await catalogue.problems().isEmpty)
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
    // Guesses are not stored as if the tags said so.
    let stored: [String] = try await catalogue.database.read {
      try $0.values("SELECT tags FROM files WHERE instr(tags, 'Nas') > 0")
    }
    #expect(stored.isEmpty)
  }
}

import Client
import Messages
import Model
import TestSupport
import Testing

/// A title names one item of the catalogue, or the error says why it does not.
struct TitleChoiceTests {
  private let lines = Sample.album("a1", "Night Lines")
  private let long = Sample.album("a2", "Night Lines, Live")

  @Test(arguments: ["files:a3", "plex:47/11", "my-source:ä"]) func anIDIsTakenAsItIs(text: String) {
    #expect(TitleChoice.id(text)?.description == text)
  }

  @Test(arguments: ["Night", "Live: 1999", "Mixed:case", ":x", "x:"]) func aTitleIsNoID(text: String) {
    #expect(TitleChoice.id(text) == nil)
  }

  @Test func theOnlyAlbumFoundIsMeant() throws {
    #expect(try choice("night", albums: [lines]).playable().description == "files:a1")
  }

  @Test func anExactTitleComesBeforeALongerOne() throws {
    #expect(try choice("night lines", albums: [long, lines]).album() == lines.id)
    #expect(try choice("NIGHT LINES", albums: [long, lines]).playable().description == "files:a1")
  }

  @Test func severalThatFitAreListed() {
    let error = #expect(throws: LunaraError.self) { try choice("night", albums: [lines, long]).playable() }
    #expect(error?.code == "client.titleAmbiguous")
    #expect(
      error?.message.contains("Night Lines by Nova, files:a1 (2020); Night Lines, Live by Nova, files:a2 (2020)")
        == true)
  }

  @Test func editionsOfOneTitleAreToldApartByFormatAndFolder() {
    var (first, second) = (lines, Sample.album("a9", "Night Lines"))
    (first.quality, first.folder) = ("FLAC 16/44.1", "/music/Nova/Night Lines")
    (second.date, second.edition, second.quality) = (PartialDate("2023-02"), "Deluxe Edition", "MP3 320")
    let error = #expect(throws: LunaraError.self) { try choice("night lines", albums: [first, second]).playable() }
    #expect(error?.message.contains("files:a1 (2020, FLAC 16/44.1, /music/Nova/Night Lines); Night") == true)
    #expect(error?.message.contains("files:a9 (2020, 2023-02, Deluxe Edition, MP3 320).") == true)
  }

  @Test func anArtistThatMayBeMeantIsListedBesideTheAlbums() {
    let artist = Artist(id: ArtistID(source: "files", native: "r1"), name: "Nightjar", albumCount: 2)
    let error = #expect(throws: LunaraError.self) {
      try choice("night", artists: [artist], albums: [lines, long]).playable()
    }
    #expect(error?.message.contains("; the artist Nightjar, files:r1. Give the id of one.") == true)
  }

  @Test func anExactArtistOrTrackComesBeforeAnAlbumThatOnlyBeginsSo() throws {
    let artist = Artist(id: ArtistID(source: "files", native: "r1"), name: "Nova", albumCount: 2)
    #expect(try choice("nova", artists: [artist], albums: [lines, long]).playable().description == "files:r1")
    let track = Sample.track("t1", "Arrivals")
    #expect(try choice("arrivals", tracks: [track]).playable().description == "files:t1")
  }

  @Test func whatOtherWordsFindIsSuggestedAndNotChosen() {
    let found = Library.SearchResults(
      artists: [], albums: [Sample.album("a1", "Night")], tracks: [], searchedWords: "night")
    #expect {
      try TitleChoice(words: "nigth", found: found).album()
    } throws: { error in
      let error = error as? LunaraError
      return error?.code == "client.nothingFound" && error?.message.hasSuffix("Did you mean “night”?") == true
    }
  }

  @Test func nothingFoundIsSaid() {
    let error = #expect(throws: LunaraError.self) { try choice("x").playable() }
    #expect(error?.code == "client.nothingFound")
    #expect(throws: LunaraError.self) { try choice("x", tracks: [Sample.track("t1", "x")]).album() }
  }

  private func choice(
    _ words: String, artists: [Artist] = [], albums: [Album] = [], tracks: [Track] = []
  ) -> TitleChoice {
    TitleChoice(words: words, found: Library.SearchResults(artists: artists, albums: albums, tracks: tracks))
  }
}

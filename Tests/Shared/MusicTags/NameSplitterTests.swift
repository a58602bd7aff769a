import Messages
import MusicTags
import TestSupport
import Testing

struct NameSplitterTests {
  private func names(_ values: [(String, String)], _ rules: TagRules = .default) -> [String] {
    FileMetadata(FileTags(values), folder: [], name: [], rules).artists.map(\.name)
  }

  @Test(arguments: [
    ("A; B", ["A", "B"]), ("A;B", ["A", "B"]), ("A / B", ["A", "B"]), ("A feat. B", ["A", "B"]),
    ("A Feat. B", ["A", "B"]), ("A feat B", ["A", "B"]), ("A ft. B", ["A", "B"]), ("A ft B", ["A", "B"]),
    ("A FEATURING B", ["A", "B"]), ("A (feat. B)", ["A", "B"]), ("A [ft. B]", ["A", "B"]),
    ("A (feat. B (UK))", ["A", "B (UK)"]), ("A; B feat. C", ["A", "B", "C"]), ("A;; B;", ["A", "B"]),
    ("A; a", ["A"]), ("Ä feat. Ö", ["Ä", "Ö"]), ("A feat. B feat. C", ["A", "B", "C"]),
    // Separators that share a blank, or have nothing between them.
    ("Ann / / Bo", ["Ann", "Bo"]), ("Ann; ; Bo", ["Ann", "Bo"]), ("A / / / B", ["A", "B"]),
    ("A feat. ft. B", ["A", "B"]),
    ("A feat. feat. B", ["A", "B"]), ("A / feat. B", ["A", "B"]), ("A feat. / B", ["A", "B"]),
    ("A / feat / B", ["A", "B"]),
    // The first of two words is the end of a name where it may be one.
    ("Little Feat feat. Bo", ["Little Feat", "Bo"]), ("Little Feat / Bo", ["Little Feat", "Bo"]),
    ("Little Feat (feat. Bo)", ["Little Feat", "Bo"]), ("Little Feat; Bo", ["Little Feat", "Bo"]),
    ("Bo feat. Little Feat ft. Al", ["Bo", "Little Feat", "Al"]), ("Bo feat Little Feat", ["Bo", "Little Feat"]),
    // Nothing else is a list.
    ("A & B", ["A & B"]), ("A, B", ["A, B"]), ("A and B", ["A and B"]), ("A x B", ["A x B"]), ("A vs. B", ["A vs. B"]),
    ("A with B", ["A with B"]), ("A/B", ["A/B"]), ("Little Feat", ["Little Feat"]), ("feat. A", ["feat. A"]),
    ("Defeat the Low", ["Defeat the Low"]), ("(feat. A)", ["(feat. A)"]), (";", [";"]),
  ])
  func anArtistIsSplitAtTheListAndNowhereElse(_ value: String, _ expected: [String]) {
    #expect(names([("ARTIST", value)]) == expected)
  }

  @Test func valuesOfSeveralAreNeverSplitFurther() {
    #expect(names([("ARTIST", "A feat. B"), ("ARTIST", "C / D")]) == ["A feat. B", "C / D"])
    #expect(
      names([("ARTIST", "A & B feat. C"), ("ARTISTS", "A"), ("ARTISTS", "B"), ("ARTISTS", "C")]) == ["A", "B", "C"])
    #expect(names([("ARTIST", "A feat. B"), ("ARTISTS", "A / B")]) == ["A / B"])
    // A list of one value is nevertheless a list.
    #expect(names([("ARTISTS", "A; B")]) == ["A", "B"])
  }

  @Test func knownNamesAreKeptWhole() {
    #expect(names([("ARTIST", "AC/DC; Yusuf / Cat Stevens")]) == ["AC/DC", "Yusuf / Cat Stevens"])
    #expect(names([("ARTIST", "A / Yusuf / Cat Stevens / B")]) == ["A", "Yusuf / Cat Stevens", "B"])
    #expect(names([("ARTIST", "yusuf / cat stevens")]) == ["yusuf / cat stevens"])
    let rules = TagRules.default.keeping(["A / B", "A / B / C", "B / C"])
    #expect(names([("ARTIST", "A / B / C / D")], rules) == ["A / B / C", "D"])
    #expect(names([("ARTIST", "X / B / C")], rules) == ["X", "B / C"])
  }

  @Test func oneIDMeansOneArtist() {
    let read = FileMetadata(("ARTIST", "Yin / Yang"), ("MUSICBRAINZ_ARTISTID", "1"), ("ARTISTSORT", "Yang / Yin"))
    #expect(read.artists == [TaggedArtist(name: "Yin / Yang", sort: "Yang / Yin", id: "1", isWhole: true)])
  }

  @Test func slashesStandBetweenNamesWhereThereAreAsManyIDs() {
    let read = FileMetadata(
      ("ARTIST", "A & B"), ("ARTISTS", "A/B"), ("ARTISTSORT", "S/T"), ("MUSICBRAINZ_ARTISTID", "1/2"),
      ("GENRE", "Chamber Jazz/Pop/Rock"), ("LABEL", "Blue/Red"), ("COMPOSER", "C/D"), ("COMPOSERSORT", "X, C/Y, D"))
    #expect(
      read.artists == [
        TaggedArtist(name: "A", sort: "S", id: "1", isWhole: false), TaggedArtist(name: "B", sort: "T", id: "2"),
      ])
    #expect(read.genres == ["Chamber Jazz", "Pop/Rock"] && read.tags.albumName.labels == ["Blue", "Red"])
    #expect(read.people.map(\.artist.name) == ["C", "D"] && read.people.map(\.artist.sort) == ["X, C", "Y, D"])
    // The values of the file are stored as it holds them.
    #expect(FileTags(packed: read.packed).words.genres == ["Chamber Jazz/Pop/Rock"])
    #expect(names([("ARTISTS", "AC/DC/B"), ("MUSICBRAINZ_ARTISTID", "1/2")]) == ["AC/DC", "B"])
    #expect(names([("ARTISTS", "A/B/C"), ("MUSICBRAINZ_ARTISTID", "1/2")]) == ["A/B/C"])
    #expect(names([("ARTIST", "A/B"), ("MUSICBRAINZ_ARTISTID", "1")]) == ["A/B"])
    // An invalid id is no evidence about the names.
    #expect(names([("ARTIST", "A; B"), ("MUSICBRAINZ_ARTISTID", "0")]) == ["A", "B"])
    // Nothing says that this tag has slashes between values.
    let other = FileMetadata(("ARTIST", "A"), ("GENRE", "Rock/Jazz"), ("COMPOSER", "C/D"), ("LABEL", "Blue/Red"))
    #expect(other.genres == ["Rock/Jazz"] && other.people.map(\.artist.name) == ["C/D"])
    #expect(other.tags.albumName.labels == ["Blue/Red"])
  }

  @Test func typesOfReleasesAreSplitAtSlashes() {
    let read = FileTags(("RELEASETYPE", "album/live/Mixtape/Street"))
    #expect(read.words(.default).first { $0.kind == .type }?.names == ["album", "live", "mixtape/street"])
  }

  @Test func theFirstArtistFollowsTheList() {
    let tags = FileTags([("ARTIST", "Nas mit Olu feat. Dara")])
    func first(_ rules: TagRules) -> String? { FileMetadata(tags, folder: [], name: [], rules).firstArtist }
    #expect(first(.default) == "Nas mit Olu" && first(TagRules(artistSeparators: [" mit "])) == "Nas")
    #expect(first(TagRules(artistSeparators: [";"])) == "Nas mit Olu feat. Dara")
    #expect(first(TagRules.default.keeping(["Nas mit Olu feat. Dara"])) == "Nas mit Olu feat. Dara")
  }

  @Test func idsGoToPartsWhereTheyAreAsMany() {
    let read = FileMetadata(
      ("ARTIST", "A feat. B"), ("MUSICBRAINZ_ARTISTID", "1"), ("MUSICBRAINZ_ARTISTID", "2"), ("ARTISTSORT", "S feat. T")
    )
    #expect(read.artists == [TaggedArtist(name: "A", sort: "S", id: "1"), TaggedArtist(name: "B", sort: "T", id: "2")])
    let other = FileMetadata(
      ("ARTIST", "A & B feat. C"), ("MUSICBRAINZ_ARTISTID", "1/2/3"), ("ARTISTSORT", "S"))
    #expect(other.artists == [TaggedArtist(name: "A & B"), TaggedArtist(name: "C")])
    let each = FileMetadata(
      ("ARTIST", "A & B"), ("ARTISTS", "A"), ("ARTISTS", "B"), ("MUSICBRAINZ_ARTISTID", "1/2"))
    #expect(each.artists.map(\.id) == ["1", "2"] && each.artists.allSatisfy(\.isWhole))
  }

  @Test(arguments: [
    ("Song (feat. B)", ["A", "B"]), ("Song [Ft. B; C] (Live)", ["A", "B", "C"]), ("Song feat. B", ["A"]),
    ("Song (feat. a)", ["A"]), ("Song (feature)", ["A"]), ("Song (feat. )", ["A"]), ("Song (with B)", ["A"]),
  ])
  func aFeaturedArtistInATitleIsCredited(_ title: String, _ expected: [String]) {
    #expect(names([("ARTIST", "A"), ("TITLE", title)]) == expected)
    #expect(FileMetadata(("TITLE", title)).title == title)
  }

  @Test func othersRolesAreSplitAtListsOnly() {
    let read = FileMetadata(("COMPOSER", "A; B / C feat. D"), ("COMPOSER", "a"), ("PERFORMER", "E (cello); F"))
    #expect(read.people.map(\.artist.name) == ["A", "B", "C feat. D", "E (cello)", "F"])
  }

  @Test func keptNamesCountAlsoBesideSeparatorsThatShareABlank() {
    let rules = TagRules.default.keeping(["A / / B", "Sly feat"])
    #expect(names([("ARTIST", "X / / A / / B / / Y")], rules) == ["X", "A / / B", "Y"])
    #expect(names([("ARTIST", "Sly feat / Bo")], rules) == ["Sly feat", "Bo"])
  }

  @Test func aValueOfThousandsOfSeparatorsIsOneName() {
    let value = String(repeating: ";", count: 20_000)
    #expect(TagRules.default.artists.split(value) == [value])
  }

  @Test func rulesReachTheReadersAsArguments() {
    for rules in [
      TagRules.default, TagRules(artistSeparators: [" & ", "|"], genreSeparators: ["、"], keptNames: ["A & B"]),
    ] {
      var arguments = (rules.arguments + ["--encodings", "CP1251"])[...]
      let read = TagRules.rules(&arguments)
      #expect(arguments == ["--encodings", "CP1251"])
      for value in ["A & B & C|D", "A; B", "x、y, z"] {
        #expect(read?.artists.split(value) == rules.artists.split(value))
        #expect(read?.genres.split(value) == rules.genres.split(value))
      }
    }
    var incomplete = ["--rules", "a"][...]
    #expect(TagRules.rules(&incomplete) == nil)
  }

  @Test func listsAndKeptNamesCanBeOthers() {
    let rules = TagRules(artistSeparators: [" & ", " x "], genreSeparators: ["|"], keptNames: ["Simon & Garfunkel"])
    let tags = FileTags(("ARTIST", "Simon & Garfunkel & A X B; C"), ("GENRE", "a|b, c"))
    let read = FileMetadata(tags, folder: [], name: [], rules)
    #expect(read.artists.map(\.name) == ["Simon & Garfunkel", "A", "B; C"] && read.genres == ["a", "b, c"])
  }
}

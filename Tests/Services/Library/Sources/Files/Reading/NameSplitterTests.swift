import Testing

@testable import lunara_library

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

  @Test func listsAndKeptNamesCanBeOthers() {
    let rules = TagRules(artistSeparators: [" & ", " x "], genreSeparators: ["|"], keptNames: ["Simon & Garfunkel"])
    let tags = FileTags(("ARTIST", "Simon & Garfunkel & A X B; C"), ("GENRE", "a|b, c"))
    let read = FileMetadata(tags, folder: [], name: [], rules)
    #expect(read.artists.map(\.name) == ["Simon & Garfunkel", "A", "B; C"] && read.genres == ["a", "b, c"])
  }
}

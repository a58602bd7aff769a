import Testing

@testable import Catalogue

struct FolderNamesTests {
  private func guesses(_ folder: String, _ names: [String], disc: String? = nil) -> [FolderNames.Guess] {
    let album = Array("/m/\(folder)".utf8)
    let holder = Array("/m/\(folder)\(disc.map { "/\($0)" } ?? "")".utf8)
    return FolderNames.guesses(
      for: names.map { FolderNames.File(folder: holder, name: Array("\($0).flac".utf8)) }, in: album,
      roots: [Array("/m".utf8)])
  }

  @Test(
    arguments: [
      ("Joni Mitchell/Blue", "Joni Mitchell", "Blue", nil),
      ("Joni Mitchell/Blue (1971)", "Joni Mitchell", "Blue", 1971),
      ("Joni Mitchell/[1971] Blue", "Joni Mitchell", "Blue", 1971),
      ("Joni Mitchell/(1971) Blue", "Joni Mitchell", "Blue", 1971),
      ("Joni Mitchell/1971 - Blue", "Joni Mitchell", "Blue", 1971),
      ("Joni Mitchell/1971 - Blue [FLAC]", "Joni Mitchell", "Blue", 1971),
      ("Joni Mitchell/Joni Mitchell - Blue", "Joni Mitchell", "Blue", nil),
      ("Joni Mitchell/joni mitchell - 1971 - Blue", "Joni Mitchell", "Blue", 1971),
      ("Joni Mitchell - Blue", "Joni Mitchell", "Blue", nil),
      ("Joni Mitchell - Blue [1971] (FLAC)", "Joni Mitchell", "Blue", 1971),
      ("Joni Mitchell - Blue (1971) [24bit FLAC]", "Joni Mitchell", "Blue", 1971),
      ("Joni Mitchell - 1971 - Blue", "Joni Mitchell", "Blue", 1971),
      ("Joni_Mitchell_-_Blue_(1971)", "Joni Mitchell", "Blue", 1971),
      ("Moby/Play - The B Sides", "Moby", "Play - The B Sides", nil),
      ("Nas/Illmatic (Deluxe Edition)", "Nas", "Illmatic (Deluxe Edition)", nil),
      ("Nas/Illmatic (Live) (1994)", "Nas", "Illmatic (Live)", 1994),
      ("Joni_Mitchell-Blue-1971", "Joni Mitchell", "Blue", 1971),
      ("Joni_Mitchell-Blue-(CD)-FLAC-1971-GRP", "Joni Mitchell", "Blue", 1971),
      ("Van Halen/1984", nil, nil, nil), ("Prince/1999 (1982)", nil, nil, nil),
      ("Abba/Gold - 1992", "Abba", "Gold - 1992", nil),
      ("Rock/Nevermind", nil, "Nevermind", nil), ("Various Artists/Big Hits", nil, "Big Hits", nil),
      ("VA - Big Hits (2001)", nil, "Big Hits", 2001), ("1990s/Nevermind", nil, "Nevermind", nil),
      ("B/Blur/Parklife", "Blur", "Parklife", nil), ("B/Parklife", nil, "Parklife", nil),
      ("Jay-Z/Reasonable Doubt", "Jay-Z", "Reasonable Doubt", nil), ("A-ha-Live", nil, "A-ha-Live", nil),
      ("Various", nil, nil, nil), ("Music", nil, nil, nil), ("Nas/Unsorted", nil, nil, nil),
      ("Nas/Singles", nil, nil, nil),
      ("MP3", nil, nil, nil), ("1971", nil, nil, nil),
    ] as [(String, String?, String?, Int?)])
  func foldersNameArtistAlbumAndYear(_ folder: String, _ artist: String?, _ album: String?, _ year: Int?) {
    let guess = guesses(folder, ["01 - Carey"])[0]
    #expect(guess.artist == artist && guess.album == album && guess.year == year, "\(guess)")
    #expect(guess.title == "Carey" && guess.number == 1)
  }

  @Test(
    arguments: [
      (["01 - Nas - Life", "02 - Nas - Love"], ["Nas", "Nas"], ["Life", "Love"]),
      (["Nas - Life", "Moby - Play"], ["Nas", "Moby"], ["Life", "Play"]),
      (["01. Nas - Life", "02. Moby - Play"], ["Nas", "Moby"], ["Life", "Play"]),
      (["01_-_Nas_-_Life", "02_-_Moby_-_Play"], ["Nas", "Moby"], ["Life", "Play"]),
      (["01. Life", "02. Moby - Play"], [nil, nil], ["Life", "Moby - Play"]),
      (["Life - Nas", "Love - Nas"], [nil, nil], ["Life - Nas", "Love - Nas"]),
      (["Nas - Life"], [nil], ["Nas - Life"]),
      (["01 - Nas - Life", "bare"], ["Nas", nil], ["Life", "bare"]),
      (
        ["01 - Nas - Life", "02 - Moby - Play", "a - b", "c"], ["Nas", "Moby", nil, nil],
        ["Life", "Play", "a - b", "c"]
      ),
      (["a - b - c", "d - e"], [nil, nil], ["a - b - c", "d - e"]),
    ] as [([String], [String?], [String])])
  func artistsOfFilesCountOnlyWhereAllWithANumberOrAllWithoutAgree(
    _ names: [String], _ artists: [String?], _ titles: [String]
  ) {
    let found = guesses("Various", names)
    #expect(found.map(\.artist) == artists && found.map(\.title) == titles && found.allSatisfy { $0.album == nil })
  }

  @Test(
    arguments: [
      ("01 - Nas - Life", nil, [], "Nas", "Life", 1), ("Nas - Life", nil, [], "Nas", "Life", nil),
      ("01 - Nas - Life", "life", [], "Nas", "Life", 1), ("01 - Nas - Life", "Other", [], nil, "Nas - Life", 1),
      ("01 - Nas - Life", nil, ["NAS"], nil, "Life", 1), ("01 - Nas - Life", nil, ["Moby"], nil, "Nas - Life", 1),
      ("Various - Life", nil, [], nil, "Various - Life", nil), ("a - b - c", nil, [], nil, "a - b - c", nil),
      ("03 Life", nil, [], nil, "Life", 3), ("Life", nil, [], nil, "Life", nil),
    ] as [(String, String?, [String], String?, String, Int?)])
  func filesWithSomeTagsGetWhatTheseLack(
    _ name: String, _ tag: String?, _ artists: [String], _ artist: String?, _ title: String, _ number: Int?
  ) {
    let guess = FolderNames.guess(for: Array("\(name).flac".utf8), title: tag, artists: artists)
    #expect(guess == FolderNames.Guess(title: title, artist: artist, number: number))
  }

  @Test func withAnArtistAboveOnlyThatArtistIsTakenOffTheTitle() {
    let own = guesses("Nas/Illmatic", ["01 - Nas - Life", "02 - NAS - Love - Part 2"])
    #expect(own.map(\.title) == ["Life", "Love - Part 2"] && own.allSatisfy { $0.artist == "Nas" })
    let works = guesses("Beethoven/Symphonies", ["01 - Symphony 1 - Adagio", "02 - Symphony 2 - Largo"])
    #expect(works.map(\.title) == ["Symphony 1 - Adagio", "Symphony 2 - Largo"])
    #expect(works.allSatisfy { $0.artist == "Beethoven" })
  }

  @Test func placesAreReadWhereAllFilesHaveThem() {
    let discs = guesses("Nas/Illmatic", ["1-01 Life", "2-03 Love"])
    #expect(discs.map(\.disc) == [1, 2] && discs.map(\.number) == [1, 3] && discs.map(\.title) == ["Life", "Love"])
    let sides = guesses("Nas/Illmatic", ["A1 Life", "B2. Love"])
    #expect(sides.map(\.side) == ["A1", "B2"] && sides.map(\.title) == ["Life", "Love"])
    let mixed = guesses("Nas/Illmatic", ["A1 Life", "Love"])
    #expect(mixed.map(\.side) == [nil, nil] && mixed.map(\.title) == ["A1 Life", "Love"])
    #expect(guesses("Nas/Illmatic", ["1-01 Life", "Love"]).map(\.title) == ["1-01 Life", "Love"])
  }

  @Test func foldersOfDiscsNameTheDisc() {
    let guess = guesses("Nas/Illmatic", ["01 Life"], disc: "Disc 2 - Live")[0]
    #expect(guess.disc == 2 && guess.album == "Illmatic" && guess.artist == "Nas")
    #expect(guesses("Nas/Illmatic", ["01 Life"], disc: "Bonus")[0].disc == nil)
  }

  @Test func theMusicFolderAndWhatIsOutsideNameNothing() {
    for folder in ["/m/Nas - Illmatic", "/elsewhere/Nas/Illmatic"] {
      let guess = FolderNames.guesses(
        for: [FolderNames.File(folder: Array(folder.utf8), name: Array("01 Life.flac".utf8))], in: Array(folder.utf8),
        roots: [Array("/m/Nas - Illmatic".utf8)])
      #expect(guess == [FolderNames.Guess(title: "Life", number: 1)])
    }
  }

  @Test(arguments: ["", " - ", "-", "---", "()", "[1999]", "A1", "1-01", " - - ", "(((", "1999 - ", "\u{FFFD}_-_"])
  func oddNamesDoNoHarm(_ name: String) {
    #expect(guesses("Nas/\(name)x", [name, name]).count == 2)
    #expect(guesses("\(name)/\(name)", [name]).count == 1)
  }
}

import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue
@testable import People

/// Editions of albums in music folders, and what their tags say about the release.
@Suite(.timeLimit(.minutes(2)))
struct EditionsTests {
  private let blue = ["ALBUM=Blue", "ALBUMARTIST=Joni"]

  private func page(_ id: AlbumID, _ catalogue: TestCatalogue) async throws -> Library.AlbumPage {
    try await catalogue.database.read { try Catalogue.album(.init(id: id), $0) }
  }

  private func editions(_ catalogue: TestCatalogue) async throws -> [Album] {
    let request = Library.ListAlbums(limit: 200, sort: .added, editions: true)
    return try await catalogue.database.read { try Catalogue.albums(request, randomSeed: 1, $0).items }
      .sorted { $0.id.native < $1.id.native }
  }

  private func prefer(_ id: AlbumID, _ catalogue: TestCatalogue) async throws {
    let handler = RatingRequestHandler(
      database: catalogue.database, kinds: .folders, publisher: .to(nil), now: { Timestamp(seconds: 7) }
    ) {
      _, _, _ in
    }
    try await handler.prefer(.init(id: id))
  }

  private func expectConsistent(_ catalogue: TestCatalogue, _ place: SourceLocation = #_sourceLocation) async throws {
    try await catalogue.expectWholeIndex(place)
    try await catalogue.expectSameFromScratch(place)
  }

  @Test func theShelfIsByTheOriginalYear() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue + ["DATE=2007-05", "ORIGINALDATE=1971-06-22"])
    try catalogue.tree.album("court", ["ALBUM=Court", "ALBUMARTIST=Joni", "DATE=1974"])
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums(.year).map(\.title) == ["Court", "Blue"])
    let album = try await catalogue.album("Blue")
    #expect(album.year == 1971 && album.date?.description == "2007-05")
    #expect(album.originalDate?.description == "1971-06-22")
    #expect(try await catalogue.album("Court").originalDate == nil)
    #expect(try await catalogue.tracks(of: album).map(\.year) == [1971, 1971, 1971])
    // Another date in the tags is another date of the album, which keeps its id.
    try catalogue.tree.album("blue", blue + ["DATE=2007-05", "ORIGINALDATE=1970"])
    try await catalogue.refresh()
    let redated = try await catalogue.album("Blue")
    #expect(redated.year == 1970 && redated.id == album.id)
  }

  @Test func oneEditionOfAGroupIsListedAndAllArePlayed() async throws {
    let catalogue = try TestCatalogue()
    let original = ["ORIGINALDATE=1971", "MUSICBRAINZ_RELEASEGROUPID=\(TestID.musicBrainz("g"))"]
    try catalogue.tree.album("a", ["ALBUM=Blue (Deluxe Edition)", "ALBUMARTIST=Joni", "DATE=2007"] + original)
    try catalogue.tree.album("b", blue + ["DATE=1971"] + original)
    try catalogue.tree.album("c", ["ALBUM=Hejira", "ALBUMARTIST=Joni", "DATE=1976"])
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.title) == ["Blue", "Hejira"])
    #expect(try await catalogue.state().albums == 2)
    #expect(try await catalogue.artists().map(\.albumCount) == [2])
    let all = try await editions(catalogue)
    #expect(all.map(\.title) == ["Blue (Deluxe Edition)", "Blue", "Hejira"])
    #expect(all.map(\.edition) == ["Deluxe Edition", nil, nil] && all.map(\.editionCount) == [2, 2, nil])
    #expect(try await catalogue.search("deluxe").albums.map(\.id) == [all[0].id])
    let page = try await page(all[0].id, catalogue)
    #expect(page.tracks.count == 3 && page.editions?.map(\.id) == [all[1].id])
    #expect(page.listedEdition == all[1].id)
    #expect(try await self.page(all[2].id, catalogue).listedEdition == nil)
    // Everything plays one edition of each; an edition plays by its id.
    let ids = [Catalogue.everything, all[0].id.playable]
    for (id, count) in zip(ids, [6, 3]) {
      let playable = try await catalogue.database.read { try Catalogue.playable(.init(ids: [id]), host: "h", $0) }
      #expect(playable.tracks.count == count)
    }
  }

  @Test func windowsAndMarksHoldTheListedEditionWithTheNumberOfAll() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("a", blue + ["DATE=1971"])
    try catalogue.tree.album("b", ["ALBUM=Blue (Remaster)", "ALBUMARTIST=Joni", "DATE=2007", "ORIGINALDATE=1971"])
    try catalogue.tree.album("c", ["ALBUM=Hejira", "ALBUMARTIST=Joni", "DATE=1976"])
    try await catalogue.refresh()
    let all = try await editions(catalogue)
    for listed in [all[0], all[1]] {
      try await prefer(listed.id, catalogue)
      for sort in [Library.Sort.name, .year, .added] {
        let (window, index) = try await catalogue.database.read { transaction in
          (
            try Catalogue.window(.init(sort: sort, first: 0, limit: 10), randomSeed: 1, transaction),
            try Catalogue.index(.init(sort: sort), transaction)
          )
        }
        #expect(window.total == 2 && index.total == 2 && index.marks.map(\.count).reduce(0, +) == 2)
        #expect(Set(window.items.map(\.id)) == [listed.id, all[2].id])
        #expect(window.items.first { $0.id == listed.id }?.editionCount == 2)
      }
      for edition in all.prefix(2) {
        let page = try await page(edition.id, catalogue)
        #expect(
          page.listedEdition == listed.id
            && page.editions?.map(\.id) == all.prefix(2).map(\.id).filter { $0 != edition.id })
      }
    }
  }

  @Test func aChosenEditionStays() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("a", blue + ["DATE=1971"])
    try catalogue.tree.album("b", ["ALBUM=Blue (Remaster)", "ALBUMARTIST=Joni", "DATE=2007", "ORIGINALDATE=1971"])
    try await catalogue.refresh()
    let (first, second) = (try await editions(catalogue)[0].id, try await editions(catalogue)[1].id)
    #expect(try await catalogue.albums().map(\.id) == [first])
    try await prefer(second, catalogue)
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.id) == [second])
    // The choice holds when the editions get the id of their release group, and when the other one changes.
    for folder in ["a", "b"] {
      let album = folder == "a" ? blue + ["DATE=1971"] : ["ALBUM=Blue (Remaster)", "ALBUMARTIST=Joni", "DATE=2007"]
      try catalogue.tree.album(
        folder, album + ["ORIGINALDATE=1971", "MUSICBRAINZ_RELEASEGROUPID=\(TestID.musicBrainz("g"))"], tracks: 2)
      try await catalogue.refresh()
      try await expectConsistent(catalogue)
      #expect(try await catalogue.albums().map(\.id) == [second], "\(folder)")
    }
    try await prefer(first, catalogue)
    #expect(try await catalogue.albums().map(\.id) == [first])
    // The preferred edition goes: the other one is listed.
    try catalogue.tree.remove("a")
    try await catalogue.refresh(accepting: true)
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.id) == [second])
    await #expect { try await prefer(second, catalogue) } throws: { LunaraError($0).code == "library.onlyEdition" }
  }

  @Test func differentReleaseIDsAreEditions() async throws {
    let catalogue = try TestCatalogue()
    for (folder, release) in [("a", TestID.musicBrainz("r1")), ("b", TestID.musicBrainz("r2"))] {
      for number in 1...2 {
        let tags = ["TITLE=Song \(number)", "TRACKNUMBER=\(number)", "DATE=1971", "MUSICBRAINZ_ALBUMID=\(release)"]
        try catalogue.tree.flac("\(folder)/\(number).flac", blue + tags)
      }
    }
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.editionCount) == [2])
    #expect(try await editions(catalogue).map(\.trackCount) == [2, 2])
    // Nothing but the folder tells them apart.
    #expect(try await editions(catalogue).map { $0.folder?.last } == ["a", "b"])
  }

  @Test(arguments: [
    ["MUSICBRAINZ_ALBUMID=\(TestID.musicBrainz("b"))"], ["MUSICBRAINZ_ALBUMID=0"], ["DATE=1999"],
    ["ALBUM=Well\u{2026} Blue", "ALBUMARTIST=Joni\u{A0}M"], ["ALBUM=Ｗell... Blue"],
  ])
  func aStrayTagTakesNoTrackFromItsAlbum(_ stray: [String]) async throws {
    let catalogue = try TestCatalogue()
    for number in 1...10 {
      var tags = ["ALBUM=Well... Blue", "ALBUMARTIST=Joni M", "DATE=1971", "TRACKNUMBER=\(number)/10"]
      tags.append("MUSICBRAINZ_ALBUMID=\(TestID.musicBrainz("a"))")
      if number == 1 {
        let names = Set(stray.map { $0.prefix { $0 != "=" } })
        tags = tags.filter { tag in !names.contains(tag.prefix { $0 != "=" }) } + stray
      }
      try catalogue.tree.flac("blue/\(number).flac", tags + ["TITLE=Song \(number)"])
    }
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    let albums = try await catalogue.albums()
    #expect(albums.map(\.trackCount) == [10] && albums.map(\.editionCount) == [nil])
    #expect(albums.map(\.title) == ["Well... Blue"] && albums.map(\.artist) == ["Joni M"])
  }

  @Test func partsOfOneAlbumAreNoEditionsOfEachOther() async throws {
    let catalogue = try TestCatalogue()
    func write(_ path: String, _ title: String, _ disc: Int, _ release: String, of group: String) throws {
      let ids = [
        "MUSICBRAINZ_RELEASEGROUPID=\(TestID.musicBrainz(group))",
        "MUSICBRAINZ_ALBUMID=\(TestID.musicBrainz(release))",
      ]
      for number in 1...3 {
        try catalogue.tree.flac(
          "\(path)\(number).flac",
          ids + ["ALBUM=\(title)", "ALBUMARTIST=Joni", "DATE=1971", "DISCNUMBER=\(disc)", "TRACKNUMBER=\(number)"])
      }
    }
    // Discs with names of their own, two of them in one folder.
    try write("set/1-", "Dawn", 1, "a", of: "g")
    try write("set/2-", "Dusk", 2, "a", of: "g")
    try write("bonus/", "Night", 3, "a", of: "g")
    // Two releases in one folder that take the same places.
    try write("other/1-", "Day", 1, "b", of: "h")
    try write("other/2-", "Day", 1, "c", of: "h")
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.title) == ["Dawn", "Day", "Day", "Dusk", "Night"])
    #expect(try await catalogue.albums().map(\.editionCount) == [nil, nil, nil, nil, nil])
    // A copy of two parts in one is an edition of the first.
    try write("all/1-", "Dawn (Deluxe)", 1, "d", of: "g")
    try write("all/2-", "Dawn (Deluxe)", 2, "d", of: "g")
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.title) == ["Dawn (Deluxe)", "Day", "Day", "Dusk", "Night"])
    try catalogue.tree.remove("all")
    try await catalogue.refresh(accepting: true)
    try await expectConsistent(catalogue)
    #expect(try await catalogue.albums().map(\.title) == ["Dawn", "Day", "Day", "Dusk", "Night"])
  }

  @Test func anEditionWithMoreTracksIsListedEvenWithAGap() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("a", blue + ["DATE=1971"], tracks: 1)
    for number in [1, 2, 4] {
      try catalogue.tree.flac(
        "b/\(number).flac",
        ["ALBUM=Blue (Remaster)", "ALBUMARTIST=Joni", "DATE=2007", "ORIGINALDATE=1971", "TRACKNUMBER=\(number)"])
    }
    try await catalogue.refresh()
    #expect(try await catalogue.albums().map(\.title) == ["Blue (Remaster)"])
  }

  @Test func factsTypesAndDiscsComeFromTheTags() async throws {
    let catalogue = try TestCatalogue()
    let release = [
      "DATE=1971", "LABEL=Reprise", "CATALOGNUMBER=MS 2038", "RELEASECOUNTRY=US", "MEDIA=CD", "BARCODE=0075992719926",
      "RELEASESTATUS=Official", "RELEASETYPE=album", "RELEASETYPE=live", "EDITION=Club issue",
    ]
    for disc in 1...2 {
      for number in disc...3 {
        let title = disc == 2 ? ["DISCSUBTITLE=The Live Tracks"] : []
        try catalogue.tree.flac(
          "blue/CD\(disc)/\(number).flac",
          blue + release + title + ["TITLE=\(disc).\(number)", "TRACKNUMBER=\(number)/4", "DISCNUMBER=\(disc)/2"])
      }
    }
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    let album = try await catalogue.album("Blue")
    #expect(album.types == [.album, .live] && album.edition == "Club issue" && album.quality == "FLAC 16/44.1")
    let page = try await page(album.id, catalogue)
    #expect(
      page.facts
        == AlbumFacts(
          labels: ["Reprise"], catalogueNumbers: ["MS 2038"], country: "US", media: "CD", barcode: "0075992719926",
          status: "official"))
    #expect(
      page.discs == [
        AlbumDisc(disc: 1, total: 4, missing: [4]),
        AlbumDisc(disc: 2, title: "The Live Tracks", total: 4, missing: [1, 4]),
      ])
    // An album without tags of its release has nothing to tell.
    try catalogue.tree.album("plain", ["ALBUM=Plain", "ARTIST=A"])
    try await catalogue.refresh()
    let plain = try await self.page(catalogue.album("Plain").id, catalogue)
    #expect(plain.facts == nil && plain.discs == nil && plain.editions == nil && plain.album.types == nil)
  }

  @Test func discsThatAreNotHereAreGaps() async throws {
    let catalogue = try TestCatalogue()
    func write(_ disc: String) throws {
      try catalogue.tree.flac(
        "blue/\(disc.prefix(1)).flac", blue + ["TITLE=\(disc)", "TRACKNUMBER=1", "DISCNUMBER=\(disc)"])
    }
    func absent() async throws -> [Int] {
      try await catalogue.refresh()
      return try await page(catalogue.album("Blue").id, catalogue).discs?.filter { $0.isAbsent == true }.map(\.disc)
        ?? []
    }
    try write("1/4")
    // One of four is a choice, and no gap.
    #expect(try await absent() == [])
    try write("3/4")
    #expect(try await absent() == [2, 4])
    try write("2/4")
    #expect(try await absent() == [4])
    try write("4/4")
    #expect(try await absent() == [])
  }

  @Test(
    arguments: [
      ([1, 3], nil, [2]), ([2], nil, []), ([2, 3], nil, []), ([1], 2, [2]), ([2], 2, [1]), ([1, 2, 3], 2, []),
      ([1], 3, []), ([], 3, []), ([0, 2], 2, []), ([1, 900], nil, []),
    ] as [(Set<Int>, Int?, [Int])])
  func onlyDiscsThatMustExistAreMissed(_ there: Set<Int>, _ total: Int?, _ absent: [Int]) {
    #expect(Catalogue.absentDiscs(among: there, total: total) == absent)
  }

  @Test func sidesOfARecordAreCountedOnAndPairWithACopy() async throws {
    let catalogue = try TestCatalogue()
    for (index, side) in ["A1", "A2", "B1"].enumerated() {
      try catalogue.tree.flac(
        "vinyl/\(side).flac", blue + ["TITLE=Song \(index + 1)", "TRACKNUMBER=\(side)"],
        quality: .init(sampleRate: 96_000, bitDepth: 24))
      try catalogue.tree.flac("cd/\(index).flac", blue + ["TITLE=Song \(index + 1)", "TRACKNUMBER=\(index + 1)"])
    }
    try await catalogue.refresh()
    try await expectConsistent(catalogue)
    let album = try await catalogue.album("Blue")
    let tracks = try await catalogue.tracks(of: album)
    #expect(tracks.map(\.numberText) == ["A1", "A2", "B1"] && tracks.map(\.number) == [1, 2, 3])
    #expect(album.quality == "FLAC 24/96")
    // A track of the first side comes: the others count on.
    try catalogue.tree.flac("vinyl/A0.flac", blue + ["TITLE=Intro", "TRACKNUMBER=A0"])
    try catalogue.tree.remove("cd")
    try await catalogue.refresh(accepting: true)
    #expect(try await catalogue.tracks(of: album).map(\.number) == [1, 2, 3, 4])
    #expect(try await catalogue.tracks(of: album).map(\.title) == ["Intro", "Song 1", "Song 2", "Song 3"])
  }
}

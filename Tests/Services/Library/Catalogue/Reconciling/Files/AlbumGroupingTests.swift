import Model
import MusicTags
import Testing

@testable import Catalogue
@testable import Records

struct AlbumGroupingTests {
  private let folder = Array("/music/Some Folder".utf8)

  private func file(
    _ album: String?, by albumArtist: String? = nil, artist: String? = "Someone", year: Int? = nil, number: Int = 1,
    disc: Int = 1, _ change: (inout FileTags) -> Void = { _ in }
  ) -> FileMetadata {
    var tags = FileTags()
    tags.albumName.title = album
    tags.albumArtists.shown = [albumArtist].compactMap(\.self)
    tags.artists.shown = [artist].compactMap(\.self)
    tags.dates.date = year.map(String.init)
    (tags.place.number, tags.place.disc) = (number, disc)
    tags.title.title = "T\(number)"
    change(&tags)
    return FileMetadata(tags, folder: folder, name: Array("\(number).flac".utf8), .default)
  }

  private func albums(_ files: [FileMetadata], in folder: String = "/music/Some Folder") -> [AlbumGrouping.Album] {
    AlbumGrouping.albums(of: files, in: Array(folder.utf8))
  }

  @Test func oneAlbumArtistAndTitleMakeOneAlbum() {
    let found = albums([file("Blue", by: "Joni", year: 1971), file("BLUE", by: "joni", year: 1971, number: 2)])
    #expect(found.count == 1)
    #expect(found[0].title == "Blue" && found[0].artist == "Joni" && found[0].year == 1971)
    #expect(found[0].mergeKey == "joni|blue|1971")
    #expect(found[0].members == [0, 1])
  }

  @Test func withoutAnAlbumArtistOneArtistOwnsTheAlbum() {
    let found = albums([
      file("Illmatic", artist: "Nas"),
      file("Illmatic", artist: "Nas feat. AZ", number: 2),
    ])
    #expect(found.map(\.artist) == ["Nas"])
    #expect(found[0].mergeKey == "nas|illmatic|")
  }

  @Test func withoutAnAlbumArtistSeveralMakeACompilationOfTheFolder() {
    let files = [file("Hits", artist: "A"), file("Hits", artist: "B", number: 2)]
    let here = albums(files)
    let there = albums(files, in: "/music/Other Folder")
    #expect(here.map(\.artist) == ["Various Artists"])
    #expect(here[0].mergeKey != there[0].mergeKey)
  }

  @Test func theMarkOfACompilationCounts() {
    let files = [file("Hits", artist: "A") { $0.albumName.isCompilation = true }]
    #expect(albums(files).map(\.artist) == ["Various Artists"])
    #expect(albums(files)[0].mergeKey == albums(files, in: "/elsewhere")[0].mergeKey)
  }

  @Test func anAlbumInTwoFormatsIsTwoOfOneKey() {
    let found = albums([
      file("Blue", by: "Joni") { $0.audio.properties.codec = "flac" },
      file("Blue", by: "Joni") { $0.audio.properties.codec = "mp3" },
      file("Blue", by: "Joni", number: 2) { $0.audio.properties.codec = "flac" },
    ])
    #expect(found.map(\.members) == [[0, 2], [1]])
    #expect(Set(found.map(\.mergeKey)).count == 1 && Set(found.map(\.key)).count == 2)
    // Without a place that is taken twice, it is an album of two formats.
    let mixed = albums([
      file("Blue", by: "Joni") { $0.audio.properties.codec = "flac" },
      file("Blue", by: "Joni", number: 2) { $0.audio.properties.codec = "mp3" },
    ])
    #expect(mixed.map(\.members) == [[0, 1]])
  }

  @Test func aHigherResolutionInTheSameFolderIsACopy() {
    let found = albums([
      file("Blue", by: "Joni") { $0.audio.properties = .init(codec: "flac", sampleRate: 44_100, bitDepth: 16) },
      file("Blue", by: "Joni") { $0.audio.properties = .init(codec: "flac", sampleRate: 96_000, bitDepth: 24) },
    ])
    #expect(found.map(\.members) == [[0], [1]])
  }

  @Test func releasesOfOneYearInOneFolderHaveRowsOfTheirOwn() {
    let found = albums([
      file("Blue", by: "Joni", year: 1971) { $0.albumName.releaseID = "a" },
      file("Blue", by: "Joni", year: 1971) { $0.albumName.releaseID = "b" },
    ])
    #expect(Set(found.map(\.key)).count == 2 && Set(found.map(\.mergeKey)).count == 1)
  }

  @Test func aNamedVariousArtistsAlbumIsTheSameInEveryFolder() {
    let files = [file("Hits", by: "Various Artists", artist: "A", year: 1)]
    let (here, there) = (albums(files)[0], albums(files, in: "/elsewhere")[0])
    #expect(here.mergeKey == there.mergeKey && here.key != there.key)
  }

  @Test func aFileThatForgetsTheAlbumArtistIsStillPartOfTheAlbum() {
    let found = albums([file("Blue", by: "Joni"), file("Blue", artist: "Guest", number: 2)])
    #expect(found.count == 1 && found[0].artist == "Joni" && found[0].members == [0, 1])
  }

  @Test func filesWithoutAnAlbumGoByTheFolder() {
    let found = albums([file(nil, artist: nil), file(nil, artist: nil, number: 2)])
    #expect(found.map(\.title) == ["Some Folder"])
    #expect(found.map(\.artist) == ["Unknown Artist"])
    let other = albums([file(nil, artist: nil)], in: "/elsewhere/Some Folder")
    #expect(found[0].mergeKey != other[0].mergeKey)
  }

  @Test func looseFilesByOneArtistAreThatArtists() {
    #expect(albums([file(nil, artist: "Björk"), file(nil, artist: "björk", number: 2)]).map(\.artist) == ["Björk"])
  }

  @Test func twoAlbumsInAFolderAreTwo() {
    let found = albums([file("One", by: "A"), file("Two", by: "A"), file("One", by: "A", number: 2)])
    #expect(found.map(\.title) == ["One", "Two"])
    #expect(found.map(\.members) == [[0, 2], [1]])
  }

  @Test func theYearIsTheMostCommonThenTheLatest() {
    let most = [1970, 1970, 1999].enumerated().map { file("X", by: "A", year: $1, number: $0 + 1) }
    #expect(albums(most).map(\.year) == [1970])
    let latest = [1961, 1973].enumerated().map { file("X", by: "A", year: $1, number: $0 + 1) }
    #expect(albums(latest).map(\.year) == [1973])
  }

  @Test func twoReleasesOfOneNameAreTwoWhereTheirPlacesCollide() {
    let found = albums([file("Weezer", by: "Weezer", year: 1994), file("Weezer", by: "Weezer", year: 2001)])
    #expect(found.map(\.year) == [1994, 2001])
  }

  @Test func musicBrainzReleasesAreToldApart() {
    let found = albums([
      file("Weezer", by: "Weezer", year: 1994) { $0.albumName.releaseID = "a" },
      file("Weezer", by: "Weezer", year: 1994, number: 2) { $0.albumName.releaseID = "a" },
      file("Weezer", by: "Weezer", year: 2001) { $0.albumName.releaseID = "b" },
    ])
    #expect(found.map(\.year) == [1994, 2001] && found.map(\.members) == [[0, 1], [2]])
  }

  @Test func aStrayReleaseOrYearMakesNoAlbumOfItsOwn() {
    let files = (1...4).map { number in
      file("Blue", by: "Joni", year: number == 2 ? 1999 : 1971, number: number) {
        $0.albumName.releaseID = number == 3 ? "b" : "a"
      }
    }
    #expect(albums(files).map(\.members) == [[0, 1, 2, 3]])
    #expect(albums(files).map(\.year) == [1971])
  }

  @Test func releasesThatCollideKeepTheirStrays() {
    let files = (1...3).map { number in
      file("Blue", by: "Joni", number: number) { $0.albumName.releaseID = number == 2 ? "c" : "a" }
    }
    let other = [1, 3].map { number in file("Blue", by: "Joni", number: number) { $0.albumName.releaseID = "b" } }
    let found = albums(files + other)
    // The stray fits both; the first of the largest gets it.
    #expect(found.map(\.members) == [[0, 1, 2], [3, 4]])
    #expect(Set(found.map(\.key)).count == 2)
  }

  @Test func aStrayReleaseTakesNoTrackFromTheFormatsOfAnAlbum() {
    let files = ["flac", "mp3"].flatMap { codec in
      (1...3).map { number in
        file("Blue", by: "Joni", year: codec == "mp3" && number == 3 ? 1999 : 1971, number: number) {
          $0.albumName.releaseID = codec == "mp3" && number == 2 ? "b" : "a"
          $0.audio.properties.codec = codec
        }
      }
    }
    #expect(albums(files).map(\.members) == [[0, 1, 2], [3, 4, 5]])
  }

  /// Names next to `Don't Go...` by `Tall Ship`: other spellings of the same names, and other names.
  private static let spellings: [(title: String, artist: String, isSame: Bool)] = [
    ("Don\u{2019}t Go\u{2026}", "Tall\u{A0}Ship", true), ("Don't  Go...", "Tall Ship\u{200B}", true),
    ("Ｄｏｎ＇ｔ Ｇｏ．．．", "Tall Ship", true), ("DON'T GO\u{2026}", "TALL SHIP", true),
    ("Don't Stop...", "Tall Ship", false), ("Don't Go... (Live)", "Tall Ship", false),
    ("Don't Go...", "Small Ship", false),
  ]

  @Test(arguments: spellings)
  func aFolderTellsSpellingsFromNames(_ stray: (title: String, artist: String, isSame: Bool)) {
    let files = [
      file(stray.title, by: stray.artist), file("Don't Go...", by: "Tall Ship", number: 2),
      file("Don't Go...", by: "Tall Ship", number: 3),
    ]
    let found = albums(files)
    #expect(found.map(\.members) == (stray.isSame ? [[0, 1, 2]] : [[0], [1, 2]]))
    if stray.isSame {
      #expect(found.map(\.title) == ["Don't Go..."] && found.map(\.artist) == ["Tall Ship"])
      #expect(found[0].mergeKey == "tall ship|don't go...|")
    }
    // Where a place is taken twice, they are two albums.
    let colliding = albums(files + [file(stray.title, by: stray.artist, number: 2)])
    #expect(colliding.count == 2)
  }

  private func release(_ id: String?, _ number: Int) -> FileMetadata {
    file("Blue", by: "Joni", number: number) { $0.albumName.releaseID = id }
  }

  @Test func aFlatFolderIsSplitIntoItsAlbums() {
    let folders: [(name: String, files: [FileMetadata], members: [[Int]])] = [
      (
        "the files of two albums alternate",
        [file("One", by: "A"), file("Two", by: "A"), file("One", by: "A", number: 2), file("Two", by: "A", number: 2)],
        [[0, 2], [1, 3]]
      ),
      (
        "two artists have an album of one title",
        [file("Hits", by: "A"), file("Hits", by: "B"), file("Hits", by: "A", number: 2)], [[0, 2], [1]]
      ),
      (
        "files that name no album artist come before the albums of their titles",
        [
          file("Two", number: 2), file("One", number: 2), file("Three", by: "C"), file("One", by: "A"),
          file("Two", by: "B"),
        ], [[2], [1, 3], [0, 4]]
      ),
      (
        "each of many albums has a file that names no album artist",
        (0..<20).map { file("Album \($0)", number: 2) } + (0..<20).map { file("Album \($0)", by: "A") },
        (0..<20).map { [$0, $0 + 20] }
      ),
      (
        "a title of two artists belongs to neither without an album artist",
        [file("Hits", by: "A"), file("Hits", by: "B"), file("Hits", number: 2)], [[0], [1], [2]]
      ),
      (
        "two spellings that name no album artist belong to one album",
        [file("Wait...", number: 2), file("Wait\u{2026}", number: 3), file("Wait...", by: "A")], [[0, 1, 2]]
      ),
      (
        "a compilation and loose files lie beside an album",
        [
          file("Hits", artist: "A"), file(nil, artist: "X"), file("One", by: "A"), file("Hits", artist: "B", number: 2),
          file(nil, artist: "Y", number: 2),
        ], [[0, 3], [1, 4], [2]]
      ),
      (
        "an album has two discs",
        [1, 2].flatMap { disc in [1, 2].map { file("One", by: "A", number: $0, disc: disc) } }, [[0, 1, 2, 3]]
      ),
      (
        "a stray release comes first and fits two others",
        [release("s", 5), release("a", 1), release("a", 2)] + (1...4).map { release("b", $0) },
        [[0, 3, 4, 5, 6], [1, 2]]
      ),
      (
        "files without a release belong to the first one",
        [release(nil, 1), release("a", 2), release(nil, 3), release("b", 1), release("b", 2), release("b", 3)],
        [[0, 1, 2], [3, 4, 5]]
      ),
    ]
    for folder in folders { #expect(albums(folder.files).map(\.members) == folder.members, "\(folder.name)") }
  }

  @Test func filesThatNothingTellsApartStayOneAlbum() {
    #expect(albums([file("Blue"), file("Blue"), file("Blue", number: 2)]).map(\.members) == [[0, 1, 2]])
  }

  @Test func namesOfPunctuationAreNames() {
    #expect(albums([file("+", by: "Ed"), file("=", by: "Ed", number: 2)]).map(\.title) == ["+", "="])
  }

  @Test func anArtistInTwoSpellingsIsNoCompilation() {
    let found = albums([file("Far", artist: "Tall Ship"), file("Far", artist: "Tall\u{A0}Ship", number: 2)])
    #expect(found.map(\.artist) == ["Tall Ship"])
  }

  @Test func discFoldersBelongToTheFolderAbove() {
    #expect(AlbumGrouping.albumFolder(of: Array("/m/Album/CD2".utf8)) == Array("/m/Album".utf8))
    #expect(AlbumGrouping.albumFolder(of: Array("/m/Album".utf8)) == Array("/m/Album".utf8))
  }

  @Test func sortNamesComeFromTheTags() {
    let tagged = albums([file("The Wall", by: "Pink Floyd") { $0.albumArtists.sort = ["Floyd, Pink"] }])
    #expect(tagged[0].artistSort == "floyd, pink" && tagged[0].titleSort == "wall")
  }
}

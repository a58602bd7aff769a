import Model
import MusicTags
import Testing

@testable import lunara_library

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
      file("Blue", by: "Joni", year: 1971, number: 2) { $0.albumName.releaseID = "b" },
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
      file("Weezer", by: "Weezer", year: 2001, number: 2) { $0.albumName.releaseID = "b" },
    ])
    #expect(found.map(\.year) == [1994, 2001])
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

import Glibc
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue

/// The effects of a rescan on the catalogue.
@Suite(.timeLimit(.minutes(2)))
struct ReconciliationTests {
  private let blue = ["ALBUM=Blue", "ARTIST=Joni Mitchell", "ALBUMARTIST=Joni Mitchell", "DATE=1971", "GENRE=Folk"]

  @Test func aRescanCountsWhatIsNewChangedUnchangedAndDeleted() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue, tracks: 4)
    #expect(try await catalogue.refresh() == [4, 0, 0, 0])
    #expect(try await catalogue.refresh() == [0, 0, 4, 0])
    try catalogue.tree.flac("blue/02.flac", blue + ["TITLE=Changed", "TRACKNUMBER=2"], seconds: 99)
    try catalogue.tree.flac("blue/05.flac", blue + ["TITLE=Fifth", "TRACKNUMBER=5"])
    try catalogue.tree.remove("blue/04.flac")
    #expect(try await catalogue.refresh() == [1, 1, 2, 1])
    let tracks = try await catalogue.tracks(of: catalogue.album("Blue"))
    #expect(tracks.map(\.title) == ["Song 1 of blue", "Changed", "Song 3 of blue", "Fifth"])
    #expect(try await catalogue.album("Blue").duration == Milliseconds(180_000 * 3 + 99_000))
    try await catalogue.expectWholeIndex()
  }

  @Test func anAlbumShowsWhatItsFilesSay() async throws {
    let catalogue = try TestCatalogue()
    let (recording, release, group) = (
      TestID.musicBrainz("rec"), TestID.musicBrainz("rel"), TestID.musicBrainz("group")
    )
    try catalogue.tree.flac(
      "x/1.flac", blue + ["TITLE=One", "TRACKNUMBER=1/2", "GENRE=folk", "GENRE=Rock"], seconds: 10)
    try catalogue.tree.flac(
      "x/2.flac",
      blue + [
        "TITLE=Two", "TRACKNUMBER=2/2", "DISCNUMBER=1/1", "MUSICBRAINZ_TRACKID=\(recording)",
        "MUSICBRAINZ_ALBUMID=\(release)",
        "MUSICBRAINZ_RELEASEGROUPID=\(group)", "MUSICBRAINZ_ARTISTID=one", "MUSICBRAINZ_ARTISTID=two",
        "ISRC=USRE17100017",
      ],
      seconds: 20)
    try await catalogue.refresh()
    let album = try await catalogue.album("Blue")
    #expect(album.id.description == "files:a1" && album.artistID?.description == "files:r1")
    #expect(album.artist == "Joni Mitchell" && album.year == 1971 && album.genres == ["Folk", "Rock"])
    #expect(album.trackCount == 2 && album.duration == Milliseconds(30_000) && album.art == nil)
    #expect(album.addedAt < Timestamp(seconds: 1_800_000_000) && album.lastPlayedAt == nil)
    let tracks = try await catalogue.tracks(of: album)
    #expect(tracks.map(\.id.description) == ["files:t1", "files:t2"])
    #expect(tracks.map(\.number) == [1, 2] && tracks.map(\.disc) == [1, 1])
    #expect(tracks[1].recordingID == recording && tracks[1].releaseID == release && tracks[1].releaseGroupID == group)
    #expect(tracks[1].artistIDs == ["one", "two"] && tracks[1].isrc == "USRE17100017")
    #expect(tracks[0].artistIDs == nil && tracks[0].isrc == nil && tracks[0].releaseGroupID == nil)
    #expect(tracks[1].album == "Blue" && tracks[1].albumArtist == "Joni Mitchell" && tracks[1].year == 1971)
    #expect(try await catalogue.artists().map(\.name) == ["Joni Mitchell"])
    #expect(try await catalogue.artists().map(\.albumCount) == [1])
  }

  @Test func aMovedFileKeepsItsNumberAndItsPlays() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue)
    try await catalogue.refresh()
    let before = try await catalogue.tracks()
    try catalogue.tree.move("blue/02.flac", to: "elsewhere/renamed.flac")
    #expect(try await catalogue.refresh() == [0, 1, 2, 0])
    let after = try await catalogue.tracks()
    #expect(after == before)
    let path = try await catalogue.database.read { try Catalogue.path(of: before[1].id, $0) }
    #expect(path.bytes == catalogue.tree.path("elsewhere/renamed.flac"))
    try await catalogue.expectWholeIndex()
  }

  @Test func aWholeFolderThatMovesKeepsItsAlbum() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...8 { try catalogue.tree.album("a\(number)", ["ALBUM=Album \(number)", "ARTIST=A"]) }
    try await catalogue.refresh()
    let before = try await catalogue.tracks()
    for number in 1...8 { try catalogue.tree.move("a\(number)", to: "deep/er/a\(number)") }
    #expect(try await catalogue.refresh() == [0, 24, 0, 0])
    #expect(try await catalogue.tracks() == before)
    #expect(try await catalogue.problems() == [])
  }

  @Test func twoFilesThatChangePlacesKeepTheirNumbers() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue, tracks: 2)
    try await catalogue.refresh()
    let before = try await catalogue.tracks()
    try catalogue.tree.move("blue/01.flac", to: "blue/x.flac")
    try catalogue.tree.move("blue/02.flac", to: "blue/01.flac")
    try catalogue.tree.move("blue/x.flac", to: "blue/02.flac")
    #expect(try await catalogue.refresh() == [0, 2, 0, 0])
    #expect(try await catalogue.tracks() == before)
    let path = try await catalogue.database.read { try Catalogue.path(of: before[0].id, $0) }
    #expect(path.bytes == catalogue.tree.path("blue/02.flac"))
    #expect(try await catalogue.refresh() == [0, 0, 2, 0])
  }

  @Test func discFoldersThatChangePlacesKeepTheirNumbers() async throws {
    let catalogue = try TestCatalogue()
    for disc in 1...2 { try catalogue.tree.album("blue/CD\(disc)", ["ALBUM=Blue", "ARTIST=J", "DISCNUMBER=\(disc)"]) }
    try await catalogue.refresh()
    let before = try await catalogue.tracks()
    try catalogue.tree.move("blue/CD1", to: "blue/x")
    try catalogue.tree.move("blue/CD2", to: "blue/CD1")
    try catalogue.tree.move("blue/x", to: "blue/CD2")
    #expect(try await catalogue.refresh() == [0, 6, 0, 0])
    #expect(try await catalogue.tracks() == before)
    for (track, name) in zip(before, ["CD2/01.flac", "CD2/02.flac", "CD2/03.flac", "CD1/01.flac"]) {
      let path = try await catalogue.database.read { try Catalogue.path(of: track.id, $0) }
      #expect(path.bytes == catalogue.tree.path("blue/\(name)"))
    }
    #expect(try await catalogue.refresh() == [0, 0, 6, 0])
  }

  @Test func aFileThatCouldNotBeReadIsReadAgainAtItsNewPath() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue, tracks: 1)
    try await catalogue.refresh()
    // The rows that a scan leaves where the disk cannot read the file.
    try await catalogue.write(
      """
      UPDATE files SET track = NULL, tags = '', problem = '{"code":"library.fileUnreadable","message":"01.flac"}'
      """, "DELETE FROM tracks", "DELETE FROM albums", "DELETE FROM artists", "DELETE FROM search",
      "UPDATE sources SET tracks = 0")
    try catalogue.tree.move("blue/01.flac", to: "blue/02.flac")
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
    #expect(try await catalogue.problems() == [])
  }

  @Test func aFileOfAnOlderReaderIsReadAgainAndKeepsItsNumber() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue, tracks: 2)
    try catalogue.tree.write([], to: "blue/broken.flac")
    try await catalogue.refresh()
    let before = try await catalogue.tracks()
    // The rows of an earlier version, which did not store the properties of the audio.
    try await catalogue.write("UPDATE files SET reader = 0", "UPDATE tracks SET codec = NULL, sample_rate = NULL")
    #expect(try await catalogue.refresh() == [0, 2, 0, 0])
    #expect(try await catalogue.tracks() == before)
    #expect(try await catalogue.copy().audio?.summary == "FLAC 16/44.1")
    #expect(try await catalogue.refresh() == [0, 0, 2, 0])
    let readers = try await catalogue.database.read { try $0.values("SELECT DISTINCT reader FROM files") as [Int] }
    #expect(readers == [Int(TagReading.version)])
  }

  @Test func aMovedFileKeepsItsAudioAndIsReadAgainIfItsReaderIsOlder() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue, tracks: 1)
    try await catalogue.refresh()
    let audio = try await catalogue.copy().audio
    try catalogue.tree.move("blue/01.flac", to: "red/01.flac")
    #expect(try await catalogue.refresh() == [0, 1, 0, 0])
    #expect(try await catalogue.copy().audio == audio)
    try await catalogue.write("UPDATE files SET reader = 0, tags = replace(tags, 'flac', '')")
    try catalogue.tree.move("red/01.flac", to: "green/01.flac")
    #expect(try await catalogue.refresh() == [0, 1, 0, 0])
    #expect(try await catalogue.refresh() == [0, 1, 0, 0])
    let copy = try await catalogue.copy()
    #expect(copy.id.description == "files:t1" && copy.audio == audio)
  }

  @Test func aRewrittenFileIsRecognisedByItsTags() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue)
    try await catalogue.refresh()
    let before = try await catalogue.tracks()
    // Another file, as a copy to a new disk makes it: another inode, and a length that differs by a second.
    try catalogue.tree.flac(
      "new/two.flac", blue + ["TITLE=Song 2 of blue", "TRACKNUMBER=2"], seconds: 181, picture: [1, 2, 3])
    try catalogue.tree.remove("blue/02.flac")
    #expect(try await catalogue.refresh() == [0, 1, 2, 0])
    #expect(try await catalogue.tracks().map(\.id) == before.map(\.id))
  }

  @Test func anotherRecordingOfTheSameNameIsAnotherTrack() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue)
    try await catalogue.refresh()
    try catalogue.tree.flac("new/two.flac", blue + ["TITLE=Song 2 of blue", "TRACKNUMBER=2"], seconds: 300)
    try catalogue.tree.remove("blue/02.flac")
    #expect(try await catalogue.refresh() == [1, 0, 2, 1])
    #expect(try await catalogue.tracks().map(\.id.description) == ["files:t1", "files:t4", "files:t3"])
  }

  @Test func numbersAreNeverReused() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("keep", ["ALBUM=Keep", "ARTIST=A"])
    try catalogue.tree.album("gone", ["ALBUM=Zed", "ARTIST=A"])
    try await catalogue.refresh()
    #expect(try await catalogue.albums().map(\.id.description) == ["files:a2", "files:a1"])
    try catalogue.tree.remove("gone")
    try catalogue.tree.remove("keep/03.flac")
    try await catalogue.refresh()
    try catalogue.tree.album("other", ["ALBUM=Other", "ARTIST=A"], tracks: 1)
    try await catalogue.refresh()
    #expect(try await catalogue.albums().map(\.id.description) == ["files:a2", "files:a3"])
    #expect(try await catalogue.tracks(of: catalogue.album("Other")).map(\.id.description) == ["files:t7"])
    try await catalogue.expectWholeIndex()
  }

  @Test func anAlbumThatIsRetaggedAsAWholeKeepsItsNumber() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=Bleu", "ARTIST=Joni"])
    try await catalogue.refresh()
    let before = try await catalogue.album("Bleu")
    try catalogue.tree.album("x", ["ALBUM=Blue", "ARTIST=Joni Mitchell", "DATE=1971"])
    #expect(try await catalogue.refresh() == [0, 3, 0, 0])
    let after = try await catalogue.album("Blue")
    #expect(after.id == before.id && after.artist == "Joni Mitchell" && after.year == 1971)
    #expect(try await catalogue.albums().count == 1)
    #expect(try await catalogue.artists().map(\.name) == ["Joni Mitchell"])
    // No word of the index is the former one: it is taken for an error of spelling.
    #expect(try await catalogue.search("bleu").searchedWords == "blue")
    #expect(try await catalogue.search("blue joni").albums == [after])
    try await catalogue.expectWholeIndex()
  }

  @Test func aCorrectedSpellingIsShown() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=blue", "ARTIST=joni mitchell"])
    try await catalogue.refresh()
    try catalogue.tree.album("x", ["ALBUM=Blue", "ARTIST=Joni Mitchell", "COMMENT=longer"])
    #expect(try await catalogue.refresh() == [0, 3, 0, 0])
    let album = try await catalogue.album("Blue")
    #expect(album.id.description == "files:a1" && album.artist == "Joni Mitchell")
    #expect(try await catalogue.artists().map(\.name) == ["Joni Mitchell"])
    #expect(try await catalogue.artists().map(\.id.description) == ["files:r1"])
    try await catalogue.expectWholeIndex()
  }

  @Test func aTrackWithoutAnArtistFollowsItsAlbum() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("x/1.flac", ["ALBUM=X", "ARTIST=A", "TITLE=One"])
    try catalogue.tree.flac("x/2.flac", ["ALBUM=X", "TITLE=Two"])
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().map(\.artist) == ["A", "A"])
    try catalogue.tree.flac("x/3.flac", ["ALBUM=X", "ARTIST=B", "TITLE=Three"])
    #expect(try await catalogue.refresh() == [1, 0, 2, 0])
    #expect(
      Set(try await catalogue.tracks().map { "\($0.title) \($0.artist)" }) == [
        "One A", "Two Unknown Artist", "Three B",
      ])
  }

  @Test func oneAlbumInTwoFoldersIsOneAndItsMembersAreFound() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("a/1.flac", blue + ["TITLE=One", "TRACKNUMBER=1"])
    try catalogue.tree.flac("b/2.flac", blue + ["TITLE=Two", "TRACKNUMBER=2"])
    try await catalogue.refresh()
    #expect(try await catalogue.albums().map(\.trackCount) == [2])
    #expect(try await catalogue.tracks().map(\.title) == ["One", "Two"])
    // A change in one folder leaves the half of the album in the other unchanged.
    try catalogue.tree.flac("b/2.flac", blue + ["TITLE=Two!", "TRACKNUMBER=2"], seconds: 1)
    #expect(try await catalogue.refresh() == [0, 1, 1, 0])
    #expect(try await catalogue.tracks().map(\.title) == ["One", "Two!"])
    #expect(try await catalogue.albums().map(\.duration) == [Milliseconds(181_000)])
  }

  @Test func discFoldersMakeOneAlbumAndTellTheDisc() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("Set/CD1/1.flac", ["ALBUM=Set", "ARTIST=A", "TITLE=One", "TRACKNUMBER=1"])
    try catalogue.tree.flac("Set/CD2/1.flac", ["ALBUM=Set", "ARTIST=B", "TITLE=Two", "TRACKNUMBER=1"])
    try await catalogue.refresh()
    let album = try await catalogue.album("Set")
    #expect(album.artist == "Various Artists" && album.trackCount == 2)
    #expect(try await catalogue.tracks(of: album).map(\.disc) == [1, 2])
    #expect(try await catalogue.tracks(of: album).map(\.artist) == ["A", "B"])
  }

  @Test func anotherArtistInTheFolderMakesItACompilation() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("mix", ["ALBUM=Mix", "ARTIST=A"], tracks: 2)
    try await catalogue.refresh()
    #expect(try await catalogue.album("Mix").artist == "A")
    try catalogue.tree.flac("mix/9.flac", ["ALBUM=Mix", "ARTIST=B", "TITLE=Nine", "TRACKNUMBER=9"])
    #expect(try await catalogue.refresh() == [1, 0, 2, 0])
    #expect(try await catalogue.albums().map(\.artist) == ["Various Artists"])
    #expect(try await catalogue.tracks().map(\.artist) == ["A", "A", "B"])
    try catalogue.tree.remove("mix/9.flac")
    try await catalogue.refresh()
    #expect(try await catalogue.albums().map(\.artist) == ["A"])
    #expect(try await catalogue.artists().map(\.name) == ["A"])
    try await catalogue.expectWholeIndex()
  }

  @Test func filesWithoutTagsCanBePlayed() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("Tape/02 - Second.flac", [])
    try catalogue.tree.flac("Tape/01 - First.flac", [])
    try await catalogue.refresh()
    let album = try await catalogue.album("Tape")
    #expect(album.artist == "Unknown Artist")
    #expect(try await catalogue.tracks(of: album).map(\.title) == ["First", "Second"])
    #expect(try await catalogue.tracks(of: album).map(\.number) == [1, 2])
    #expect(try await catalogue.problems() == ["library.fileUntagged", "library.fileUntagged"])
    // Titles come from the file names, so a renamed file has another title.
    try catalogue.tree.move("Tape/02 - Second.flac", to: "Tape/03 - Third.flac")
    #expect(try await catalogue.refresh() == [0, 1, 1, 0])
    #expect(try await catalogue.tracks(of: album).map(\.title) == ["First", "Third"])
    #expect(try await catalogue.tracks(of: album).map(\.id.description) == ["files:t1", "files:t2"])
  }

  @Test func refreshesAreKeptWithTheirCounts() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue)
    try await catalogue.refresh()
    #expect(try await catalogue.state().generation == 1)
    try await catalogue.refresh()
    #expect(try await catalogue.state().generation == 1)
    catalogue.wait(seconds: 60)
    try catalogue.tree.remove("blue/01.flac")
    try await catalogue.refresh()
    let state = try await catalogue.state()
    #expect(state.generation == 2 && state.albums == 1 && state.tracks == 2)
    #expect(state.sources[0].lastRefreshed == Timestamp(seconds: 1_800_000_060))
    let runs = try await catalogue.database.read { transaction in
      try transaction.rows("SELECT new, unchanged, deleted FROM runs ORDER BY id") { row in
        [try row.value(0) as Int, try row.value(1), try row.value(2)]
      }
    }
    #expect(runs == [[3, 0, 0], [0, 3, 0], [0, 2, 1]])
  }
}

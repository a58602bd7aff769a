import Messages
import Model
import Storage
import TestSupport
import Testing

/// Music that leaves the music folders and comes back, and music that moves and gets other tags at once.
@Suite(.timeLimit(.minutes(2)))
struct DepartedTracksTests {
  private let blue = ["ALBUM=Blue", "ARTIST=Joni Mitchell", "ALBUMARTIST=Joni Mitchell", "DATE=1971"]

  @Test func anAlbumThatLeavesAndComesBackKeepsItsIdsAndTimes() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue)
    try catalogue.tree.album("other", ["ALBUM=Other", "ARTIST=B"])
    try await catalogue.refresh()
    let (album, tracks) = (try await catalogue.album("Blue"), try await catalogue.tracks())
    try await catalogue.write("UPDATE tracks SET heard_at = 77, played_at = 77 WHERE id = 1")
    try catalogue.tree.move("blue", to: "../away")
    catalogue.wait(seconds: 86_400)
    #expect(try await catalogue.refresh() == [0, 0, 3, 3])
    #expect(try await catalogue.albums().map(\.title) == ["Other"])
    try catalogue.tree.move("../away", to: "elsewhere/blue")
    catalogue.wait(seconds: 86_400)
    #expect(try await catalogue.refresh() == [3, 0, 3, 0])
    let back = try await catalogue.album("Blue")
    #expect(back.id == album.id && back.addedAt == album.addedAt)
    #expect(back.lastPlayedAt == Timestamp(microseconds: 77))
    #expect(Set(try await catalogue.tracks().map(\.id)) == Set(tracks.map(\.id)))
    #expect(try await catalogue.departed() == [0, 0])
    try await catalogue.expectWholeIndex()
  }

  @Test func musicThatComesBackWithOtherNamesIsRecognisedByItsIds() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("x/1.flac", blue + ["TITLE=One", "MUSICBRAINZ_TRACKID=\(TestID.musicBrainz("rec-1"))"])
    try catalogue.tree.flac("x/2.flac", blue + ["TITLE=Two", "ACOUSTID_ID=acoustic-2"])
    try catalogue.tree.flac("y/1.flac", ["ALBUM=Stays", "ARTIST=B", "TITLE=Stays"])
    try await catalogue.refresh()
    let ids = Dictionary(try await catalogue.tracks().map { ($0.title, $0.id) }) { $1 }
    try catalogue.tree.remove("x")
    #expect(try await catalogue.refresh() == [0, 0, 1, 2])
    let renamed = ["ALBUM=Blue (Remastered)", "ARTIST=Joni"]
    try catalogue.tree.flac(
      "z/a.flac", renamed + ["TITLE=First", "MUSICBRAINZ_TRACKID=\(TestID.musicBrainz("rec-1"))"])
    try catalogue.tree.flac("z/b.flac", renamed + ["TITLE=Second", "ACOUSTID_ID=acoustic-2"], seconds: 181)
    try catalogue.tree.flac("z/c.flac", renamed + ["TITLE=Third", "ACOUSTID_ID=acoustic-2"], seconds: 300)
    #expect(try await catalogue.refresh() == [3, 0, 1, 0])
    let after = Dictionary(try await catalogue.tracks().map { ($0.title, $0.id) }) { $1 }
    #expect(after["First"] == ids["One"] && after["Second"] == ids["Two"])
    #expect(after["Third"].map { !ids.values.contains($0) } == true)
    try await catalogue.expectWholeIndex()
  }

  @Test func aFileThatMovesAndGetsOtherTagsAtOnceIsRecognisedByItsSound() async throws {
    let catalogue = try TestCatalogue()
    let sound = FLACFile.Quality(digest: 7)
    try catalogue.tree.flac("x/1.flac", blue + ["TITLE=One"], quality: sound)
    try catalogue.tree.flac("y/1.flac", ["ALBUM=Stays", "ARTIST=B", "TITLE=Stays"], quality: .init(digest: 8))
    try await catalogue.refresh()
    let before = try #require(try await catalogue.tracks().first { $0.title == "One" })
    try catalogue.tree.remove("x")
    try catalogue.tree.flac("z/1.flac", ["ALBUM=New", "ARTIST=C", "TITLE=Uno"], quality: sound)
    #expect(try await catalogue.refresh() == [0, 1, 1, 0])
    #expect(try await catalogue.tracks().first { $0.title == "Uno" }?.id == before.id)
  }

  @Test func twoTracksWithTheSameSoundAreToldApartByTheirNames() async throws {
    let catalogue = try TestCatalogue()
    let sound = FLACFile.Quality(digest: 7)
    try catalogue.tree.flac("x/1.flac", blue + ["TITLE=Silence", "TRACKNUMBER=1"], quality: sound)
    try catalogue.tree.flac("x/2.flac", blue + ["TITLE=More silence", "TRACKNUMBER=2"], quality: sound)
    try catalogue.tree.flac("y/1.flac", ["ALBUM=Stays", "ARTIST=B", "TITLE=Stays"])
    try await catalogue.refresh()
    let ids = Dictionary(try await catalogue.tracks().map { ($0.title, $0.id) }) { $1 }
    try catalogue.tree.remove("x")
    try await catalogue.refresh()
    try catalogue.tree.flac("z/a.flac", blue + ["TITLE=More silence", "TRACKNUMBER=2"], quality: sound)
    try catalogue.tree.flac("z/b.flac", blue + ["TITLE=Silence", "TRACKNUMBER=1"], quality: sound)
    try await catalogue.refresh()
    #expect(Dictionary(try await catalogue.tracks().map { ($0.title, $0.id) }) { $1 } == ids)
  }

  @Test func theRatingOfATrackThatComesBackWithAnotherTitleFollowsIt() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("x/1.flac", blue + ["TITLE=One", "MUSICBRAINZ_TRACKID=\(TestID.musicBrainz("rec-1"))"])
    try catalogue.tree.flac("y/1.flac", ["ALBUM=Stays", "ARTIST=B", "TITLE=Stays"])
    try await catalogue.refresh()
    try await catalogue.write("INSERT INTO ratings SELECT 3, identity, 8, 1 FROM tracks WHERE title = 'One'")
    try catalogue.tree.remove("x")
    try await catalogue.refresh()
    try catalogue.tree.flac("z/1.flac", blue + ["TITLE=Uno", "MUSICBRAINZ_TRACKID=\(TestID.musicBrainz("rec-1"))"])
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().first { $0.title == "Uno" }?.rating != nil)
  }

  @Test func whatLeftMoreThanAYearAgoIsForgotten() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("blue", blue, tracks: 1)
    try catalogue.tree.album("other", ["ALBUM=Other", "ARTIST=B"], tracks: 1)
    try await catalogue.refresh()
    let before = try await catalogue.album("Blue")
    try catalogue.tree.remove("blue")
    try await catalogue.refresh()
    #expect(try await catalogue.departed().first == 1)
    catalogue.wait(seconds: 366 * 86_400)
    try await catalogue.refresh()
    #expect(try await catalogue.departed() == [0, 0])
    try catalogue.tree.album("blue", blue, tracks: 1)
    try await catalogue.refresh()
    #expect(try await catalogue.album("Blue").id != before.id)
  }
}

extension TestCatalogue {
  /// The numbers of remembered tracks and of their keys.
  fileprivate func departed() async throws -> [Int] {
    try await database.read { transaction in
      try ["departed_tracks", "departed_keys"].map { try transaction.value("SELECT count(*) FROM \($0)") ?? -1 }
    }
  }
}

import Model
import Testing

@testable import Mpd

/// The tree of folders that clients browse.
@Suite struct MusicIndexTests {
  private let tracks = [
    track(1, "One", artist: "AC/DC", album: "..Live", year: 1991),
    track(2, "Two", artist: "AC/DC", album: "..Live", year: 1991),
    track(3, "Solo", artist: "ac/dc", album: "B"), track(4, "", artist: "", album: ""),
  ]

  @Test func foldersAreArtistsAndAlbums() throws {
    let index = MusicIndex(tracks)
    #expect(index.folder(at: "/")?.folders == ["AC-DC", "ac-dc", "Unknown Artist"])
    #expect(index.folder(at: "AC-DC/")?.folders == ["AC-DC/_.Live (1991)"])
    #expect(try index.songs(at: "AC-DC").map(\.path) == ["AC-DC/_.Live (1991)/01 One", "AC-DC/_.Live (1991)/02 Two"])
    #expect(try index.songs(at: "").count == 4)
    #expect(index.song(at: "Unknown Artist/Unknown Album/04 Untitled")?.id.native == "t4")
    #expect(throws: CommandError.noSuchDirectory) { try index.songs(at: "AC") }
  }

  @Test func equalNamesGetNumbersThatDoNotDependOnTheOrder() {
    var twin = tracks[0]
    twin.id = TrackID(source: "plex", native: "9")
    let paths = MusicIndex(tracks + [twin]).songs.map(\.path)
    #expect(Set(paths).count == 5)
    #expect(paths.contains("AC-DC/_.Live (1991)/01 One [2]"))
    #expect(MusicIndex([twin] + tracks.reversed()).songs.map(\.path) == paths)
  }

  @Test func aSongIsFoundByTheIdOfItsTrackAsWell() {
    let index = MusicIndex(tracks)
    #expect(index.song(at: "files:t3") == index[tracks[2].id])
    #expect(index.song(at: "files:t99") == nil)
  }

  @Test func aTitleThatBeginsWithACombiningMarkHidesNoOtherSong() throws {
    let index = MusicIndex([
      track(1, "One", artist: "Ann", album: "\u{301}Mark"), track(2, "Two", artist: "Bo", album: "B"),
    ])
    #expect(index.folder(at: "")?.folders == ["Ann", "Bo"])
    #expect(try index.songs(at: "").count == 2 && index.songs(at: "Ann").count == 1)
  }

  @Test func partsOfPathsHaveNoSlashControlCharacterOrDotAtTheirStart() {
    #expect(SongPaths.part("a/b\n.") == "a-b .")
    #expect(SongPaths.part("...") == "_..")
    #expect(SongPaths.part("  ") == "_")
    #expect(SongPaths.part(String(repeating: "ä", count: 500)).utf8.count <= 180)
  }

  @Test func listsAreGroupedOutermostFirst() async throws {
    let index = MusicIndex([
      track(1, "x", artist: "B", album: "Two", year: 2001), track(2, "y", artist: "A", album: "One", year: 1999),
      track(3, "z", artist: "A", album: "Zero", year: 1999),
    ])
    let groups = [SongTag.date, .albumArtist]
    var reply = Reply { _ in }
    reply.add(TagList.rows(of: .album, groupedBy: groups, among: index.songs), of: .album, groups: groups)
    #expect(
      String(decoding: reply.bytes, as: UTF8.self)
        == "Date: 1999\nAlbumArtist: A\nAlbum: One\nAlbum: Zero\nDate: 2001\nAlbumArtist: B\nAlbum: Two\n")
  }

  @Test func aPictureIsSentInPartsUpToAnEmptyLastOne() throws {
    var reply = Reply { _ in }
    try reply.add(picture: [1, 2, 3], from: 2, limit: 64, hasType: true)
    #expect(reply.bytes == Array("size: 3\nbinary: 1\n".utf8) + [3, 10])
    var last = Reply { _ in }
    try last.add(picture: [1, 2, 3], from: 3, limit: 64, hasType: false)
    #expect(last.bytes == Array("size: 3\nbinary: 0\n\n".utf8))
    #expect(throws: CommandError(.argument, "Bad file offset")) {
      try last.add(picture: [1, 2, 3], from: 4, limit: 64, hasType: false)
    }
  }
}

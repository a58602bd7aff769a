import FoundationEssentials
import Messages
import Model
import Storage
import Testing

@testable import People

/// Covers that people give to playlists.
@Suite(.timeLimit(.minutes(1)))
struct PlaylistCoverTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF] + (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  private func covers(_ catalogue: TestCatalogue, refusing: Bool = false) -> PlaylistCovers {
    PlaylistCovers(database: catalogue.database, hostID: "h1", now: { catalogue.time }) { id in
      let picture = try await PlaylistCovers.picture(id.native, catalogue.database)
      #expect(picture == Self.jpeg)
      if refusing { throw LunaraError("library.badArt", "It cannot be decoded.") }
    }
  }

  /// Sends a picture in parts, as a client does.
  private func send(_ bytes: [UInt8], of id: PlaylistID, to covers: PlaylistCovers) async throws -> Playlist {
    var playlist: Playlist?
    for start in stride(from: 0, to: bytes.count, by: Library.SetPlaylistCover.partBytes) {
      let part = bytes[start..<min(bytes.count, start + Library.SetPlaylistCover.partBytes)]
      playlist = try await covers.set(
        .init(id: id, part: Data(part).base64EncodedString(), offset: start, size: bytes.count))
    }
    return try #require(playlist)
  }

  private func code(_ body: () async throws -> some Sendable) async -> String? {
    do {
      _ = try await body()
      return nil
    } catch { return LunaraError(error).code }
  }

  private func rows(_ catalogue: TestCatalogue) async throws -> Int {
    try await catalogue.database.read { try $0.value("SELECT count(*) FROM playlist_covers") ?? 0 }
  }

  @Test func aCoverIsSetTakenBackAndRemoved() async throws {
    let catalogue = try TestCatalogue()
    let list = try await catalogue.edit { try $0.create(.init(title: "Boat")) }
    let covers = covers(catalogue)
    let first = try await send(Self.jpeg, of: list.id, to: covers)
    #expect(first.art?.source == "lunara")
    let second = try await send(Self.jpeg, of: list.id, to: covers)
    #expect(second.art != first.art && second.revision == 3)
    #expect(try await catalogue.edit { try $0.undo(.init(id: list.id)) }.art == first.art)
    #expect(try await covers.set(.init(id: list.id, part: nil)).art == nil)
    #expect(try await catalogue.edit { try $0.undo(.init(id: list.id)) }.art == first.art)
    // A playlist that is deleted and brought back has its cover again.
    try await catalogue.edit { try $0.delete(.init(id: list.id)) }
    #expect(try await catalogue.edit { try $0.undo(.init(id: list.id)) }.art == first.art)
  }

  @Test func onlyTheLastPicturesAreKept() async throws {
    let catalogue = try TestCatalogue()
    let list = try await catalogue.edit { try $0.create(.init(title: "Boat")) }
    let covers = covers(catalogue)
    for _ in 0..<9 { _ = try await send(Self.jpeg, of: list.id, to: covers) }
    #expect(try await rows(catalogue) == 6)
  }

  @Test func whatIsNoPictureIsRefusedAndLeavesNothing() async throws {
    let catalogue = try TestCatalogue()
    let list = try await catalogue.edit { try $0.create(.init(title: "Boat")) }
    let covers = covers(catalogue)
    #expect(await code { try await send(Array("<svg/>".utf8), of: list.id, to: covers) } == "library.badPicture")
    #expect(await code { try await covers.set(.init(id: list.id, part: "!", size: 1)) } == "library.badPicture")
    #expect(
      await code { try await covers.set(.init(id: list.id, part: "AAAA", size: 9 << 20)) } == "library.badPicture")
    // A part in the middle without the first one, and parts of two pictures.
    #expect(
      await code { try await covers.set(.init(id: list.id, part: "AAAA", offset: 3, size: 9)) } == "library.badPicture")
    _ = try await covers.set(.init(id: list.id, part: "AAAA", size: 9))
    #expect(
      await code { try await covers.set(.init(id: list.id, part: "AAAA", offset: 3, size: 12)) } == "library.badPicture"
    )
    #expect(
      await code { try await send(Self.jpeg, of: list.id, to: self.covers(catalogue, refusing: true)) }
        == "library.badPicture")
    #expect(try await rows(catalogue) == 0)
  }

  @Test func playlistsOfServersHaveTheirOwn() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.stock(albums: 1)
    try await catalogue.write(
      "INSERT INTO playlists (id, source, native, title, title_sort, is_smart, digest) VALUES (5, 'plex', '9', 'T', 't', 0, 0)"
    )
    let id = PlaylistID(source: "plex", native: "p5")
    #expect(await code { try await send(Self.jpeg, of: id, to: covers(catalogue)) } == "library.notEditable")
    let none = PlaylistID(source: "lunara", native: "p99")
    #expect(await code { try await covers(catalogue).set(.init(id: none, part: nil)) } == "library.unknownID")
    #expect(try await rows(catalogue) == 0)
  }
}

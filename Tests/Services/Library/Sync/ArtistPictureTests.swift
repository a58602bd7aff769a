import Model
import Storage
import Testing

@testable import lunara_library

struct ArtistPictureTests {
  private func art(_ shelf: Shelf, _ name: String = "Nils") async throws -> ArtID? {
    try #require(try await shelf.artists().first { $0.name == name }).art
  }

  private func path(_ shelf: Shelf, _ art: ArtID) async throws -> String? {
    let found = try await shelf.database.read { try Catalogue.place(of: art, $0).place }
    guard case .file(let path) = found else { return nil }
    return path.description
  }

  @Test func aPictureAboveAnArtistsAlbumsIsTheirs() async throws {
    let shelf = try Shelf()
    for album in ["One", "Two"] { try shelf.tree.album("Nils/\(album)", ["ALBUM=\(album)", "ARTIST=Nils"]) }
    try shelf.tree.album("Other", ["ALBUM=Other", "ARTIST=Other"])
    try shelf.tree.write([1], to: "Nils/artist.png")
    try await shelf.refresh()
    let first = try #require(try await art(shelf))
    #expect(try await path(shelf, first)?.hasSuffix("Nils/artist.png") == true)
    #expect(try await art(shelf, "Other") == nil)
    // A better one, another one, and none any more.
    try shelf.tree.write([1], to: "Nils/Artist.jpg")
    try await shelf.refresh()
    let second = try #require(try await art(shelf))
    #expect(try await path(shelf, second)?.hasSuffix("Nils/Artist.jpg") == true)
    try shelf.tree.write([1, 2], to: "Nils/Artist.jpg")
    try await shelf.refresh()
    #expect(try await art(shelf) != second)
    try shelf.tree.remove("Nils/Artist.jpg")
    try shelf.tree.remove("Nils/artist.png")
    try await shelf.refresh()
    #expect(try await art(shelf) == nil)
  }

  @Test func aPictureAboveSeveralArtistsIsNobodys() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("Nils/One", ["ALBUM=One", "ARTIST=Nils"])
    try shelf.tree.album("Mixed/Two", ["ALBUM=Two", "ARTIST=Nils"])
    try shelf.tree.album("Mixed/Three", ["ALBUM=Three", "ARTIST=Other"])
    try shelf.tree.write([1], to: "Mixed/artist.jpg")
    try await shelf.refresh()
    #expect(try await art(shelf) == nil)
    // Once the other has gone it is theirs: a folder of samplers beside does not matter.
    try shelf.tree.album("Mixed/Four", ["ALBUM=Four", "ALBUMARTIST=Various Artists", "ARTIST=Someone"])
    try shelf.tree.move("Mixed/Three", to: "Elsewhere")
    try await shelf.refresh()
    #expect(try await art(shelf) != nil)
  }

  @Test func theNearestPictureCounts() async throws {
    let shelf = try Shelf()
    try shelf.tree.album("N/Nils/One", ["ALBUM=One", "ARTIST=Nils"])
    try shelf.tree.write([1], to: "N/artist.jpg")
    try shelf.tree.write([1], to: "N/Nils/artist.jpg")
    try await shelf.refresh()
    let art = try #require(try await art(shelf))
    #expect(try await path(shelf, art)?.hasSuffix("N/Nils/artist.jpg") == true)
  }

  @Test func aCoverOfASetThatGoesIsNotShownAnyLonger() async throws {
    let shelf = try Shelf()
    for disc in 1...2 { try shelf.tree.album("Set/CD\(disc)", ["ALBUM=Set", "ARTIST=Nils", "DISCNUMBER=\(disc)"]) }
    try shelf.tree.write([1], to: "Set/cover.jpg")
    try await shelf.refresh()
    #expect(try await shelf.album("Set").art != nil)
    try shelf.tree.remove("Set/cover.jpg")
    try await shelf.refresh()
    #expect(try await shelf.album("Set").art == nil)
  }

  @Test func levelsAndLossesAreStoredWithTheTrack() async throws {
    let shelf = try Shelf()
    try shelf.tree.flac(
      "A/1.flac", ["TITLE=x", "ALBUM=A", "REPLAYGAIN_TRACK_GAIN=-6.5 dB", "REPLAYGAIN_ALBUM_PEAK=0.5"])
    try await shelf.refresh()
    #expect(try await shelf.tracks().first?.levels == Levels(trackGain: -6.5, albumPeak: 0.5))
    try shelf.tree.flac(
      "A/1.flac", ["TITLE=x", "ALBUM=A", "REPLAYGAIN_TRACK_GAIN=-3 dB", "COMMENT=longer than before"])
    #expect(try await shelf.refresh() == [0, 1, 0, 0])
    #expect(try await shelf.tracks().first?.levels == Levels(trackGain: -3))
    let isLossless = try await shelf.database.read { transaction in
      try transaction.row("SELECT is_lossless FROM tracks") { try $0.value(0) as Bool }
    }
    #expect(isLossless == true)
  }
}

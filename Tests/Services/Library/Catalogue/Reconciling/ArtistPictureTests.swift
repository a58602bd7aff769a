import Model
import Storage
import Testing

@testable import Catalogue

struct ArtistPictureTests {
  private func art(_ catalogue: TestCatalogue, _ name: String = "Nils") async throws -> ArtID? {
    try #require(try await catalogue.artists().first { $0.name == name }).art
  }

  private func path(_ catalogue: TestCatalogue, _ art: ArtID) async throws -> String? {
    let found = try await catalogue.database.read { try Catalogue.file(of: art, $0) }
    return found.reference.place == .track ? nil : found.path.description
  }

  @Test func aPictureAboveAnArtistsAlbumsIsTheirs() async throws {
    let catalogue = try TestCatalogue()
    for album in ["One", "Two"] { try catalogue.tree.album("Nils/\(album)", ["ALBUM=\(album)", "ARTIST=Nils"]) }
    try catalogue.tree.album("Other", ["ALBUM=Other", "ARTIST=Other"])
    try catalogue.tree.write([1], to: "Nils/artist.png")
    try await catalogue.refresh()
    let first = try #require(try await art(catalogue))
    #expect(try await path(catalogue, first)?.hasSuffix("Nils/artist.png") == true)
    #expect(try await art(catalogue, "Other") == nil)
    // The folder gets a better picture, then another one, then none.
    try catalogue.tree.write([1], to: "Nils/Artist.jpg")
    try await catalogue.refresh()
    let second = try #require(try await art(catalogue))
    #expect(try await path(catalogue, second)?.hasSuffix("Nils/Artist.jpg") == true)
    try catalogue.tree.write([1, 2], to: "Nils/Artist.jpg")
    try await catalogue.refresh()
    #expect(try await art(catalogue) != second)
    try catalogue.tree.remove("Nils/Artist.jpg")
    try catalogue.tree.remove("Nils/artist.png")
    try await catalogue.refresh()
    #expect(try await art(catalogue) == nil)
  }

  @Test func aPictureAboveSeveralArtistsIsNobodys() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("Nils/One", ["ALBUM=One", "ARTIST=Nils"])
    try catalogue.tree.album("Mixed/Two", ["ALBUM=Two", "ARTIST=Nils"])
    try catalogue.tree.album("Mixed/Three", ["ALBUM=Three", "ARTIST=Other"])
    try catalogue.tree.write([1], to: "Mixed/artist.jpg")
    try await catalogue.refresh()
    #expect(try await art(catalogue) == nil)
    // Once the other artist has gone, the picture is the remaining artist's; samplers in the folder do not matter.
    try catalogue.tree.album("Mixed/Four", ["ALBUM=Four", "ALBUMARTIST=Various Artists", "ARTIST=Someone"])
    try catalogue.tree.move("Mixed/Three", to: "Elsewhere")
    try await catalogue.refresh()
    #expect(try await art(catalogue) != nil)
  }

  @Test func theNearestPictureCounts() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("N/Nils/One", ["ALBUM=One", "ARTIST=Nils"])
    try catalogue.tree.write([1], to: "N/artist.jpg")
    try catalogue.tree.write([1], to: "N/Nils/artist.jpg")
    try await catalogue.refresh()
    let art = try #require(try await art(catalogue))
    #expect(try await path(catalogue, art)?.hasSuffix("N/Nils/artist.jpg") == true)
  }

  @Test func aRemovedCoverOfASetIsNoLongerShown() async throws {
    let catalogue = try TestCatalogue()
    for disc in 1...2 { try catalogue.tree.album("Set/CD\(disc)", ["ALBUM=Set", "ARTIST=Nils", "DISCNUMBER=\(disc)"]) }
    try catalogue.tree.write([1], to: "Set/cover.jpg")
    try await catalogue.refresh()
    #expect(try await catalogue.album("Set").art != nil)
    try catalogue.tree.remove("Set/cover.jpg")
    try await catalogue.refresh()
    #expect(try await catalogue.album("Set").art == nil)
  }

  @Test func levelsAndLossesAreStoredWithTheTrack() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac(
      "A/1.flac", ["TITLE=x", "ALBUM=A", "REPLAYGAIN_TRACK_GAIN=-6.5 dB", "REPLAYGAIN_ALBUM_PEAK=0.5"])
    try await catalogue.refresh()
    #expect(try await catalogue.tracks().first?.levels == Levels(trackGain: -6.5, albumPeak: 0.5))
    try catalogue.tree.flac(
      "A/1.flac", ["TITLE=x", "ALBUM=A", "REPLAYGAIN_TRACK_GAIN=-3 dB", "COMMENT=longer than before"])
    #expect(try await catalogue.refresh() == [0, 1, 0, 0])
    #expect(try await catalogue.tracks().first?.levels == Levels(trackGain: -3))
    let isLossless = try await catalogue.database.read { transaction in
      try transaction.row("SELECT is_lossless FROM tracks") { try $0.value(0) as Bool }
    }
    #expect(isLossless == true)
  }
}

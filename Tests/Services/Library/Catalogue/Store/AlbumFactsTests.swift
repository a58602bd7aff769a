import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue

/// The facts that the page of an album shows beside its tracks.
@Suite(.timeLimit(.minutes(2)))
struct AlbumFactsTests {
  private func page(
    _ catalogue: TestCatalogue, after: String? = nil
  ) async throws -> Library.AlbumPage {
    let album = try await catalogue.album("X")
    return try await catalogue.database.read { try Catalogue.album(.init(id: album.id, after: after), $0) }
  }

  @Test func anAlbumTellsItsFormatsItsPlaysItsSourcesAndItsLength() async throws {
    let catalogue = try TestCatalogue()
    let tags = ["ALBUM=X", "ARTIST=A", "ALBUMARTIST=A"]
    try catalogue.tree.album("x", tags, quality: .init(sampleRate: 96_000, bitDepth: 24))
    try catalogue.tree.flac("x/04.flac", tags + ["TITLE=Bonus", "TRACKNUMBER=4"])
    try await catalogue.refresh()
    let silent = try await page(catalogue)
    #expect(silent.plays == 0 && silent.lastPlayedAt == nil)
    let sound = try #require(silent.sound)
    #expect(sound.map(\.format) == ["flac", "flac"] && sound.allSatisfy(\.isLossless))
    #expect(sound.map(\.bitDepth) == [24, 16] && sound.map(\.sampleRate) == [96_000, 44_100])
    #expect(sound.map(\.tracks) == [3, 1])
    #expect(silent.sources == ["files"] && silent.addedAt == silent.album.addedAt)
    #expect(silent.length == silent.tracks.reduce(.zero) { $0 + $1.duration })

    let counted = try PlaysTests.counted(try #require(silent.tracks.first), listen: "l1")
    try await catalogue.database.write { try ListenRows.record(counted, at: counted.subject.startedAt, $0) }
    let heard = try await page(catalogue)
    #expect(heard.plays == 1 && heard.lastPlayedAt == counted.subject.startedAt)
  }

  @Test func onlyTheFirstPageHasTheFacts() async throws {
    let catalogue = try TestCatalogue()
    for number in 1...210 {
      try catalogue.tree.flac("x/\(number).flac", ["ALBUM=X", "ARTIST=A", "TITLE=\(number)", "TRACKNUMBER=\(number)"])
    }
    try await catalogue.refresh()
    let first = try await page(catalogue)
    let second = try await page(catalogue, after: first.next)
    #expect(first.sound != nil && first.plays == 0 && first.sources == ["files"])
    #expect(second.sound == nil && second.plays == nil && second.sources == nil && second.length == nil)
  }
}

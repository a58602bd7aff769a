import Testing

@testable import lunara

/// What the demo library holds.
struct DemoCatalogueTests {
  private let albums = DemoAlbum.all

  @Test func thereIsEnoughToLookAround() {
    #expect(albums.count >= 6 && Set(albums.map(\.artist)).count >= 4)
    #expect(Set(albums.map(\.genre)).count >= 4 && Set(albums.map(\.year)).count == albums.count)
    #expect(albums.allSatisfy { (4...5).contains($0.tracks.count) })
    #expect(Set(albums.map(\.cover)).count == albums.count)
    #expect(albums.contains(where: \.embedsCover) && albums.contains { !$0.embedsCover })
  }

  @Test func mostTracksAreLongEnoughToCountAsHeard() {
    let lengths = albums.flatMap { album in album.tracks.indices.map { album.piece($0).seconds } }
    #expect(lengths.count { $0 > 30 } >= lengths.count - 2)
    #expect(lengths.allSatisfy { (20...75).contains($0) })
  }

  @Test func suitesCoverEachTrackOnce() {
    for album in albums { #expect(album.suites.flatMap { Array($0) } == Array(album.tracks.indices)) }
    #expect(albums.flatMap(\.suites).contains { $0.count > 1 })
  }

  @Test func titlesMakeFileNames() {
    for album in albums {
      #expect(!album.folder.dropFirst(album.artist.count + 1).contains("/") && !album.artist.contains("/"))
      #expect(album.tracks.allSatisfy { !$0.title.contains("/") })
    }
  }
}

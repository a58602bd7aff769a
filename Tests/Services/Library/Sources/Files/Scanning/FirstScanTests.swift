import Messages
import Model
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// The first scan of music folders, which writes portions while it goes on.
@Suite(.timeLimit(.minutes(3)))
struct FirstScanTests {
  /// A tree of 200 albums in portions of their own, with albums on two discs and one link to a file.
  private func tree() throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    for number in 100..<300 {
      let tags = ["ALBUM=Album \(number)", "ARTIST=Artist \(number / 4)", "ALBUMARTIST=Artist \(number / 4)"]
      if number.isMultiple(of: 10) {
        for disc in 1...2 {
          try catalogue.tree.album("x\(number)/CD\(disc)", tags + ["DISCNUMBER=\(disc)"], tracks: 3)
        }
        try catalogue.tree.write([1, 2, 3], to: "x\(number)/cover.jpg")
      } else {
        try catalogue.tree.album("x\(number)", tags, tracks: 7)
      }
    }
    try catalogue.tree.link("x101/again.flac", to: "01.flac")
    return catalogue
  }

  private static let tracks = 180 * 7 + 20 * 6

  @Test func portionsMakeTheSameCatalogueAsAWholeScan() async throws {
    let catalogue = try tree()
    #expect(try await catalogue.refresh() == [Self.tracks, 0, 0, 0])
    try await catalogue.expectWholeIndex()
    let state = try await catalogue.state()
    #expect(state.albums == 200 && state.tracks == Self.tracks)
    let discs = try await catalogue.search("album 110").albums.first
    #expect(discs?.trackCount == 6 && discs?.art != nil)
    #expect(try await catalogue.search("song").tracks.count == 50)
    #expect(try await catalogue.status().runs?.map(\.counts.new) == [Self.tracks])
    #expect(try await catalogue.refresh() == [0, 0, Self.tracks, 0])
  }

  @Test func whatWasWrittenBeforeAStopStaysAndTheRestFollows() async throws {
    let catalogue = try tree()
    let progress = RefreshProgress()
    let stopping = Task {
      while try await catalogue.state().tracks == 0 { try await Task.sleep(for: .milliseconds(1)) }
      progress.stop()
    }
    let counts = try await catalogue.source().refresh(accepting: .wholeScan, progress: progress)
    try await stopping.value
    let written = try await catalogue.state().tracks
    #expect(counts == nil && written > 0 && written < Self.tracks)
    _ = try await catalogue.refresh()
    let state = try await catalogue.state()
    #expect(state.tracks == Self.tracks && state.albums == 200)
    try await catalogue.expectWholeIndex()
    #expect(try await catalogue.refresh() == [0, 0, Self.tracks, 0])
  }
}

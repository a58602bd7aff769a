import Model
import Records
import Storage
import Testing

@testable import Catalogue
@testable import Sources

/// Requests that fail at each scan: what else is in the folder is listed all the same.
extension ScanModelTests {
  /// Scans twice while requests for paths with an ending fail: as the first scan and as a later one.
  private func albums(
    _ catalogue: TestCatalogue, failing requests: [DiskFaults.Request], of suffix: String, _ seed: UInt64 = 1
  ) async throws -> [String] {
    let faults = DiskFaults(seed: seed, percent: 100, requests: requests, suffix: suffix)
    let source = catalogue.source()
    let failed = try await faults.failing(below: catalogue.tree.root) {
      for _ in 1...2 { _ = try await source.refresh(accepting: .wholeScan, progress: RefreshProgress()) }
    }
    #expect(failed > 0)
    return try await catalogue.albums().map(\.title)
  }

  @Test func aLinkThatFailsHidesNothingElseWhereAnIgnoreFileIs() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("Ash", ["ALBUM=Ash", "ARTIST=Ash"])
    try catalogue.tree.write(Array("never*".utf8), to: "Ash/.mpdignore")
    try catalogue.tree.link("Ash/link", to: "/nowhere")
    #expect(try await albums(catalogue, failing: [.status], of: "/link") == ["Ash"])
    #expect(try await catalogue.problems().count == 1)
  }

  @Test(arguments: [DiskFaults.Request.open, .read, .status], ["list.m3u", "sheet.cue"])
  func aListOrSheetThatFailsHidesNoMusicBesideIt(_ request: DiskFaults.Request, _ name: String) async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("Ash", ["ALBUM=Ash", "ARTIST=Ash"])
    let text = name == "list.m3u" ? "01.flac" : "FILE \"01.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n"
    try catalogue.tree.write(Array(text.utf8), to: "Ash/\(name)")
    #expect(try await albums(catalogue, failing: [request], of: "/\(name)") == ["Ash"])
    #expect(try await catalogue.problems().count == 1)
  }

  /// The seeds have the second sheet fail in different ways.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func twoSheetsOfWhichOneFailsAndOneFitsNoFileHideNoMusic(_ seed: UInt64) async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("Ash", ["ALBUM=Ash", "ARTIST=Ash"])
    let track = "TRACK 01 AUDIO\nINDEX 01 00:00:00\n"
    try catalogue.tree.write(Array("FILE \"none.wav\" WAVE\n\(track)".utf8), to: "Ash/a.cue")
    try catalogue.tree.write(Array("FILE \"01.flac\" WAVE\n\(track)".utf8), to: "Ash/b.cue")
    #expect(try await albums(catalogue, failing: [.open], of: "/b.cue", seed) == ["Ash"])
    #expect(try await catalogue.tracks().count == 3)
  }

  @Test func aSheetThatFailsLaterKeepsTheTracksThatItMade() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("Ash/image.flac", [], seconds: 300)
    let sheet =
      "TITLE \"Ash\"\nFILE \"image.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 01:00:00\n"
    try catalogue.tree.write(Array(sheet.utf8), to: "Ash/image.cue")
    _ = try await catalogue.source().refresh(accepting: .wholeScan, progress: RefreshProgress())
    let before = try await catalogue.tracks().map(\.id)
    #expect(before.count == 2)
    try catalogue.tree.write(Array("\(sheet)REM\n".utf8), to: "Ash/image.cue")
    #expect(try await albums(catalogue, failing: [.read], of: "/image.cue") == ["Ash"])
    #expect(try await catalogue.tracks().map(\.id) == before)
  }
}

import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import Catalogue

/// The recognition of described tracks.
@Suite(.timeLimit(.minutes(2)))
struct TrackMatcherTests {
  private func catalogue() async throws -> TestCatalogue {
    let catalogue = try TestCatalogue()
    let shared = ["ALBUM=Tides", "ALBUMARTIST=Amber Vale"]
    try catalogue.tree.flac(
      "Amber Vale/Tides/01 Harbour.flac",
      shared + [
        "TITLE=Harbour (2011 Remaster)", "ARTIST=Amber Vale feat. Mara Stein", "ISRC=GBAYE6800001",
        "MUSICBRAINZ_TRACKID=6d9b2c9f-5f1a-4c5d-9e0b-1c2d3e4f5a6b",
      ])
    try catalogue.tree.flac("Amber Vale/Tides/02 Björk.flac", shared + ["TITLE=Lights", "ARTIST=Amber Vale"])
    try catalogue.tree.flac("Live/02 Lights.flac", ["ALBUM=Live", "TITLE=Lights", "ARTIST=Amber Vale"], seconds: 300)
    try catalogue.tree.flac("Other/01.flac", ["ALBUM=Else", "TITLE=Lights", "ARTIST=Somebody"])
    try await catalogue.refresh()
    return catalogue
  }

  /// Returns what a track is recognised by, and the album of the one that was found.
  private func match(
    _ catalogue: TestCatalogue, _ track: DescribedTrack, folder: String? = nil
  ) async throws -> String {
    let root = LocalPath(bytes: catalogue.tree.root)
    let folder = folder.map { LocalPath(bytes: catalogue.tree.path($0)) }
    return try await catalogue.database.read { transaction in
      let match = try #require(
        try TrackMatcher(roots: [root], transaction: transaction).matches(of: [.init(track: track, folder: folder)])
          .first)
      let found = try match.track.flatMap { try Catalogue.track($0, transaction) }
      return "\(match.sign) \(found?.album ?? "-")"
    }
  }

  private func track(
    _ title: String = "", _ artist: String = "", album: String? = nil, seconds: Double? = nil, isrc: String? = nil,
    recording: String? = nil, location: String? = nil
  ) -> DescribedTrack {
    DescribedTrack(
      title: title, artist: artist, album: album, duration: seconds.map { Milliseconds(seconds: $0) }, isrc: isrc,
      recordingID: recording, location: location)
  }

  @Test func theFileCountsMost() async throws {
    let catalogue = try await catalogue()
    #expect(try await match(catalogue, track("Other", location: "Live/02 Lights.flac")) == "file Live")
    #expect(try await match(catalogue, track(location: "../Live/02 Lights.flac"), folder: "Lists") == "file Live")
    let url = LocalPath(bytes: catalogue.tree.path("Live/02 Lights.flac")).url
    #expect(try await match(catalogue, track(location: url)) == "file Live")
  }

  @Test func theEndOfAPathOfAnotherComputerIsUnderstood() async throws {
    let catalogue = try await catalogue()
    #expect(try await match(catalogue, track(location: "D:\\Music\\live\\02 LIGHTS.FLAC")) == "path Live")
    #expect(try await match(catalogue, track(location: "/x/Tides/02 Bjo\u{308}rk.flac")) == "path Tides")
    // The name of the file alone says too little.
    #expect(try await match(catalogue, track(location: "/x/y/02 Lights.flac")) == "missing -")
  }

  @Test func percentSignsOfRelativePathsAreDecoded() async throws {
    let catalogue = try await catalogue()
    try catalogue.tree.flac("Live/100%25 Hit.flac", ["ALBUM=Literal", "TITLE=Hit", "ARTIST=A"])
    try catalogue.tree.flac("Live/50%.flac", ["ALBUM=Decoded", "TITLE=Half", "ARTIST=A"])
    try await catalogue.refresh()
    #expect(try await match(catalogue, track(location: "Live/02%20Lights.flac")) == "file Live")
    #expect(try await match(catalogue, track(location: "Live/100%25 Hit.flac")) == "file Literal")
    #expect(try await match(catalogue, track(location: "Live/100%2525%20Hit.flac")) == "file Literal")
    #expect(try await match(catalogue, track(location: "Live/50%25.flac")) == "file Decoded")
    #expect(try await match(catalogue, track(location: "/x/Tides/02%20Bj%C3%B6rk.flac")) == "path Tides")
    #expect(try await match(catalogue, track(location: "/x/Live/100%25 Hit.flac")) == "path Literal")
  }

  @Test func idsOfTheRecordingComeBeforeItsNames() async throws {
    let catalogue = try await catalogue()
    let id = "6d9b2c9f-5f1a-4c5d-9e0b-1c2d3e4f5a6b"
    #expect(try await match(catalogue, track("Harbour", "?", recording: id)) == "recording Tides")
    #expect(try await match(catalogue, track("Harbour", "?", isrc: "GBAYE6800001")) == "isrc Tides")
  }

  @Test func namesAreComparedWithoutEditionsAndGuests() async throws {
    let catalogue = try await catalogue()
    #expect(try await match(catalogue, track("Harbour", "Amber Vale")) == "names Tides")
    #expect(try await match(catalogue, track("HARBOUR - Remastered 2011", "amber vale")) == "names Tides")
    #expect(try await match(catalogue, track("Harbour", "Nobody")) == "missing -")
    #expect(try await match(catalogue, track("Harbour (Live)", "Amber Vale")) == "missing -")
  }

  @Test func theAlbumAndTheLengthTellRecordingsApart() async throws {
    let catalogue = try await catalogue()
    #expect(try await match(catalogue, track("Lights", "Amber Vale", album: "Live")) == "names Live")
    #expect(try await match(catalogue, track("Lights", "Amber Vale", seconds: 301)) == "names Live")
    #expect(try await match(catalogue, track("Lights", "Amber Vale", seconds: 179)) == "names Tides")
    #expect(try await match(catalogue, track("Lights", "Amber Vale", seconds: 240)) == "missing -")
    // Without an artist, one of them has to agree.
    #expect(try await match(catalogue, track("Lights")) == "missing -")
    #expect(try await match(catalogue, track("Lights", album: "Else")) == "names Else")
  }

  @Test(arguments: [
    ("Come Together - Remastered 2009", "come together"), ("Song (feat. A) [Deluxe Edition]", "song"),
    ("Song (Live)", "song (live)"), ("(Remastered)", "(remastered)"), ("A - B", "a - b"),
  ])
  func plainTitles(_ title: String, _ plain: String) { #expect(TrackNames.plainTitle(title) == plain) }
}

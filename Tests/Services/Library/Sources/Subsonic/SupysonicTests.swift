import HTTP
import Messages
import Model
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// Tests against Debian's real supysonic, which has only the older Subsonic interface.
@Suite(.timeLimit(.minutes(5)))
struct SupysonicTests {
  private func fixture() async throws -> FakeSubsonicServer {
    try await FakeSubsonicServer("supysonic") { tree in
      func path(_ name: String) -> String { String(decoding: tree.path(name), as: UTF8.self) }
      try tree.make(folder: tree.path("A"))
      try tree.make(folder: tree.path("B"))
      for number in 1...3 {
        try await FFmpeg.sine(
          path("A/\(number).flac"),
          [
            "title=Söng \(number)", "artist=Ärtist", "album=One", "track=\(number)", "disc=2", "genre=Jazz",
            "date=1999",
          ]
          .flatMap { ["-metadata", $0] })
      }
      try await FFmpeg.picture(path("A/cover.jpg"))
      try await FFmpeg.sine(
        path("B/1.mp3"), ["-metadata", "title=Other", "-metadata", "artist=B", "-metadata", "album=Two"])
    }
  }

  @Test func aLikeStarsAnAlbumAndASecondOneChangesNothing() async throws {
    let fixture = try await fixture()
    let server = try fixture.server()
    try await fixture.read(server)
    let album = try #require(try await fixture.albums().first { $0.title == "One" })
    for _ in 0..<2 {
      try await server.like(album: album.native)
      let starred = try await server.client.call(.reads, "getStarred2")["starred2"]?["album"]?.elements ?? []
      #expect(starred.compactMap { $0["id"]?.string } == [album.native])
    }
  }

  @Test func itIsSignedInToReadAndPlayed() async throws {
    let fixture = try await fixture()
    let server = try fixture.server(forwardsPlays: true)
    // supysonic keeps only digests of passwords, and answers a token with an error about a missing parameter.
    #expect(try await server.client.profile().proof == .password)
    #expect(try await server.client.profile().serverVersion == "1.10.2")
    #expect(try await server.sections().isEmpty)
    let mark = try await fixture.read(server)
    let (tracks, albums) = (try await fixture.tracks(), try await fixture.albums())
    #expect(Set(tracks.map(\.title)) == ["Söng 1", "Söng 2", "Söng 3", "Other"])
    #expect(Set(albums.map(\.title)) == ["One", "Two"] && Set(albums.map(\.artist)) == ["Ärtist", "B"])
    let song = try #require(tracks.first { $0.title == "Söng 2" })
    #expect(song.number == 2 && song.disc == 2 && song.year == 1999 && song.genres == ["Jazz"])
    #expect(song.duration == Milliseconds(2000) && song.format == "flac" && song.addedAt != nil)

    // Nothing changed at the server.
    #expect(
      try await server.checkForChanges(since: mark, sections: [])
        == ServerChangeCheck(need: .nothing, method: "counter", missesRatings: true))

    // Audio and pictures.
    let stream = try await server.stream(part: song.part, native: song.native)
    let audio = try await fixture.http.send(HTTPRequest(.reads, url: stream.url, headers: [("Range", "bytes=0-3")]))
    #expect(audio.status == 206 && audio.body == Array("fLaC".utf8))
    let art = try #require(albums.first { $0.title == "One" }?.art)
    #expect(try await server.picture(art, size: 300).starts(with: [0xFF, 0xD8]))
    #expect(try await code { _ = try await server.picture(song.native, size: nil) } == "library.gone")

    // Tracks can be rated, albums cannot; removing a rating twice is no error.
    try await server.rate(.track(song.native), Rating(rawValue: 8))
    #expect(try await server.item(song.native).flatMap(Self.rating)?.rawValue == 8)
    for _ in 0..<2 { try await server.rate(.track(song.native), nil) }
    #expect(try await server.item(song.native).flatMap(Self.rating) == nil)
    let album = try #require(albums.first)
    #expect(
      try await code { try await server.rate(.album(album.native), Rating(rawValue: 8)) } == "library.notRateable")

    // Plays.
    try await server.countPlay(of: song.native, at: Timestamp(seconds: 1_700_000_000))

    // Single items.
    guard case .album(_, let listed) = try await server.item(song.album) else {
      Issue.record("no album")
      return
    }
    #expect(listed.count == 3)
    #expect(try await server.item("no-such-thing") == nil)
  }

  private static func rating(_ item: ServerItem) -> Rating? {
    if case .track(let track) = item { track.rating } else { nil }
  }

  @Test func aWrongPasswordIsSignedOut() async throws {
    let fixture = try await FakeSubsonicServer("supysonic")
    let client = try fixture.client(.password(user: "tester", password: "wrong"))
    #expect(try await code { _ = try await client.profile() } == "library.signedOut")
    let server = try fixture.server()
    try await fixture.read(server)
    #expect(try await fixture.tracks().isEmpty)
  }
}

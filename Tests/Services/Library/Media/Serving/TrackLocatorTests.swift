import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import Testing

@testable import Catalogue
@testable import Media
@testable import Records

/// The location of a track's audio.
@Suite(.timeLimit(.minutes(2)))
struct TrackLocatorTests {
  private let catalogue: TestCatalogue
  private let near = FakeServer.Contents.holding("m1")
  private let far = FakeServer.Contents.holding("m2", format: "flac")

  init() async throws {
    catalogue = try TestCatalogue()
    try await catalogue.refresh(near)
    try await catalogue.refresh(far, "plex-2")
  }

  /// Shows what an address for another host would lead to.
  private static let mediaAddress:
    @Sendable (TrackID, TrackLocator.Audio, Milliseconds) async throws -> Library.Locator =
      {
        _, audio, duration in
        switch audio {
        case .file(let path, let segment): .url("media:\(path)", headers: [:], expiresIn: duration, segment: segment)
        case .stream(let stream): .url("relay:\(stream.source)", headers: stream.headers, expiresIn: duration)
        }
      }

  private func locator(without absent: String? = nil) -> TrackLocator {
    let servers = ["plex": near, "plex-2": far]
    return TrackLocator(
      database: catalogue.database, hostID: "here", roots: { [] }, mediaAddress: Self.mediaAddress,
      server: { $0 == absent ? nil : servers[$0] })
  }

  @Test func theBestCopyIsGiven() async throws {
    let track = try await catalogue.track("Song 1 of Blue")
    #expect(try await locator().locate(track.id, for: "here") == .url("fake:/parts/101", headers: [:]))
    #expect(track.id.source == "plex-2")
  }

  @Test func theNextCopyStandsInForOneThatCannotBeHad() async throws {
    let track = try await catalogue.track("Song 1 of Blue")
    let place = try await locator(without: "plex-2").locate(track.id, for: "here")
    #expect(place == .url("fake:/parts/101", headers: [:]))
  }

  @Test func whereNoCopyCanBeHadTheReasonOfTheBestIsGiven() async throws {
    let track = try await catalogue.track("Song 1 of Blue")
    let locator = TrackLocator(
      database: catalogue.database, hostID: "here", roots: { [] }, mediaAddress: Self.mediaAddress,
      server: { _ in nil })
    await #expect(throws: SourceError.away("plex-2", cause: nil)) {
      try await locator.locate(track.id, for: "here")
    }
  }

  @Test func oneThatIsAsleepIsNotWaitedForWhereThereIsAnother() async throws {
    let track = try await catalogue.track("Song 1 of Blue")
    far.change { $0.isAsleep = true }
    defer { far.wake() }
    var locator = locator()
    locator.patience = (next: .milliseconds(20), last: .seconds(60))
    for _ in 0..<2 {
      #expect(try await locator.locate(track.id, for: "here") == .url("fake:/parts/101", headers: [:]))
    }
    // The second call asks the other server first.
    #expect(far.asked.load(ordering: .relaxed) == 1)
  }

  @Test func theLastCopyIsWaitedForLongerAndThenTold() async throws {
    let track = try await catalogue.track("Song 1 of Blue")
    for server in [near, far] { server.change { $0.isAsleep = true } }
    defer { for server in [near, far] { server.wake() } }
    var locator = locator()
    locator.patience = (next: .milliseconds(10), last: .milliseconds(20))
    let error = await #expect(throws: LunaraError.self) { try await locator.locate(track.id, for: "here") }
    #expect(error?.code == "library.sourceAway")
    #expect(error?.message.contains("plex-2") == true)
  }

  @Test(arguments: [
    "http://localhost:32400", "http://127.0.0.1:4533", "http://[::1]:32400",
    "https://127-0-0-1.0123456789abcdef.plex.direct:32400", "http://me:secret@LOCALHOST",
  ])
  func whatOnlyTheLibrarysHostReachesIsPassedOnByIt(_ address: String) async throws {
    let track = try await catalogue.track("Song 1 of Blue")
    far.change { $0.audio = address }
    let url = address + "/parts/101"
    #expect(try await locator().locate(track.id, for: "here") == .url(url, headers: ["X-Token": "secret"]))
    let place = try await locator().locate(track.id, for: "there")
    #expect(place == .url("relay:plex-2", headers: ["X-Token": "secret"], expiresIn: track.duration))
  }

  @Test(arguments: [
    "http://127.0.0.1.example.org", "http://192.168.1.5:32400/localhost", "http://music@10.0.0.1",
    "http://[fd00::1]:80",
    "https://192-168-1-5.0123456789abcdef.plex.direct:32400",
  ])
  func anAddressThatTheRoomReachesIsGivenToIt(_ address: String) async throws {
    let track = try await catalogue.track("Song 1 of Blue")
    far.change { $0.audio = address }
    let place = try await locator().locate(track.id, for: "there")
    #expect(place == .url(address + "/parts/101", headers: ["X-Token": "secret"]))
  }

  @Test func whereOtherHostsAreNotServedTheCopyIsNotToBlame() async throws {
    let track = try await catalogue.track("Song 1 of Blue")
    near.change { $0.audio = "http://127.0.0.1:1" }
    far.change { $0.audio = "http://127.0.0.1:2" }
    let servers = ["plex": near, "plex-2": far]
    let locator = TrackLocator(
      database: catalogue.database, hostID: "here", roots: { [] },
      mediaAddress: { _, _, _ in throw LunaraError("library.mediaAway", "It does not run.") }, server: { servers[$0] })
    await #expect {
      try await locator.locate(track.id, for: "there")
    } throws: {
      LunaraError($0).code == "library.mediaAway"
    }
    // The best copy is still tried first.
    let best = Library.Locator.url("http://127.0.0.1:2/parts/101", headers: ["X-Token": "secret"])
    #expect(try await locator.locate(track.id, for: "here") == best)
  }

  @Test func aDescribedTrackIsTheOneThatItMeans() async throws {
    let track = try await catalogue.track("Song 1 of Blue")
    var described = DescribedTrack(title: "song 1 of BLUE", artist: track.artist)
    func place() async throws -> Library.Locator {
      try await locator().locate(.init(id: described.track.id, host: "here", described: described))
    }
    #expect(try await place() == .url("fake:/parts/101", headers: [:]))
    described.artist = "Somebody else"
    let error = await #expect(throws: LunaraError.self) { try await place() }
    #expect(error?.code == "library.notHere" && error?.message.contains("song 1 of BLUE") == true)
  }

  @Test func aFileIsAPathHereAndAnAddressElsewhere() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.flac("A/1.flac", ["TITLE=One", "ALBUM=First", "ARTIST=A"])
    try await catalogue.refresh()
    let track = try #require(try await catalogue.tracks().first)
    let locator = TrackLocator(
      database: catalogue.database, hostID: "here", roots: { [] }, mediaAddress: Self.mediaAddress,
      server: { _ in nil })
    let path = try await catalogue.database.read { try Catalogue.path(of: track.id, $0) }
    #expect(try await locator.locate(track.id, for: "here") == .file(path))
    let place = try await locator.locate(track.id, for: "there")
    #expect(place == .url("media:\(path)", headers: [:], expiresIn: track.duration))
  }
}

extension FakeServer.Contents {
  /// A server with one album.
  fileprivate static func holding(_ machine: String, format: String = "mp3") -> FakeServer {
    var contents = FakeServer.Contents()
    contents.machine = machine
    contents.album(100, "Blue", format: format)
    return FakeServer(contents)
  }
}

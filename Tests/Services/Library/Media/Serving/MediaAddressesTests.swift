import Bus
import Messages
import Model
import ServiceKit
import System
import TestSupport
import Testing

@testable import Media
@testable import Records

/// The addresses of `lunara-media` that the library makes for other hosts.
@Suite(.timeLimit(.minutes(2)))
struct MediaAddressesTests {
  private let bus: TestBus
  private let tree: MusicTree
  private let library: Node
  private let addresses: MediaAddresses
  private let home: String

  init() async throws {
    bus = try TestBus()
    tree = try MusicTree()
    home = tree.beside("home")
    try tree.make(folder: Array(home.utf8))
    library = try await bus.node("library@main")
    addresses = MediaAddresses(
      node: library, home: home, address: MediaAddress(setting: nil, listening: nil),
      files: MediaFiles(folders: MusicFolders([tree.root]), artwork: tree.beside("artwork")),
      now: { Timestamp(seconds: 1_000) })
    await addresses.start()
  }

  private func path(_ name: String) -> LocalPath { LocalPath(bytes: tree.path(name)) }

  private func audio(_ name: String) async throws -> Library.Locator {
    try await addresses.audio(
      of: TrackID(source: "files", native: "t1"), path(name), lasting: Milliseconds(1000), segment: nil)
  }

  /// Returns what an address leads to for a process with the same home folder.
  private func link(_ locator: Library.Locator, of id: String = "files:t1") throws -> MediaLink {
    guard case .url(let url, let headers, let time, _, _) = locator else {
      throw LunaraError("test.noURL", "It is no URL.")
    }
    #expect(headers.isEmpty && time == MediaLink.lifetime)
    let parts = url.split(separator: "?link=", maxSplits: 1)
    // The part that never changes tells the room which of its files it is.
    #expect(parts[0] == "http://127.0.0.1:4711/\(id == "files:c1" ? "art" : "audio")/\(id)")
    return try MediaSeal(store: CredentialStore(home: home)).link(
      at: "/audio/x", query: ["link": String(parts[1])], now: Timestamp(seconds: 1_000))
  }

  @Test func theFirstOneStartsTheServiceAndLeadsToTheFile() async throws {
    try tree.album("x", ["ALBUM=X"])
    #expect(!Files.exists("\(home)/media"))
    let asked = Task { try await audio("x/01.flac") }
    #expect(await eventually { Files.exists("\(home)/media") })
    let media = try await bus.node("media@main")
    await media.publish(Media.Endpoint(port: 4711))
    let expires = Timestamp(seconds: 1_000 + MediaLink.lifetime.rawValue / 1000)
    #expect(
      try link(try await asked.value)
        == MediaLink(file: path("x/01.flac"), duration: Milliseconds(1000), expires: expires))
    // While the service is away, addresses are made for the port that it will have again.
    await media.close()
    let picture = try await addresses.picture(of: ArtID(source: "files", native: "c1"), path("x/02.flac"))
    #expect(try link(picture, of: "files:c1") == MediaLink(file: path("x/02.flac"), duration: nil, expires: expires))
    await library.close()
  }

  @Test func whereTheServiceDoesNotStartNobodyWaitsTwice() async throws {
    try tree.album("x", ["ALBUM=X"])
    let hasty = MediaAddresses(
      node: library, home: home, address: MediaAddress(setting: nil, listening: nil),
      files: MediaFiles(folders: MusicFolders([tree.root]), artwork: tree.beside("artwork")),
      startTime: .milliseconds(50), now: { Timestamp(seconds: 1_000) })
    await hasty.start()
    func code() async -> String? {
      do {
        _ = try await hasty.picture(of: ArtID(source: "files", native: "c1"), path("x/01.flac"))
        return nil
      } catch { return LunaraError(error).code }
    }
    for _ in 0..<100 { #expect(await code() == "library.mediaAway") }
    let media = try await bus.node("media@main")
    await media.publish(Media.Endpoint(port: 4711))
    #expect(await eventually(equals: nil) { await code() })
    await library.close()
  }

  @Test func whyNoPortIsOpenIsSaid() async throws {
    try tree.album("x", ["ALBUM=X"])
    let media = try await bus.node("media@main")
    let problem = LunaraError("library.mediaKeyNeeded", "There is no key.")
    await media.publish(Media.Endpoint(port: nil, problem: problem))
    await #expect {
      try await audio("x/01.flac")
    } throws: {
      LunaraError($0).code == "library.mediaAway" && LunaraError($0).message.contains(problem.message)
    }
    await media.publish(Media.Endpoint(port: 4711))
    #expect(
      await eventually {
        do { return try link(try await audio("x/01.flac")).file == path("x/01.flac") } catch { return false }
      })
    await library.close()
  }

  @Test func aFileThatLeadsOutOfTheFoldersHasNoAddress() async throws {
    let media = try await bus.node("media@main")
    await media.publish(Media.Endpoint(port: 4711))
    try tree.album("x", ["ALBUM=X"])
    let secret = tree.beside("secret")
    try tree.write(Array("secret".utf8), to: Array(secret.utf8))
    try tree.link("x/out.flac", to: secret)
    await #expect { try await audio("x/out.flac") } throws: { LunaraError($0).code == "library.outsideFolders" }
    await #expect {
      try await addresses.picture(of: ArtID(source: "files", native: "c1"), path("x/out.flac"))
    } throws: {
      LunaraError($0).code == "library.outsideFolders"
    }
    // A link to a file within the folders leads to that file.
    try tree.link("x/in.flac", to: "02.flac")
    #expect(try link(try await audio("x/in.flac")).file == path("x/02.flac"))
    try tree.remove("x/01.flac")
    await #expect { try await audio("x/01.flac") } throws: { LunaraError($0).code == "library.fileMissing" }
    await library.close()
  }

  @Test func aPathThatNoPlayerTakesIsRefused() async throws {
    let media = try await bus.node("media@main")
    await media.publish(Media.Endpoint(port: 4711))
    let name = (0..<14).map { _ in String(repeating: "ä", count: 120) }.joined(separator: "/") + "/01.flac"
    try tree.write([1], to: tree.path(name))
    await #expect { try await audio(name) } throws: { LunaraError($0).code == "library.pathTooLong" }
    await library.close()
  }
}

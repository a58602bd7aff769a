import Bus
import Catalogue
import Messages
import Model
import Records
import ServiceKit
import System

/// Makes the addresses at which other hosts get audio and pictures from `lunara-media`, which runs in households that
/// have asked for one.
actor MediaAddresses {
  private let node: Node
  private let home: String
  private let address: MediaAddress
  private let files: MediaFiles
  private let seal: MediaSeal
  private let now: @Sendable () -> Timestamp
  /// The newest state of `lunara-media`, also while it is away: it has the same port when it comes back.
  private var endpoint: Media.Endpoint?
  private var following: Task<Void, Never>?
  /// True if the service did not start in time; then nobody waits for it again until it is there.
  private var didNotStart = false

  /// The time in which a household starts `lunara-media`, at most.
  private let startTime: Duration
  /// The longest address: players and servers take no more than 4,096 bytes with the name of the host.
  private static let longest = 3900

  /// - Parameter home: the home folder of the library, whose folder `media` says that the household has other hosts.
  init(
    node: Node, home: String, address: MediaAddress, files: MediaFiles, startTime: Duration = .seconds(6),
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.startTime = startTime
    self.node = node
    self.home = home
    self.address = address
    self.files = files
    self.now = now
    seal = MediaSeal(store: CredentialStore(home: home))
  }

  func start() {
    following = Task { [node, weak self] in
      for await all in await node.states(Media.Endpoint.self) {
        guard let newest = all.first(where: { $0.node == .media }) else { continue }
        await self?.update(newest.value)
      }
    }
  }

  func stop() { following?.cancel() }

  private func update(_ endpoint: Media.Endpoint) {
    self.endpoint = endpoint
    didNotStart = false
  }

  /// Returns the address of a file of audio.
  ///
  /// - Throws: `library.fileMissing`, `library.outsideFolders`, and the errors of `address(named:of:)`.
  func audio(
    of id: TrackID, _ path: LocalPath, lasting duration: Milliseconds, segment: AudioSegment?
  ) async throws -> Library.Locator {
    let file = try await BlockingThreads.perform { [files] in try files.audio(path) }
    return try await locator("\(id)", MediaLink(file: file, duration: duration, expires: expires), segment)
  }

  /// Returns the address of audio that a server has and only this host reaches.
  ///
  /// - Throws: the errors of `address(named:of:)`.
  func stream(
    of id: TrackID, _ stream: MediaLink.Stream, lasting duration: Milliseconds
  ) async throws -> Library.Locator {
    try await locator("\(id)", MediaLink(stream: stream, duration: duration, expires: expires))
  }

  /// Returns the address of a picture.
  ///
  /// - Throws: `library.fileMissing`, `library.outsideFolders`, and the errors of `address(named:of:)`.
  func picture(of id: ArtID, _ path: LocalPath) async throws -> Library.Locator {
    let file = try await BlockingThreads.perform { [files] in try files.picture(path) }
    return try await locator("\(id)", MediaLink(file: file, duration: nil, expires: expires))
  }

  private var expires: Timestamp {
    Timestamp(microseconds: now().microseconds + MediaLink.lifetime.rawValue * 1000)
  }

  private func locator(
    _ name: String, _ link: MediaLink, _ segment: AudioSegment? = nil
  ) async throws -> Library.Locator {
    .url(try await address(named: name, of: link), headers: [:], expiresIn: MediaLink.lifetime, segment: segment)
  }

  /// - Throws: `library.mediaAway`, `library.pathTooLong`, and the errors of `MediaSeal`.
  private func address(named name: String, of link: MediaLink) async throws -> String {
    let target = try seal.target(of: link, named: name)
    guard target.utf8.count <= Self.longest else {
      throw LunaraError(
        "library.pathTooLong",
        "\(link.file.map { "\($0)" } ?? "An address") is too long for other hosts. Shorten the names of its folders.")
    }
    let port = try await port()
    return address.base(port: port, advertised: await node.advertisedHost) + target
  }

  /// Returns the port of `lunara-media`. Makes the folder that says that the household needs it if it does not run yet.
  private func port() async throws -> UInt16 {
    if endpoint == nil {
      do throws(Errno) { try Files.makeFolder("\(home)/media") } catch { throw away(cause: error.text) }
    }
    let deadline = ContinuousClock.now + startTime
    while endpoint == nil, !didNotStart, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(20))
    }
    didNotStart = endpoint == nil
    if let problem = endpoint?.problem {
      throw LunaraError(
        Self.awayCode, "lunara-media serves no other hosts: \(problem.message)", cause: problem.cause)
    }
    guard let port = endpoint?.port else { throw away(cause: nil) }
    return port
  }

  private static let awayCode = "library.mediaAway"

  private func away(cause: String?) -> LunaraError {
    LunaraError(
      Self.awayCode,
      "lunara-media does not run, so other hosts get no music from the library. It is started once there is the folder \(home)/media; see that it is installed, and run `lunara enable` once more if that started Lunara here. Rooms on the library's host play.",
      cause: cause)
  }
}

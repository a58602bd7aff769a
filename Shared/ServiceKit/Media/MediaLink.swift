import Bus
import Messages
public import Model
import Synchronization

/// The target of an address of `lunara-media`: a file, or the audio of a server. The library makes addresses, and
/// `lunara-media` answers them without asking anybody, so that music that plays elsewhere continues while the library
/// is away.
public struct MediaLink: Codable, Hashable, Sendable {
  /// The file, with all links followed; nil for the audio of a server.
  public var file: LocalPath?
  /// The audio of a server that only this host reaches; nil for a file.
  public var stream: Stream?
  /// The length of the track; nil for a picture.
  public var duration: Milliseconds?
  /// The time from which the address is refused.
  public var expires: Timestamp

  /// The audio of a server.
  public struct Stream: Codable, Hashable, Sendable {
    /// The name of the source.
    public var source: String
    /// The address at the server.
    public var url: String
    /// The headers of the request, which may hold a secret.
    public var headers: [String: String]

    public init(source: String, url: String, headers: [String: String]) {
      self.source = source
      self.url = url
      self.headers = headers
    }
  }

  /// The time for which an address is valid: a track that is paused in the evening continues the next morning.
  public static let lifetime = Milliseconds(24 * 3600 * 1000)

  public init(file: LocalPath, duration: Milliseconds?, expires: Timestamp) {
    self.file = file
    self.duration = duration
    self.expires = expires
  }

  public init(stream: Stream, duration: Milliseconds, expires: Timestamp) {
    self.stream = stream
    self.duration = duration
    self.expires = expires
  }
}

extension MediaLink {
  /// The reasons why an address is refused; the raw value is the text of the answer.
  public enum Refusal: String, Error {
    case unknown = "There is no such item."
    case sealedByOthers = "This address was not given by the library."
    case expired = "This address has expired."
  }
}

/// Seals what the addresses of `lunara-media` lead to, and opens it: nobody else can make an address, or read the path
/// or the secret in one. The key is the credential `media` of the home folder, which both processes read; it is random,
/// and is no key of the household.
public final class MediaSeal: Sendable {
  private static let credential = "media"
  private static let use = "lunara-media-2"
  /// The beginnings of paths: those of earlier versions, so that rooms know what they keep.
  private static let audio = "/audio/"
  private static let picture = "/art/"
  private static let field = "link"

  private let store: CredentialStore
  private let pause: Duration
  private let known = Mutex<(box: SecretBox?, readAt: ContinuousClock.Instant?)>((nil, nil))

  /// - Parameters:
  ///   - store: the credentials of the home folder.
  ///   - pause: the time between two readings of the key for addresses that it does not open, which anybody may send.
  public init(store: CredentialStore, pause: Duration = .seconds(1)) {
    self.store = store
    self.pause = pause
  }

  /// Returns the path and query of an address that leads to `link`. Makes the key if there is none.
  ///
  /// - Parameters:
  ///   - link: the target.
  ///   - name: the id of what is served. The path without the query is the same each time, so that a room finds what it
  ///     has fetched before.
  /// - Throws: `bus.noSodium`, and the errors of `CredentialStore`.
  public func target(of link: MediaLink, named name: String) throws -> String {
    // Read each time, as the other process reads it too.
    let box = try known.withLock { _ in try read() ?? makeKey() }
    let sealed = box.seal(try MessageCoding.encode(link))
    let beginning = link.duration == nil ? Self.picture : Self.audio
    return "\(beginning)\(PercentCoding.encode(name, keeping: ":"))?\(Self.field)=\(sealed)"
  }

  /// Returns what an address leads to.
  ///
  /// - Throws: `MediaLink.Refusal`, and the errors of `CredentialStore`.
  public func link(at path: String, query: [String: String], now: Timestamp) throws -> MediaLink {
    guard path.hasPrefix(Self.audio) || path.hasPrefix(Self.picture) else { throw MediaLink.Refusal.unknown }
    guard let bytes = try query[Self.field].flatMap(open) else { throw MediaLink.Refusal.sealedByOthers }
    let link = try MessageCoding.decode(MediaLink.self, from: bytes)
    guard now < link.expires else { throw MediaLink.Refusal.expired }
    return link
  }

  /// Opens a sealed text with the key that was read before, else with the one that is stored now.
  private func open(_ text: String) throws -> [UInt8]? {
    if let box = known.withLock({ $0.box }), let bytes = box.open(text) { return bytes }
    let box = try known.withLock { known -> SecretBox? in
      let now = ContinuousClock.now
      if known.box != nil, let last = known.readAt, now - last < pause { return nil }
      known.readAt = now
      guard let box = try read() else { return nil }
      known.box = box
      return box
    }
    return box?.open(text)
  }

  private func makeKey() throws -> SecretBox {
    let box = try SecretBox.random(use: Self.use)
    try store.write(box.keyText, Self.credential)
    return box
  }

  private func read() throws -> SecretBox? {
    try store.read(String.self, Self.credential).flatMap { SecretBox(use: Self.use, key: $0) }
  }
}

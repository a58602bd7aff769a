import Bus
import Messages
import Model

/// Finds out where an item's audio is, as this room can read it.
struct AudioLocator: Sendable {
  /// This room's host.
  let host: String
  /// Asks the router, and waits so long.
  let ask: @Sendable (Router.Resolve, Duration) async throws -> Library.Locator
  /// What was fetched in advance; nil where nothing is.
  var cache: Prefetcher?

  /// How long the router is waited for where the item's own path would do: a person waits for sound.
  private static let brief = Duration.seconds(1)
  /// How long where only a server knows, which may have to look at the audio first. That is longer than a room waits for
  /// sound: it says then what is amiss, and begins as soon as the answer is there.
  static let patient = Duration.seconds(15)

  /// Asks over the bus.
  init(host: String, node: Node) {
    self.init(host: host) { try await node.request($0, to: .router, within: $1) }
  }

  init(host: String, ask: @escaping @Sendable (Router.Resolve, Duration) async throws -> Library.Locator) {
    self.host = host
    self.ask = ask
  }

  /// The path that an item brought along, where it is one of this host.
  func ownPath(of item: QueueItem) -> LocalPath? {
    guard item.host == host, let path = item.path, MPVText.accepts(.file(path)) else { return nil }
    return path
  }

  /// The place of an item's audio: as the router says, yet where that is a stream which was fetched already, the file.
  /// Where nobody can be asked it is the item's own path on this host, or what was fetched of it last.
  ///
  /// - Throws: what the router says, a `bus.…` error where it is away and the item has no path here, and
  ///   `playback.badLocator`.
  func locate(_ item: QueueItem) async throws -> Library.Locator {
    let path = ownPath(of: item)
    let hasCopy = cache?.has(item) ?? false
    let locator: Library.Locator
    do {
      let found = try await resolve(item, within: path == nil && !hasCopy ? Self.patient : Self.brief)
      if case .url(let url, _, _) = found, let file = cache?.file(of: item, at: url) {
        locator = .file(file)
      } else {
        locator = found
      }
    } catch {
      let error = LunaraError(error)
      if error.isPassing, let path {
        locator = .file(path)
      } else if error.leavesCopies, let file = cache?.file(of: item) {
        locator = .file(file)
      } else {
        throw error
      }
    }
    guard MPVText.accepts(locator) else { throw CueFailure.badLocator }
    return locator
  }

  /// The place as the router says.
  func resolve(_ item: QueueItem, within patience: Duration = Self.patient) async throws -> Library.Locator {
    try await ask(Router.Resolve(track: item.track.id, host: host), patience)
  }
}

extension LunaraError {
  /// Whether what was fetched of a track may be played though nobody says where it lies: not where it is no more.
  fileprivate var leavesCopies: Bool { code != "library.unknownID" && code != "library.fileMissing" }
}

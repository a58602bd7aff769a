import Bus
import Messages
import Model

/// Finds a locator for an item's audio that this room can read.
struct AudioLocator: Sendable {
  let host: String
  /// The prefetched files; nil where nothing is fetched in advance.
  var cache: Prefetcher?
  /// Asks the router for a locator, and waits for at most the given time.
  let ask: @Sendable (Router.Resolve, Duration) async throws -> Library.Locator

  /// The time to wait for the router if the item's own path or a prefetched file could be played instead.
  private static let shortTimeout = Duration.seconds(1)
  /// The time to wait if nothing else could be played: a server may have to look at the audio before it answers. It is
  /// longer than a room waits for sound; the room then shows an error, and begins as soon as the answer is there.
  static let longTimeout = Duration.seconds(15)

  /// Returns the path that an item brought along, if it is one of this host.
  func ownPath(of item: QueueItem) -> LocalPath? {
    guard item.host == host, let path = item.path, MPVText.accepts(.file(path)) else { return nil }
    return path
  }

  /// Returns the locator that the router gives, or the prefetched file of that address. If the router is away it is the
  /// item's own path on this host; after any error but a missing track it is the newest prefetched file. Throws the
  /// router's error or `bus.…` if there is neither, and `playback.badLocator`.
  func locate(_ item: QueueItem) async throws -> Library.Locator {
    let path = ownPath(of: item)
    let hasCopy = cache?.has(item) ?? false
    let locator: Library.Locator
    do {
      let found = try await resolve(item, within: path == nil && !hasCopy ? Self.longTimeout : Self.shortTimeout)
      let file: LocalPath? = if case .url(let url, _, _) = found { cache?.file(of: item, at: url) } else { nil }
      locator = file.map { .file($0) } ?? found
    } catch {
      let error = LunaraError(error)
      if error.isTemporary, let path {
        locator = .file(path)
      } else if error.allowsPrefetched, let file = cache?.file(of: item) {
        locator = .file(file)
      } else {
        throw error
      }
    }
    guard MPVText.accepts(locator) else { throw CueFailure.badLocator }
    return locator
  }

  func result(of item: QueueItem) async -> Result<Library.Locator, LunaraError> {
    do { return .success(try await locate(item)) } catch { return .failure(LunaraError(error)) }
  }

  /// Returns the locator that the router gives; prefetched files are not looked at.
  func resolve(_ item: QueueItem, within patience: Duration = Self.longTimeout) async throws -> Library.Locator {
    try await ask(Router.Resolve(track: item.track.id, host: host), patience)
  }
}

extension LunaraError {
  /// True if a prefetched file may be played in spite of this error: not if the track itself is gone.
  fileprivate var allowsPrefetched: Bool { code != "library.unknownID" && code != "library.fileMissing" }
}

import Bus
import Messages
import Model

/// Finds the place of an item's audio, as this room can read it.
struct AudioLocator: Sendable {
  let host: String
  /// The prefetched files; nil where nothing is fetched in advance.
  var cache: Prefetcher?
  /// Asks the router, and waits at most that long.
  let ask: @Sendable (Router.Resolve, Duration) async throws -> Library.Locator

  /// The time to wait for the router if the item's own path would do: a person waits for sound.
  private static let shortTimeout = Duration.seconds(1)
  /// The time to wait if only a server knows, which may have to look at the audio first. That is longer than a room
  /// waits for sound: the room then reports an error, and begins as soon as the answer is there.
  static let longTimeout = Duration.seconds(15)

  /// Returns the path that an item brought along, if it is one of this host.
  func ownPath(of item: QueueItem) -> LocalPath? {
    guard item.host == host, let path = item.path, MPVText.accepts(.file(path)) else { return nil }
    return path
  }

  /// Returns the place of an item's audio: as the router says, but the prefetched file if there is one. If nobody can
  /// be asked it is the item's own path on this host, or the newest prefetched file. Throws the router's error, a
  /// `bus.…` error where it is away and the item has no path here, and `playback.badLocator`.
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
      } else if error.leavesCopies, let file = cache?.file(of: item) {
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

  /// Returns the place that the router gives.
  func resolve(_ item: QueueItem, within patience: Duration = Self.longTimeout) async throws -> Library.Locator {
    try await ask(Router.Resolve(track: item.track.id, host: host), patience)
  }
}

extension LunaraError {
  /// True if a prefetched file may be played though nobody says where the track lies: not if the track is gone.
  fileprivate var leavesCopies: Bool { code != "library.unknownID" && code != "library.fileMissing" }
}

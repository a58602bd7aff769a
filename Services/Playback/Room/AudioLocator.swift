import Bus
import Messages
import Model

/// Finds a locator of an item's audio that this room can read.
struct AudioLocator: Sendable {
  let host: String
  /// The prefetched files; nil if nothing is fetched in advance.
  var cache: Prefetcher?
  /// The albums that this room keeps; nil if it keeps none.
  var offline: OfflineAlbums?
  /// Asks the router for a locator, and waits for at most the given time.
  let ask: @Sendable (Router.Resolve, Duration) async throws -> Library.Locator

  /// The time to wait for the router if the item's own path or a prefetched file can be played instead.
  private static let shortTimeout = Duration.seconds(1)
  /// The time to wait if there is no alternative: a server may have to look at the audio before it answers. It is
  /// longer than the room waits for sound; the room then shows an error, and starts when the answer arrives.
  static let longTimeout = Duration.seconds(15)

  /// Returns the path in an item, if it is a path on this host.
  func ownPath(of item: QueueItem) -> LocalPath? {
    guard item.host == host, let path = item.path, MPVText.accepts(.file(path, segment: item.segment)) else {
      return nil
    }
    return path
  }

  /// Returns the copy of a track whose album this room keeps, which needs nobody. Otherwise asks the router.
  ///
  /// Returns the router's locator, or the prefetched file of its address. If the router is away, returns the item's own
  /// path on this host; after any error except a missing track, returns the newest prefetched file. Throws the router's
  /// error or `bus.…` if there is neither, and `playback.badLocator`.
  ///
  /// - Parameter failed: the ids of the plugins whose addresses of the item could not be played.
  func locate(_ item: QueueItem, failed: [String] = []) async throws -> Library.Locator {
    if failed.isEmpty, let kept = await offline?.copy(of: item, marks: true), MPVText.accepts(kept) { return kept }
    let path = ownPath(of: item)
    let hasCopy = cache?.has(item) ?? false
    let locator: Library.Locator
    do {
      let found = try await resolve(
        item, failed: failed, within: path == nil && !hasCopy ? Self.longTimeout : Self.shortTimeout)
      locator = cache?.file(of: item, at: found).map { .file($0, segment: found.segment) } ?? found
    } catch {
      let error = LunaraError(error)
      if error.isTemporary, let path {
        locator = .file(path, segment: item.segment)
      } else if error.allowsPrefetched, let copy = cache?.copy(of: item) {
        locator = copy
      } else {
        throw error
      }
    }
    guard MPVText.accepts(locator) else { throw CueFailure.badLocator }
    return locator
  }

  /// Returns the place of an item's audio, without asking anybody.
  func place(of item: QueueItem) async -> Playback.AudioPlace {
    if await offline?.copy(of: item, marks: false) != nil { return .kept }
    if ownPath(of: item) != nil { return .here }
    return cache?.has(item) == true ? .fetched : .away
  }

  func result(of item: QueueItem, failed: [String] = []) async -> Result<Library.Locator, LunaraError> {
    do { return .success(try await locate(item, failed: failed)) } catch { return .failure(LunaraError(error)) }
  }

  /// Returns the router's locator, without looking for prefetched files. Throws the router's error or `bus.…`.
  func resolve(
    _ item: QueueItem, failed: [String] = [], within patience: Duration = Self.longTimeout
  ) async throws -> Library.Locator {
    let request = Router.Resolve(
      track: item.track.id, host: host, described: item.described, failed: failed.isEmpty ? nil : failed)
    return try await ask(request, patience)
  }
}

extension LunaraError {
  /// True if a prefetched file may be played in spite of this error, as the track itself still exists.
  fileprivate var allowsPrefetched: Bool { code != "library.unknownID" && code != "library.fileMissing" }
}

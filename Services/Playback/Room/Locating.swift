import Bus
import Messages
import Model

/// Finds out where an item's audio is, as this room can read it.
struct Locating: Sendable {
  /// This room's host.
  let host: String
  /// Asks the router.
  let ask: @Sendable (Router.Resolve) async throws -> Library.Locator

  /// Asks over the bus. The time is short: a person waits for sound.
  init(host: String, node: Node) {
    self.init(host: host) { try await node.request($0, to: .router, within: .seconds(1)) }
  }

  init(host: String, ask: @escaping @Sendable (Router.Resolve) async throws -> Library.Locator) {
    self.host = host
    self.ask = ask
  }

  /// The place of an item's audio: as the router says, or the item's own path on this host where neither router nor
  /// library can be asked.
  ///
  /// - Throws: what the router says, a `bus.…` error where it is away and the item has no path here, and
  ///   `playback.badLocator`.
  func locate(_ item: QueueItem) async throws -> Library.Locator {
    let locator: Library.Locator
    do {
      locator = try await ask(Router.Resolve(track: item.track.id, host: host))
    } catch {
      let error = LunaraError(error)
      guard error.isPassing, let path = item.path, item.host == host else { throw error }
      locator = .file(path)
    }
    guard PlayerWords.accepts(locator) else { throw CueFailure.badLocator }
    return locator
  }
}

import Bus
import Messages
import Model

/// Finds out where an item's audio is, as this room can read it.
struct Locating: Sendable {
  /// This room's host.
  let host: String
  /// Asks the router, and waits so long.
  let ask: @Sendable (Router.Resolve, Duration) async throws -> Library.Locator

  /// How long the router is waited for where the item's own path would do: a person waits for sound.
  private static let brief = Duration.seconds(1)
  /// How long where only a server knows, which may have to look at the audio first.
  private static let patient = Duration.seconds(15)

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
    guard item.host == host, let path = item.path, PlayerWords.accepts(.file(path)) else { return nil }
    return path
  }

  /// The place of an item's audio: as the router says, or the item's own path on this host where neither router nor
  /// library can be asked.
  ///
  /// - Throws: what the router says, a `bus.…` error where it is away and the item has no path here, and
  ///   `playback.badLocator`.
  func locate(_ item: QueueItem) async throws -> Library.Locator {
    let path = ownPath(of: item)
    let locator: Library.Locator
    do {
      locator = try await ask(
        Router.Resolve(track: item.track.id, host: host), path == nil ? Self.patient : Self.brief)
    } catch {
      let error = LunaraError(error)
      guard error.isPassing, let path else { throw error }
      locator = .file(path)
    }
    guard PlayerWords.accepts(locator) else { throw CueFailure.badLocator }
    return locator
  }
}

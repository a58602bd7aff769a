import HTTP
import Messages
import Model
import Records

/// The notifications of a server: one stream of events, which stays open between two calls of `next`, so that no event
/// is missed.
actor PlexNotifications {
  private let client: PlexClient
  private var stream: HTTPStream?
  private var events = ServerSentEvents()
  /// The time of the last byte of the stream.
  private var heardAt = ContinuousClock.now

  /// The time without a byte after which the stream is given up; servers send a ping about every ten seconds.
  static let idle = Duration.seconds(60)
  /// The time without a byte after which an open stream does not show any more that the server is there.
  static let silence = Duration.seconds(25)
  /// The time without events that ends a change: a scan sends thousands of them.
  static let settling = Duration.seconds(5)
  /// The time after which a server that refuses notifications is asked again: servers of friends refuse them, and old
  /// ones do not have them.
  static let refusedRetryDelay = Duration.seconds(86400)
  /// The most times that `settling` is waited for one change.
  static let patience = 12

  init(client: PlexClient) { self.client = client }

  /// Waits until the server has sent a change, or a new stream was opened, since events before that may be lost. Throws
  /// `library.sourceAway`, `library.signedOut`, `CancellationError`.
  func next() async throws {
    do {
      if stream == nil {
        while try await !open() { try await client.pause(Self.refusedRetryDelay) }
        return
      }
      while let bytes = try await stream?.next() {
        heardAt = .now
        guard events.decode(bytes).contains(where: { Self.isChange($0) }) else { continue }
        return try await waitUntilQuiet()
      }
    } catch {
      close()
      guard let error = error as? LunaraError, error.code.hasPrefix("http.") else { throw error }
      throw SourceError.unreachable(client.name, error)
    }
    close()
    throw PlexError.unreadableAnswer(client.name)
  }

  /// Waits until no change came for the time `settling`, at most `patience` times.
  private func waitUntilQuiet() async throws {
    for _ in 0..<Self.patience {
      try await client.pause(Self.settling)
      let waiting = stream?.waiting() ?? []
      guard events.decode(waiting).contains(where: { Self.isChange($0) }) else { return }
    }
  }

  /// True if the server still answers on the connection of the stream, for which its machine was checked.
  var isAlive: Bool {
    guard let stream, !stream.isEnded else { return false }
    return heardAt.duration(to: .now) < Self.silence
  }

  private func close() {
    stream?.cancel()
    stream = nil
    events = ServerSentEvents()
  }

  /// Opens the stream. Returns false if the server refuses it to this account.
  private func open() async throws -> Bool {
    let url = try client.url("/:/eventsource/notifications", at: try await client.endpoint.base(isFresh: true))
    let headers = client.headers(with: [("Accept", "text/event-stream")])
    let opened = try await client.http.stream(HTTPRequest(.reads, url: url, headers: headers), idle: Self.idle)
    if [403, 404].contains(opened.status) {
      opened.cancel()
      return false
    }
    if let error = PlexError.from(opened.status, client.name) { throw error }
    stream = opened
    heardAt = .now
    return true
  }

  /// Returns true if an event reports music that was added, changed or removed. Intermediate states are ignored, and so
  /// are films.
  static func isChange(_ event: ServerSentEvent) -> Bool {
    guard let whole = JSONView(Array(event.data.utf8)) else { return false }
    let container = whole["NotificationContainer"] ?? whole
    let entries = container["TimelineEntry"] ?? container["_children"]
    return (entries?.elements ?? []).contains { entry in
      guard let kind = entry["type"]?.integer, (8...10).contains(kind) else { return false }
      if let plugin = entry["identifier"]?.string, plugin != "com.plexapp.plugins.library" { return false }
      return entry["state"]?.integer == 5 || entry["state"]?.integer == 9
        || entry["metadataState"]?.string == "deleted"
    }
  }
}

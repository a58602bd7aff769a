/// Sends the items of an outbox, each until its destination has accepted it or it is given up. The outbox is a table:
/// an item is added in the transaction that makes it necessary, so none is lost when the process is killed.
public protocol OutboxSender: Sendable {
  associatedtype Item: OutboxItem

  var loop: WorkLoop { get }
  var log: Log { get }

  /// Returns the items to send next, in their order; none if nothing is left to send.
  func waiting() async throws -> [Item]

  /// Sends an item and stores the outcome. Returns false if the item waits for another attempt: then its destination
  /// gets nothing more until the next pause has passed.
  func send(_ item: Item) async throws -> Bool
}

/// Something that is sent to one destination.
public protocol OutboxItem: Sendable {
  /// The name of the destination. An item that waits holds up the other items with the same one.
  var destination: String { get }
}

extension OutboxSender {
  /// Starts to send, what waits now and what is added later.
  public func start() async {
    await loop.start {
      // Only a wake-up brings more to send; an hour bounds the harm if one is ever missed.
      await sendAll() ? .atMost(.seconds(3600)) : .retry
    }
  }

  /// Wakes the sender to look for items: one was added, or a destination may be reachable again.
  ///
  /// - Parameter isFresh: true to begin with the shortest pause after the next failure.
  public func wake(isFresh: Bool = false) async { await loop.wake(isFresh: isFresh) }

  /// Stops sending. Items that wait are sent after the next start.
  public func stop() async { await loop.stop() }

  /// Sends all that can be sent now. Returns true if nothing is left.
  public func sendAll() async -> Bool {
    var held: Set<String> = []
    do {
      while true {
        let items = try await waiting().filter { !held.contains($0.destination) }
        guard !items.isEmpty else { return held.isEmpty }
        for item in items where !held.contains(item.destination) {
          try Task.checkCancellation()
          if try await !send(item) { held.insert(item.destination) }
        }
      }
    } catch {
      if !Task.isCancelled { log.error(error) }
      return false
    }
  }
}

import Messages
import Model

/// One browser that follows.
struct Follower {
  var feed = EventFeed()
  /// Set while the browser has been told everything and waits.
  var wake: CheckedContinuation<Void, Never>?
}

/// The browsers that follow, and what they are sent.
extension Household {
  /// Beats that a browser may leave unread before it is taken for gone.
  static let beatLimit = 4

  /// The events for one browser: everything first, then what changes. Each piece is made when the browser is ready for
  /// it, from the newest values.
  func events() -> AsyncStream<[UInt8]> {
    lastFollower += 1
    let key = lastFollower
    followers[key] = Follower()
    return AsyncStream {
      await self.next(for: key)
    } onCancel: {
      Task { await self.leave(key) }
    }
  }

  /// Gives every browser a sign of life, and lets go of those that have not read for long.
  func beat() {
    for (key, follower) in followers {
      guard follower.feed.beatsWaiting < Self.beatLimit else {
        leave(key)
        continue
      }
      followers[key]?.feed.beat()
      wake(key)
    }
  }

  /// Ends all event streams.
  func close() { for key in followers.keys { leave(key) } }

  func wake(_ key: Int) {
    guard let wake = followers[key]?.wake else { return }
    followers[key]?.wake = nil
    wake.resume()
  }

  private func next(for key: Int) async -> [UInt8]? {
    while followers[key] != nil {
      if let items = followers[key]?.feed.take(), !items.isEmpty {
        eventsSent += items.count
        return items.flatMap(text)
      }
      await withCheckedContinuation { followers[key]?.wake = $0 }
    }
    return nil
  }

  private func leave(_ key: Int) { followers.removeValue(forKey: key)?.wake?.resume() }
}

/// How it is written.
extension Household {
  private struct Snapshot: Encodable {
    var rooms: [Shape.Room]
    var queues: [Shape.Queue]
    @Nullable var catalogue: Shape.Catalogue?
    var nodes: [Shape.Node]
  }

  private func text(of item: EventFeed.Item) -> [UInt8] {
    let id = "\(epoch).\(version)"
    do {
      switch item {
      case .heartbeat: return EventText.heartbeat
      case .notice(let error): return EventText.event("notice", id: id, json: try MessageCoding.encode(error))
      case .newest(let topic): return EventText.event(topic.name, id: id, json: try json(of: topic))
      case .snapshot:
        let all = Snapshot(
          rooms: shapes(), queues: queues.sorted { $0.key < $1.key }.map { Shape.Queue($0.value, room: $0.key) },
          catalogue: catalogue.map(Shape.Catalogue.init), nodes: presences.map(Shape.Node.init))
        return EventText.retry + EventText.event("snapshot", id: id, json: try MessageCoding.encode(all))
      }
    } catch {
      report(LunaraError(error))
      return EventText.heartbeat
    }
  }

  private func json(of topic: EventFeed.Topic) throws -> [UInt8] {
    // Rooms carry a position, which is another a moment later.
    if topic == .rooms { return try MessageCoding.encode(shapes()) }
    if let ready = written[topic] { return ready }
    let made =
      switch topic {
      case .rooms, .presence: try MessageCoding.encode(presences.map(Shape.Node.init))
      case .queue(let room): try MessageCoding.encode(queues[room].map { Shape.Queue($0, room: room) })
      case .catalogue: try MessageCoding.encode(catalogue.map(Shape.Catalogue.init))
      }
    written[topic] = made
    return made
  }
}

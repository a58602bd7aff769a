import Bus
import Model

/// Passes the messages that a node receives to a session, until the session has enough, the time is over, or the task
/// is cancelled.
struct TapReader: Sendable {
  /// The longest time without progress while the past is read, so that a node that does not answer blocks nothing.
  private static let patience = Duration.seconds(2)

  let node: Node
  let session: TapSession
  let since: Timestamp?
  let limit: Milliseconds?

  func run() async throws {
    let (journals, reader) = AsyncThrowingStream.makeStream(of: Never.self)
    let (session, node) = (session, node)
    if session.readsJournals {
      await node.follow(nil, from: since.map { .since($0) } ?? .head) { fact in
        do {
          let isEnough = try await session.handle(fact.envelope, topic: fact.topic, at: .now(), by: .journal)
          if isEnough { reader.finish() }
        } catch {
          reader.finish(throwing: error)
        }
      }
    }
    await session.update(localNodes: localNodes)
    let frames = await node.tap()
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        for try await _ in journals {}
        return true
      }
      group.addTask {
        for await frame in frames {
          guard let envelope = Self.envelope(in: frame) else { continue }
          if try await session.handle(envelope, topic: frame.topic, at: .now()) { return true }
        }
        return true
      }
      group.addTask { try await everySecond() }
      group.addTask { try await measureClocks() }
      // `--for` limits the live part only; reading the past has no limit.
      group.addTask {
        if since != nil {
          try await readPast()
          if try await session.endPast() { return true }
        }
        guard let limit else { return false }
        try await Task.sleep(for: .milliseconds(limit.rawValue))
        return true
      }
      while let isOver = try await group.next(), !isOver {}
      group.cancelAll()
    }
  }

  private func readPast() async throws {
    var reached: Int64 = -1
    var end = ContinuousClock.now + Self.patience
    while ContinuousClock.now < end {
      let progress = await node.readingProgress()
      if progress.isThrough { return }
      if progress.read > reached {
        reached = progress.read
        end = .now + Self.patience
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func everySecond() async throws -> Bool {
    await session.drawStatistics()
    while true {
      try await Task.sleep(for: .seconds(1))
      await session.update(localNodes: localNodes)
      await session.update(drops: await node.tapDrops())
      await session.drawStatistics()
    }
  }

  /// The nodes that run on this host; `Node.nodes()` has those of other hosts as well.
  private var localNodes: Set<NodeID> { Set(node.directory.liveNodes()) }

  /// Measures the clocks of nodes on other hosts every 5 s.
  private func measureClocks() async throws -> Bool {
    while true {
      let localNodes = localNodes
      for await presences in await node.presences() {
        for presence in presences where !presence.away && !localNodes.contains(presence.id) {
          await measure(presence.id)
        }
        break
      }
      try await Task.sleep(for: .seconds(5))
    }
  }

  private func measure(_ other: NodeID) async {
    let askedAt = Timestamp.now()
    do {
      let saidAt = try await node.request(ReadPresence(), to: other, within: .seconds(2)).saidAt
      await session.update(ClockOffset(askedAt: askedAt, saidAt: saidAt, heardAt: .now()), of: other)
    } catch {
      // The last known offset stays; the next round asks again.
      return
    }
  }

  private static func envelope(in frame: Frame) -> Envelope? {
    do {
      return try Envelope(decoding: frame.body)
    } catch {
      // The node itself counts and reports a frame that is no envelope.
      return nil
    }
  }
}

import Messages
import Bus
import Model
import Storage

/// Sends the messages of a replay plan to one service, and waits until it has read all facts.
struct ReplayFeed: Sendable {
  /// The longest time in which the service reads no further fact.
  static let patience = Duration.seconds(30)
  private static let batch = 200

  let node: Node
  let journal: Journal
  let database: Database
  let target: NodeID

  /// Waits until the service is connected to this node and all its readers have a cursor for this node.
  func waitUntilConnected() async throws {
    let end = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < end {
      let answer = try await node.request(ReadCursors(), to: target)
      if await isConnected(), answer.cursors.count(where: { $0.node == node.id }) == answer.readers {
        // The connection is complete a moment later; a signal that is sent before would be lost.
        return try await Task.sleep(for: .milliseconds(200))
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw LunaraError("cli.replayUnread", "\(target) does not receive the replay. Its log tells why.")
  }

  private func isConnected() async -> Bool {
    for await presences in await node.presences() { return presences.contains { $0.id == target && !$0.away } }
    return false
  }

  func send(_ plan: ReplayPlan, _ speed: ReplaySpeed) async throws {
    let start = ContinuousClock.now
    var rest = plan.steps[...]
    while let first = rest.first {
      try Task.checkCancellation()
      let wait = start + speed.delay(first.after) - .now
      if wait > .zero { try await Task.sleep(for: wait) }
      let gone = ContinuousClock.now - start
      guard first.recorded.delivery == .fact else {
        await node.publish(first.recorded)
        rest.removeFirst()
        continue
      }
      let facts = rest.prefix(Self.batch).prefix { $0.recorded.delivery == .fact && speed.delay($0.after) <= gone }
      let due = (facts.isEmpty ? rest.prefix(1) : facts).map(\.recorded)
      let journal = journal
      try await database.write { transaction in
        for fact in due { try journal.append(fact, in: transaction) }
      }
      rest = rest.dropFirst(due.count)
    }
  }

  /// Waits until every reader of the service has read this number of facts.
  ///
  /// - Throws: `cli.replayUnread` if the service stops reading before.
  func finish(_ facts: Int) async throws {
    guard facts > 0 else { return }
    var reached: Int64 = 0
    var end = ContinuousClock.now + Self.patience
    while true {
      let cursors = try await node.request(ReadCursors(), to: target).cursors.filter {
        $0.node == node.id && $0.position.journal == journal.identity
      }
      let least = cursors.map(\.position.seq).min() ?? Int64(facts)
      if least >= Int64(facts) { return }
      if least > reached {
        reached = least
        end = .now + Self.patience
      }
      guard ContinuousClock.now < end else {
        throw LunaraError(
          "cli.replayUnread",
          "\(target) has read \(least) of \(facts) facts and does not go on. Its log tells which fact holds it up.")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}

import Bus
import Glibc
import Messages
import Model
import Programs
import Storage
import Synchronization

/// Sends commands from several concurrent tasks and records the outcome of each. A command is stored before it is sent.
/// One that was not answered, because either side was killed or slow, is sent again under its id.
final class Commander: Sendable {
  private let place: Place
  private let handlers: [NodeID]
  private let pause: Duration
  private let isStopping = Mutex(false)
  private static let lanes = 6

  init(_ place: Place) throws {
    self.place = place
    handlers = try place.options.text("handlers").split(separator: ",").compactMap { NodeID(String($0)) }
    pause = .milliseconds(place.options["pause"].flatMap { Int($0) } ?? 5)
  }

  /// Sends commands until it is told to stop; then prints IDLE once every command has its outcome.
  func run() async throws {
    let open = try await place.database.read { reader in
      try reader.rows("SELECT command, node, kind, answer FROM commands WHERE outcome IS NULL") {
        Order(id: try $0.value(0), node: try $0.value(1), kind: try $0.value(2), number: try $0.value(3))
      }
    }
    await withTaskGroup { group in
      // Commands that an earlier run of this process left without an outcome come first.
      for order in open { group.addTask { await self.follow(order) } }
      for lane in 0..<Self.lanes { group.addTask { await self.command(lane) } }
      group.addTask {
        self.place.untilTold()
        self.isStopping.withLock { $0 = true }
      }
    }
    say("IDLE")
    _ = readLine()
  }

  private struct Order {
    var id: String
    var node: String
    var kind: String
    var number: Int
  }

  private func command(_ lane: Int) async {
    while !isStopping.withLock({ $0 }), let node = handlers.randomElement() {
      let kind = [Append.kind, Append.kind, Next.kind, Rate.kind].randomElement() ?? Next.kind
      let order = Order(
        id: RequestID.random().text, node: node.description, kind: kind, number: .random(in: 1...1_000_000))
      do {
        try await place.database.write { transaction in
          try transaction.execute(
            "INSERT INTO commands (command, node, kind, answer) VALUES (?, ?, ?, ?)", order.id, order.node, order.kind,
            order.number)
        }
        await follow(order)
        try await Task.sleep(for: pause)
      } catch {
        return complain(LunaraError(error))
      }
    }
  }

  /// Sends a command until its outcome is known, and stores the outcome.
  private func follow(_ order: Order) async {
    while true {
      do {
        let answer = try await send(order)
        return try await settle(order, "done", answer)
      } catch let error as LunaraError where error.code == "bus.outcomeUnknown" {
        // After `bus.outcomeUnknown` a person looks before sending the command anew, which would be another command.
        if await didSettleUnknown(order) { return }
      } catch {
        // No answer in time: the same command is sent again.
        let code = LunaraError(error).code
        if code != "bus.timeout", code != "bus.unreachable", code != "bus.busy" { complain(LunaraError(error)) }
      }
    }
  }

  private func send(_ order: Order) async throws -> Int {
    guard let node = NodeID(order.node) else { throw LunaraError("chaos.badNode", "\(order.node) names no node.") }
    let (id, patience) = (RequestID(order.id), Duration.seconds(5))
    return switch order.kind {
    case Append.kind:
      try await place.node.request(Append(number: order.number), to: node, within: patience, id: id)
    case Rate.kind: try await place.node.request(Rate(value: order.number), to: node, within: patience, id: id)
    default: try await place.node.request(Next(), to: node, within: patience, id: id)
    }
  }

  private func didSettleUnknown(_ order: Order) async -> Bool {
    guard let node = NodeID(order.node) else { return true }
    do {
      let count = try await place.node.request(CountEffects(command: order.id), to: node)
      try await settle(order, count == 0 ? "unknown, not done" : "unknown, done", count)
      return true
    } catch {
      return false
    }
  }

  private func settle(_ order: Order, _ outcome: String, _ answer: Int) async throws {
    try await place.database.write { transaction in
      try transaction.execute(
        "UPDATE commands SET outcome = ?, answer = ? WHERE command = ?", outcome, answer, order.id)
    }
  }
}

import ServiceKit
import System
import Bus
import Client
import Glibc
import Model

extension Option {
  static let topic = Option(
    "--topic", "PREFIX", repeats: true, help: "only topics that begin so, such as playback.kitchen")
  static let kind = Option("--kind", "NAME", help: "only this kind, such as playback.listen-heard")
  static let node = Option(
    "--node", "N", help: "only this node, such as playback@kitchen, or all of a role", completes: .household(.nodes))
  static let since = Option("--since", "DURATION", help: "first the facts of the past, such as 10m, 2h or 7d")
  static let count = Option("--count", "N", help: "end after so many")
  static let duration = Option("--for", "DURATION", help: "end after this time, such as 30s")
  static let stats = Option("--stats", help: "rates, gaps, lag and latency a topic instead of lines")
  static let record = Option("--record", "FILE", help: "keep what is shown in a file as well")
}

extension Context {
  /// Calls `body` with a node that exists for one command, with a journal if one is given.
  func withNode(
    _ role: String, in directory: RuntimeDirectory, _ network: Network = Network(), journal: Journal? = nil,
    _ body: (Node) async throws -> Void
  ) async throws {
    guard let id = NodeID(role: role, name: "p\(getpid())") else {
      throw LunaraError("cli.noName", "The process id \(getpid()) makes no name for a node.")
    }
    let node = try await Node.start(
      id, in: directory, version: LunaraVersion.current, journal: journal, network: network,
      report: { problem in
        // A command does without a watch: where there are none left, it finds new nodes within 3 s.
        if problem.code != "bus.cannotWatch" { console.report(problem) }
      })
    do { try await body(node) } catch {
      await node.close()
      throw error
    }
    await node.close()
  }
}

extension Command {
  static let tap = Command(
    name: "tap", summary: "what passes on the bus, live",
    discussion: """
      Facts (durable), states (the newest value), signals (of the moment). Heartbeats are hidden; --kind bus.heartbeat
      shows them. Where the output is no terminal, one JSON object a line. Ctrl-C ends it.
      """,
    examples: [
      "lunara tap": "everything",
      "lunara tap --topic playback --since 1h": "what was played, and what is",
      "lunara tap --kind scrobble.listen-counted --count 1": "waits until something counts",
      "lunara tap --stats --for 10s --json": "figures for programs",
    ],
    options: [.topic, .kind, .node, .since, .count, .duration, .stats, .record],
    action: .asynchronous { try await tap($0) })

  private static func tap(_ context: Context) async throws {
    let arguments = context.arguments
    let options = TapSession.Options(
      filter: TapFilter(topics: arguments.values(.topic), kind: arguments.value(.kind), node: arguments.value(.node)),
      limit: try arguments.integer(.count, in: 1...Int.max), isStatistics: arguments.has(.stats),
      wantsPast: arguments.has(.since))
    let since = try arguments.duration(.since).map { Timestamp.now() - $0 }
    let limit = try arguments.duration(.duration)
    let directory = try Client.directory(try context.settings())
    let recording = try arguments.value(.record).map { try Recording($0) }
    let session = TapSession(options, console: context.console, recording: recording, at: .now()) {
      MonotonicClock.milliseconds()
    }
    try await context.withNode("tap", in: directory, try context.settings().network(identity: "")) { node in
      do {
        try await TapReader(node: node, session: session, since: since, limit: limit).run()
      } catch is CancellationError {
        // Ctrl-C is the usual end of a tap, not an error.
      } catch {
        await session.abandon()
        throw error
      }
      await session.update(drops: await node.tapDrops())
      try await session.finish()
    }
  }
}

import ServiceKit
import Client
import Messages
import System
import Bus
import Model
import Storage

extension Option {
  static let target = Option("--to", "NODE", help: "the service under test, such as scrobble@main, or its role")
  static let speed = Option("--speed", "X", help: "how many times as fast as recorded, or max (default 1)")
}

extension Command {
  static let replay = Command(
    name: "replay", summary: "a recording, fed to one service that is being tested",
    discussion: """
      FILE is what `lunara tap --record FILE` wrote. The service is to be started alone with --under-test, in a runtime
      directory and a home of its own (`lunara-scrobble --under-test --run DIR --home DIR`): for it the replay stands for the whole household. Facts, states and signals come
      in the order and at the pace of the recording; the command ends when the service has read all.
      """,
    examples: [
      "lunara replay day.jsonl --to scrobble --speed max --run /tmp/t/run": "a recorded day, at once",
      "lunara replay day.jsonl --to scrobble@main --speed 60": "an hour a minute",
    ],
    options: [.target, .speed], operand: .one("FILE", help: "the recording"),
    action: .asynchronous { try await replay($0) })

  private static func replay(_ context: Context) async throws {
    let wanted = try context.arguments.value(.target).orUsage("Say with --to NODE which service is under test.")
    let text = context.arguments.value(.speed) ?? "1"
    let speed = try ReplaySpeed(text).orUsage("--speed takes a number above 0, or max, not “\(text)”.")
    let plan = ReplayPlan(try Recording.read(context.arguments.operands[0]))
    let directory = try RuntimeDirectory(try context.settings().run)
    let target = try await target(wanted, in: directory)
    let began = MonotonicClock.milliseconds()
    try await withJournal(in: context.environment["TMPDIR"] ?? "/tmp") { journal, database in
      try await context.withNode("replay", in: directory, journal: journal) { node in
        let feed = ReplayFeed(node: node, journal: journal, database: database, target: target)
        try await feed.waitUntilConnected()
        try await feed.send(plan, speed)
        try await feed.finish(plan.count(.fact))
      }
    }
    report(plan, to: target, took: MonotonicClock.milliseconds() - began, context.console)
  }

  /// Returns the only service in a directory, if it runs under test.
  private static func target(_ wanted: String, in directory: RuntimeDirectory) async throws -> NodeID {
    let services = directory.liveNodes().filter { !$0.isTransient }
    let named = services.filter { $0.description == wanted || $0.role == wanted }
    guard let target = named.first, named.count == 1 else {
      throw LunaraError(
        "cli.noReplayTarget",
        "There is \(named.isEmpty ? "no" : "more than one") \(wanted) in \(directory.path). Start the service under test with --under-test there, and name it.",
        cause: services.isEmpty ? nil : "there is \(services.map(\.description).joined(separator: ", "))")
    }
    let presence = try await Node.client(in: directory, version: LunaraVersion.current)
      .request(ReadPresence(), to: target)
    guard presence.isUnderTest else {
      throw LunaraError(
        "bus.notUnderTest",
        "\(target) takes no replay. Start it alone with --under-test, in a runtime directory of its own.")
    }
    guard services == [target] else {
      throw LunaraError(
        "cli.notAlone",
        "\(target) is not alone in \(directory.path). A service under test needs a runtime directory of its own.",
        cause: "there is \(services.filter { $0 != target }.map(\.description).joined(separator: ", ")) as well")
    }
    return target
  }

  private static func withJournal(in parent: String, _ body: (Journal, Database) async throws -> Void) async throws {
    let folder: String
    do { folder = try Files.makeTemporaryFolder("\(parent)/lunara-replay-") } catch {
      throw LunaraError(
        "cli.noReplayJournal", "Cannot make a folder in \(parent) for the replay. Is there room?", cause: error)
    }
    var ending: (any Error)?
    do {
      let database = try Database(at: folder + "/replay.sqlite", migrations: Journal.migrations)
      do { try await body(try await Journal(database), database) } catch { ending = error }
      await database.close()
    } catch {
      ending = error
    }
    // Of two errors only the first is reported; the folder then stays among the temporary files.
    do { try Files.removeTree(folder) } catch { ending = ending ?? error }
    if let ending { throw ending }
  }

  private static func report(_ plan: ReplayPlan, to target: NodeID, took: Milliseconds, _ console: Console) {
    if console.isJSON {
      return console.print(
        [
          "node": target.description, "facts": plan.count(.fact), "states": plan.count(.state),
          "signals": plan.count(.signal),
          "leftOut": plan.leftOut, "seconds": took,
        ])
    }
    let left = plan.leftOut == 0 ? "" : "; \(plan.leftOut) lines of the bus's own were left out"
    console.print(
      "\(target) has read \(plan.count(.fact)) facts, and was told \(plan.count(.state)) states and \(plan.count(.signal)) signals, in \(took.seconds) s\(left)\n"
    )
  }
}

import Bus
import Glibc
import Model
import Programs
import Storage

/// One process of the bus benchmark, started by `Tests/Bench/bus.py`.
///
///     lunara-bus-bench publish|read|fill|idle|ask|steer|json NAME=VALUE…
@main struct Bench {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    let options = Options(words.dropFirst())
    do {
      switch words.first {
      case "publish": try await Publishing(options: options).run()
      case "read": try await Reading(options: options).run()
      case "fill": try await fill(options)
      case "idle": try await idle(options)
      case "ask": try await Asking(options: options).run()
      case "steer": try await ControlBench(options: options).run()
      case "json": try JSONReading(options: options).run()
      default: throw LunaraError("bench.badCommand", "The first word is publish, read, fill, idle, ask, steer or json.")
      }
    } catch {
      complain(LunaraError(error))
      exit(1)
    }
  }

  static func complain(_ error: LunaraError) {
    say("lunara-bus-bench: \(error.code): \(error.message) \(error.cause ?? "")", on: STDERR_FILENO)
  }

  /// Fills a journal that has no reader.
  private static func fill(_ options: Options) async throws {
    let database = try Database(at: try options.text("database"), migrations: Journal.migrations)
    let journal = try await Journal(database)
    let count = options.number("count")
    let batch = options.number("batch", else: 1000)
    for first in stride(from: 1, through: count, by: batch) {
      try await database.write { transaction in
        for number in first..<min(first + batch, count + 1) {
          try journal.append(KillSafeFact(Track(number: number, stamp: monotonicNanoseconds())), in: transaction)
        }
      }
    }
    await database.close()
  }

  /// Starts a node with a journal and a reader that receives nothing.
  private static func idle(_ options: Options) async throws {
    let database = try Database(at: try options.text("database"), migrations: Journal.migrations)
    let node = try await Start.node(options, journal: try await Journal(database))
    await node.follow("bench", as: "bench", in: database) { _, _ in }
    say("READY")
    while !isTold(within: 60_000) {}
    await node.close()
    await database.close()
  }
}

/// Starts the nodes of the benchmark.
enum Start {
  static func node(_ options: Options, journal: Journal?) async throws -> Node {
    let id = try options.node()
    let network = Network(
      listen: options["listen"], seeds: options["seed"].map { [$0] } ?? [],
      keys: try options["keys"].map { try KeyRing(file: $0) }, identity: id.description)
    return try await Node.start(
      id, in: try RuntimeDirectory(try options.text("run")), journal: journal, network: network,
      report: { Bench.complain($0) })
  }
}

import Bus
import Glibc
import Messages
import Model
import Programs
import Storage

/// Receives the publisher's messages until it is told to stop.
struct Reading {
  let options: Options

  func run() async throws {
    let tally = Tally(of: options.number("count"))
    let node = try await Start.node(options, journal: nil)
    let database = try Database(at: try options.text("database"), migrations: Journal.migrations + Self.migrations)
    let pause = options.number("pause")
    switch try options.text("kind") {
    case "signal":
      await node.onSignal(BenchSignal.self) { tally.add($0.value.track) }
    case let kind where options["forgets"] != nil:
      await node.follow("bench", from: .head) { fact in
        do {
          if let track = try Self.track(of: fact, kind) { tally.add(track) }
        } catch {
          Bench.complain(LunaraError(error))
        }
      }
    case let kind:
      // The cursor and the effect of a fact are stored in one transaction; the effect is one row.
      await node.follow("bench", as: "bench", in: database) { fact, transaction in
        guard let track = try Self.track(of: fact, kind) else { return }
        tally.add(track)
        if track.number > 0 { try transaction.execute("INSERT INTO heard (number) VALUES (?)", track.number) }
        if pause > 0 { usleep(UInt32(pause)) }
      }
    }
    say("FOLLOWS")
    while !isTold(within: 1000) {}
    tally.report(to: try options.text("samples"))
    await node.close()
    await database.close()
  }

  private static func track(of fact: ReceivedFact, _ kind: String) throws -> Track? {
    kind == "fact" ? try fact.decode(KillSafeFact.self)?.track : try fact.decode(PowerSafeFact.self)?.track
  }

  private static let migrations = [
    Migration("bench-1", "CREATE TABLE heard (place INTEGER PRIMARY KEY, number INTEGER NOT NULL)")
  ]
}

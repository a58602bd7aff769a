import Bus
import Messages
import Model
import Programs
import Storage

/// Publishes at a given rate: warms up until it is told to start, then publishes each message once.
struct Publishing {
  let options: Options

  func run() async throws {
    let kind = try options.text("kind")
    let count = options.number("count")
    let database = try Database(at: try options.text("database"), migrations: Journal.migrations)
    let journal = try await Journal(database)
    let node = try await Start.node(options, journal: journal)
    let send: @Sendable (Track) async throws -> Void =
      switch kind {
      case "signal": { await node.emit(BenchSignal($0)) }
      case "fact": { track in try await database.write { try journal.append(KillSafeFact(track), in: $0) } }
      default: { track in try await database.write { try journal.append(PowerSafeFact(track), in: $0) } }
      }
    @Sendable func publish(_ number: Int) async throws {
      try await send(Track(number: number, stamp: monotonicNanoseconds()))
    }

    say("READY")
    while !isTold(within: 20) { try await publish(0) }
    let batch = options.number("batch", else: 1)
    if batch > 1 {
      say("MEASURED")
      try await burst(count, batch, into: journal, database)
    } else {
      // This thread only sleeps from one point in time to the next. The task that publishes runs on the node's
      // executor, or on the default one with `elsewhere`.
      let (moments, moment) = AsyncStream.makeStream(of: Int.self)
      let speech = Task(executorPreference: options["elsewhere"] == nil ? node.executor : nil) {
        for await number in moments { try await publish(number) }
      }
      var pace = Pace(perSecond: options.number("rate"))
      for number in stride(from: 1 - options.number("warm"), through: count, by: 1) {
        pace.wait()
        if number == 1 { say("MEASURED") }
        moment.yield(max(0, number))
      }
      moment.finish()
      try await speech.value
    }
    say("DONE")
    while !isTold(within: 1000) {}
    await node.close()
    await database.close()
  }

  /// Writes all facts as fast as possible, several in each transaction.
  private func burst(_ count: Int, _ batch: Int, into journal: Journal, _ database: Database) async throws {
    for first in stride(from: 1, through: count, by: batch) {
      try await database.write { transaction in
        for number in first..<min(first + batch, count + 1) {
          try journal.append(KillSafeFact(Track(number: number, stamp: monotonicNanoseconds())), in: transaction)
        }
      }
    }
  }
}

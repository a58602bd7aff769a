import Bus
import Messages
import Storage

/// Carries out commands. The effect of a command, its fact and its answer are stored in one transaction.
struct CommandHandler {
  let place: Place

  init(_ place: Place) { self.place = place }

  func run() async throws {
    await serve(Append.self) { request, journal, transaction in
      try journal.append(Appended(number: request.number), in: transaction)
      return request.number
    }
    await serve(Rate.self) { request, journal, transaction in
      try journal.append(PowerSafeFact(number: request.value), in: transaction)
      return request.value
    }
    await serve(Next.self) { _, _, transaction in
      try transaction.row("UPDATE counter SET value = value + 1 RETURNING value") { try $0.value(0) } ?? 0
    }
    let database = place.database
    await place.node.serve(CountEffects.self) { request, _ in
      try await database.read { reader in
        try reader.row("SELECT count(*) FROM effects WHERE command = ?", request.command) { try $0.value(0) } ?? 0
      }
    }
    place.untilTold()
  }

  private func serve<Command: Request>(
    _ type: Command.Type, _ effect: @escaping @Sendable (Command, Journal, Transaction) throws -> Int
  ) async where Command.Answer == Int {
    let (database, journal) = (place.database, place.journal)
    await place.node.serve(type) { request, context in
      try await database.write { transaction in
        let answer = try effect(request, journal, transaction)
        try transaction.execute(
          "INSERT INTO effects (command, kind, answer) VALUES (?, ?, ?)", context.id.text, Command.kind, answer)
        try context.record(answer, in: transaction)
        return answer
      }
    }
  }
}

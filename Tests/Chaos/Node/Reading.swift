import Bus
import Storage

/// Applies the facts of the handlers and publishes a fact of its own for each, in one transaction.
struct Relay {
  let place: Place

  init(_ place: Place) { self.place = place }

  func run() async throws {
    let journal = place.journal
    await place.node.follow("chaos", as: "relay", in: place.database) { fact, transaction in
      try hear(fact, transaction)
      try journal.append(Relayed(fact: fact.id), in: transaction)
    }
    place.untilTold()
  }
}

/// Applies the facts of the handlers and of the relays.
struct Sink {
  let place: Place

  init(_ place: Place) { self.place = place }

  func run() async throws {
    for role in ["chaos", "relay"] {
      await place.node.follow(role, as: "sink", in: place.database, apply: hear)
    }
    place.untilTold()
  }
}

@Sendable private func hear(_ fact: ReceivedFact, _ transaction: Transaction) throws {
  try transaction.execute("INSERT INTO heard (node, fact) VALUES (?, ?)", fact.node.description, fact.id)
}

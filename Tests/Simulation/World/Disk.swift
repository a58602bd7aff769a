import Model

@testable import Bus

/// A service's database: what is committed survives a kill, what is synced survives a power cut.
struct Disk {
  /// What the tables hold.
  struct Tables {
    var identity: String?
    var epochs: [JournalIndex.Epoch] = []
    /// The facts by number.
    var facts: [JournaledFact] = []
    var cursors: [CursorKey: JournalPosition] = [:]
    /// The facts that took effect here, in order.
    var effects: [Effect] = []
    var taken: Set<Effect> = []
    var answers: [String: [UInt8]] = [:]
    /// How often each command took effect.
    var commands: [String: Int] = [:]

    /// The last number that was given; 0 before the first.
    var head: Int64 { max(facts.last?.seq ?? 0, (epochs.last?.first ?? 1) - 1) }

    /// What the journal knows of itself, read as at its opening.
    func index(of identity: String) -> JournalIndex {
      JournalIndex(identity: identity, epochs: epochs, oldest: facts.first?.seq ?? head + 1, head: head)
    }
  }

  struct CursorKey: Hashable {
    var reader: String
    var journal: String
  }

  struct Effect: Hashable {
    var reader: String
    var journal: String
    var fact: String
  }

  /// One row that is written.
  enum Row {
    case identity(String)
    case epoch(JournalIndex.Epoch)
    case fact(JournaledFact)
    case cursor(CursorKey, JournalPosition)
    case effect(Effect)
    case answer(String, [UInt8])
    case command(String)
  }

  private(set) var tables = Tables()
  private var synced = Tables()
  private var unsynced: [[Row]] = []

  mutating func commit(_ rows: [Row]) {
    Self.write(rows, to: &tables)
    unsynced.append(rows)
  }

  mutating func sync() {
    for rows in unsynced { Self.write(rows, to: &synced) }
    unsynced = []
  }

  /// A power cut: of what was not synced a beginning remains. Gives the ids of the facts that are lost.
  mutating func losePower(keeping count: (Int) -> Int) -> [String] {
    let kept = count(unsynced.count)
    let lost = unsynced[kept...].joined().compactMap { row -> String? in
      if case .fact(let fact) = row { return fact.id }
      return nil
    }
    unsynced = Array(unsynced[..<kept])
    sync()
    tables = synced
    return lost
  }

  private static func write(_ rows: [Row], to tables: inout Tables) {
    for row in rows {
      switch row {
      case .identity(let identity): tables.identity = identity
      case .epoch(let epoch): tables.epochs.append(epoch)
      case .fact(let fact): tables.facts.append(fact)
      case .cursor(let key, let position): tables.cursors[key] = position
      case .effect(let effect):
        tables.effects.append(effect)
        tables.taken.insert(effect)
      case .answer(let id, let answer): tables.answers[id] = answer
      case .command(let id): tables.commands[id, default: 0] += 1
      }
    }
  }
}

import Model

@testable import Bus

// The checks of what must hold at every step and in the end.
extension Runner {
  /// Checks a committed transaction: none of its effects happened before.
  func checkCommit(_ change: Writer.Change) {
    for row in change.rows {
      switch row {
      case .command(let id) where place.disk.tables.commands[id] != nil:
        world.violate("at most once", "\(self.id) did \(id) twice")
      case .effect(let effect) where place.disk.tables.taken.contains(effect):
        world.violate("effect once", "\(self.id) took \(effect.fact) in twice as \(effect.reader)")
      case .command(let id):
        world.expected.committed[id] = ExpectedOutcomes.Losses(
          place: place.index, powerCuts: place.powerCuts, wipes: place.wipes)
      default: break
      }
    }
    if change.survival == .power { world.expected.safe.formUnion(change.facts.map(\.id)) }
    guard let pendingFault = place.pendingFault else { return }
    place.pendingFault = nil
    let place = place
    world.after(world.random.between(0, 700)) {
      guard place.runner === self else { return }
      switch pendingFault {
      case .kill: place.kill()
      case .powerCut: place.losePower()
      }
    }
  }

  /// Records that this node was told a command is done.
  func told(_ id: String, _ place: SimulatedHost) {
    guard let asked = world.expected.asked[id] else { return }
    world.expected.asked[id]?.isDone = true
    let isDone =
      asked.command == .next ? world.expected.carriedOut.contains(id) : world.expected.committed[id] != nil
    if !isDone {
      world.violate("done is done", "\(self.id) was told that \(place.id) did \(id), which it did not")
    }
  }
}

extension World {
  /// Runs the periodic checks each half second.
  func look() {
    after(500_000) { [self] in
      checkAway()
      if isHealed, pending == 0, clock > plan.healing + 2_000_000, lack() == nil { isDone = true }
      look()
    }
  }

  /// Checks that all others see a node that has been gone for long as away.
  private func checkAway() {
    for place in places {
      let claimants = places.filter { $0.id == place.id && $0.starts > 0 }
      guard claimants.allSatisfy({ $0.runner == nil }) else { continue }
      // Three heartbeats, the round in which their absence is noticed, and some tolerance.
      let since = claimants.map { max($0.downSince ?? 0, $0.heardUntil) }.max() ?? 0
      guard clock - since > 4_200_000 else { continue }
      for other in places where other !== place {
        guard let runner = other.working, runner.roster.peers[place.id]?.presence?.away == false else { continue }
        violate("away", "\(other.id) still takes \(place.id) for present, which went \(clock - since) µs ago")
      }
    }
  }

  /// A description of what has not recovered yet; nil where everything has.
  private func lack() -> (invariant: String, what: String)? {
    if pending > 0 { return ("answered", "a command is not carried out though nothing is in its way") }
    return presenceLack() ?? factLack() ?? stateLack()
  }

  private func presenceLack() -> (invariant: String, what: String)? {
    for id in Set(places.map(\.id)).sorted() {
      let holders = places.filter { $0.id == id && $0.holding != nil }
      guard let place = holders.first, let runner = place.working else { return ("present", "\(id) is not there") }
      if holders.count > 1 { return ("one holder", "\(id) is held by two") }
      for other in places where other.id != id && other.holding != nil {
        guard let known = other.working?.roster.peers[place.id]?.presence, !known.away,
          known.isSameStart(as: runner.presence())
        else { return ("present", "\(other.id) does not know that \(place.id) is there") }
      }
    }
    return nil
  }

  private func factLack() -> (invariant: String, what: String)? {
    for place in places {
      for follower in place.working?.followers ?? [] {
        for publisher in places where publisher.id.role == follower.role && publisher.holding != nil {
          let tables = publisher.disk.tables
          guard let journal = tables.identity else { continue }
          let there = Set(tables.facts.map(\.id))
          let taken = place.disk.tables.effects.filter {
            $0.reader == follower.reader && $0.journal == journal && there.contains($0.fact)
          }.map(\.fact)
          let missing = there.subtracting(taken)
          guard missing.isEmpty else {
            return ("nothing lost", "\(place.id) lacks \(missing.sorted()) of \(publisher.id)")
          }
          if taken != tables.facts.map(\.id) {
            violate("in order", "\(place.id) took the facts of \(publisher.id) in in another order")
          }
        }
      }
    }
    return nil
  }

  private func stateLack() -> (invariant: String, what: String)? {
    for place in places {
      for (topic, state) in (place.working?.own.held ?? [:]).sorted(by: { $0.key < $1.key }) {
        for other in places {
          guard let runner = other.working, runner.watchesStates, other !== place else { continue }
          if runner.heard.held[topic]?.envelope.payload != state.envelope.payload {
            return ("newest state", "\(other.id) has not the newest \(topic)")
          }
        }
      }
    }
    return nil
  }

  /// Checks what must hold after the time for recovery.
  func checkEnd() {
    if let lack = lack() { return violate(lack.invariant, lack.what) }
    for (id, asked) in expected.asked.sorted(by: { $0.key < $1.key }) {
      guard asked.isDone, asked.command != .next, let then = expected.committed[id] else { continue }
      let place = places[then.place]
      guard then.wipes == place.wipes else { continue }
      if asked.command != .append(.power), then.powerCuts != place.powerCuts { continue }
      if place.disk.tables.commands[id] == nil {
        violate("done is done", "\(id) was done by \(place.id), and is no more")
      }
    }
    for place in places {
      for effect in place.disk.tables.effects
      where expected.lost.contains(effect.fact) && expected.safe.contains(effect.fact) {
        violate("told when safe", "\(place.id) took in \(effect.fact), which was told and lost though it survives all")
      }
    }
  }
}

/// The events as they really happened, which no node can know.
struct ExpectedOutcomes {
  /// A command that was sent.
  struct Asked {
    var command: Command
    /// True if its sender was told that it is done.
    var isDone = false
  }

  /// How often a host had lost power and its disk when something was committed there.
  struct Losses: Equatable {
    var place: Int
    var powerCuts: Int
    var wipes: Int
  }

  /// The ids of facts that were lost in a power cut.
  var lost: Set<String> = []
  /// The ids of facts that, once sent, survive everything.
  var safe: Set<String> = []
  var asked: [String: Asked] = [:]
  /// The commands on memory that took effect, by run and id and by sending.
  var effects: Set<String> = []
  /// The times at which the effects of commands were committed.
  var committed: [String: Losses] = [:]
  /// The commands on memory that were carried out at all.
  var carriedOut: Set<String> = []
  /// The number of events of each kind, for the report of a run.
  var counts: [String: Int] = [:]

  mutating func count(_ what: String) { counts[what, default: 0] += 1 }
}

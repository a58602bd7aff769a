import Model

@testable import Bus

// What the services of the household do.
extension Runner {
  /// What a service sets up when its node is there.
  func setUp() {
    switch id {
    case .scrobble:
      followers = [
        Follower("scrobble", of: "playback", in: self) { [self] fact, change in
          // What is counted for a fact is told in a fact of one's own, in the same transaction.
          change.append(
            world.name("f"), kind: "scrobble.counted", about: fact.id, world.dice.happens(500) ? .power : .process,
            at: place.wallClock)
        }
      ]
    case .library: followers = [Follower("library", of: "scrobble", in: self) { _, _ in }]
    default: break
    }
  }

  /// Something happens in a room.
  func strike(count: Int) {
    let grade: Durability = world.dice.happens(300) ? .power : .process
    write(.process) { [self] change in
      for _ in 0..<count {
        change.append(world.name("f"), kind: "playback.struck", about: "", grade, at: place.wallClock)
      }
      return { _ in }
    }
  }

  /// Carries a command out, whose effect and answer are stored together where it has one on disk.
  func carryOut(_ command: Command, _ question: Question) {
    let id = question.envelope.id
    switch command {
    case .next:
      if !world.ledger.effects.insert("\(id) in run \(place.index).\(number)").inserted {
        world.violate("at most once", "\(self.id) did \(id) twice in one run")
      }
      // Who does not know which run is meant can be served by two.
      if question.envelope.target != nil, !world.ledger.effects.insert("asking \(question.asking)").inserted {
        world.violate("at most once", "two runs of \(self.id) did \(id), which was asked once")
      }
      world.ledger.carriedOut.insert(id)
      soon { $0.finish(id, .done) }
    case .append(let survival):
      write(survival) { [self] change in
        change.put(.command(id))
        change.put(.answer(id, []))
        change.append(world.name("f"), kind: "playback.struck", about: id, survival, at: place.wallClock)
        return { $0.finish(id, .done) }
      }
    case .play(let room): play(in: room, id)
    }
  }

  private func play(in room: NodeID, _ id: String) {
    let steps: [Command] = [.append(.power), .append(.process)]
    func take(_ step: Int) {
      guard step < steps.count, let place = world.place(room) else {
        return write(.process) { change in
          change.put(.command(id))
          change.put(.answer(id, []))
          return { $0.finish(id, .done) }
        }
      }
      self.command(steps[step], RequestID(id).derived(step + 1).text, to: place, within: .seconds(3)) { code in
        if code == "done" { take(step + 1) } else { self.finish(id, .error("router.failed")) }
      }
    }
    take(0)
  }

  /// Has another node do something; gives `done` or the code of the error.
  func command(
    _ command: Command, _ id: String, to place: Place, within patience: Duration, then: @escaping (String) -> Void
  ) {
    if world.ledger.asked[id] == nil {
      world.ledger.asked[id] = Ledger.Asked(command: command)
    }
    world.trace("\(self.id) asks \(place.id) for \(id)")
    ask(.command(command), kind: command.kind, isCommand: true, to: place.id, within: patience, id: id) {
      [self] result in
      switch result {
      case .success:
        world.trace("\(self.id) knows that \(id) is done")
        world.ledger.count("commands done")
        told(id, place)
        then("done")
      case .failure(let refusal):
        world.trace("\(self.id) is refused \(id): \(refusal.code)")
        world.ledger.count(refusal.code)
        if refusal.code == "bus.outcomeUnknown", place.starts == 1, world.plan.takeOver == nil {
          world.violate("no false alarm", "\(place.id) never restarted and does not know what became of \(id)")
        }
        then(refusal.code)
      }
    }
  }
}

import Model

@testable import Bus

// The regular work of the household.
extension World {
  func work() {
    for place in places where place.id.role == "playback" {
      play(at: place)
      show(at: place)
    }
    command()
  }

  private func isAtWork(until more: Int) -> Bool { clock < plan.healing + more }

  /// Publishes facts of a room: one now and then, sometimes many at once.
  private func play(at place: SimulatedHost) {
    let pause = random.between(5000, plan.factPause)
    after(pause) { [self] in
      guard isAtWork(until: 1_000_000) else { return }
      if let runner = place.working {
        for _ in 0..<(random.happens(60) ? 20 : 1) { runner.strike(count: 1 + random.below(3)) }
      }
      play(at: place)
    }
  }

  /// Publishes states of a room.
  private func show(at place: SimulatedHost) {
    after(random.between(20_000, 2_500_000)) { [self] in
      guard isAtWork(until: 1_000_000) else { return }
      place.working?.publish(random.below(1000))
      show(at: place)
    }
  }

  /// Sends a command, as a person would.
  private func command() {
    after(random.between(10_000, plan.commandPause)) { [self] in
      guard isTroubled else { return }
      let rooms = places.filter { $0.id.role == "playback" }
      if let room = random.pick(rooms) {
        let isPlay = random.happens(350)
        if isPlay, let router = place(.router) {
          pursue(.play(in: room.id), name("c"), at: router, tries: 4)
        } else {
          let command: Command = random.happens(300) ? .next : .append(random.happens(500) ? .power : .process)
          pursue(command, name("c"), at: room, tries: 4)
        }
      }
      command()
    }
  }

  /// Sends a command under one id until it is done or was tried often enough.
  func pursue(_ command: Command, _ id: String, at place: SimulatedHost, tries: Int, end: (() -> Void)? = nil) {
    guard tries > 0 else { return }
    let again = { [self] (id: String) in
      after(random.between(20_000, 4_000_000)) { self.pursue(command, id, at: place, tries: tries - 1, end: end) }
    }
    guard let asker = self.place(.web)?.working else { return again(id) }
    asker.command(command, id, to: place, within: .microseconds(random.between(300_000, 5_000_000))) { [self] code in
      switch code {
      case "done": end?()
      // An id with an unknown outcome gets no other answer any more.
      case "bus.outcomeUnknown" where end != nil: again(name("last"))
      default: if end != nil || random.happens(800) { again(id) }
      }
    }
    // A sender that was killed never gets the answer: another node sends the command again.
    after(6_000_000) { [self] in if !asker.isAlive, expected.asked[id]?.isDone != true { again(id) } }
  }

  /// Sends the commands that must succeed once all faults have ended.
  func askInTheEnd() {
    for room in Set(places.map(\.id)).sorted() where room.role == "playback" {
      pending += 1
      after(4_000_000) { [self] in
        if let place = place(room) { pursue(.append(.power), name("last"), at: place, tries: 50) { self.pending -= 1 } }
      }
    }
  }
}

// The work of the household's services.
extension Runner {
  /// Sets up the service when its node has started.
  func setUp() {
    switch id {
    case .scrobble:
      followers = [
        Follower("scrobble", of: "playback", in: self) { [self] fact, change in
          // A fact that counts causes a fact of its own, in the same transaction.
          change.append(
            world.name("f"), kind: "scrobble.counted", about: fact.id, world.random.happens(500) ? .power : .process,
            at: place.wallClock)
        }
      ]
    case .library: followers = [Follower("library", of: "scrobble", in: self) { _, _ in }]
    default: break
    }
  }

  /// A fact happens in a room.
  func strike(count: Int) {
    let grade: Durability = world.random.happens(300) ? .power : .process
    write(.process) { [self] change in
      for _ in 0..<count {
        change.append(world.name("f"), kind: "playback.struck", about: "", grade, at: place.wallClock)
      }
      return { _ in }
    }
  }

  /// Carries out a command. Its effect and its answer are stored together where it changes the disk.
  func carryOut(_ command: Command, _ question: Question) {
    let id = question.envelope.id
    switch command {
    case .next:
      if !world.expected.effects.insert("\(id) in run \(place.index).\(number)").inserted {
        world.violate("at most once", "\(self.id) did \(id) twice in one run")
      }
      // Without knowing the run that it is for, a command may be carried out by two runs.
      if question.envelope.target != nil, !world.expected.effects.insert("asking \(question.asking)").inserted {
        world.violate("at most once", "two runs of \(self.id) did \(id), which was asked once")
      }
      world.expected.carriedOut.insert(id)
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
    func perform(_ step: Int) {
      guard step < steps.count, let place = world.place(room) else {
        return write(.process) { change in
          change.put(.command(id))
          change.put(.answer(id, []))
          return { $0.finish(id, .done) }
        }
      }
      self.command(steps[step], RequestID(id).derived(step + 1).text, to: place, within: .seconds(3)) { code in
        if code == "done" { perform(step + 1) } else { self.finish(id, .error("router.failed")) }
      }
    }
    perform(0)
  }

  /// Sends a command to another node; calls back with `done` or the code of the error.
  func command(
    _ command: Command, _ id: String, to place: SimulatedHost, within patience: Duration,
    then: @escaping (String) -> Void
  ) {
    if world.expected.asked[id] == nil {
      world.expected.asked[id] = ExpectedOutcomes.Asked(command: command)
    }
    world.trace("\(self.id) asks \(place.id) for \(id)")
    ask(.command(command), kind: command.kind, isCommand: true, to: place.id, within: patience, id: id) {
      [self] result in
      switch result {
      case .success:
        world.trace("\(self.id) knows that \(id) is done")
        world.expected.count("commands done")
        told(id, place)
        then("done")
      case .failure(let refusal):
        world.trace("\(self.id) is refused \(id): \(refusal.code)")
        world.expected.count(refusal.code)
        if refusal.code == "bus.outcomeUnknown", place.starts == 1, world.plan.takeOver == nil {
          world.violate("no false alarm", "\(place.id) never restarted and does not know what became of \(id)")
        }
        then(refusal.code)
      }
    }
  }
}

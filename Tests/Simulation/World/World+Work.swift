import Model

@testable import Bus

// What the household does all day.
extension World {
  func work() {
    for place in places where place.id.role == "playback" {
      play(at: place)
      show(at: place)
    }
    command()
  }

  private func isAtWork(until more: Int) -> Bool { clock < plan.healing + more }

  /// Facts of a room: one now and then, sometimes many at once.
  private func play(at place: Place) {
    let pause = dice.between(5000, plan.factPause)
    after(pause) { [self] in
      guard isAtWork(until: 1_000_000) else { return }
      if let runner = place.working {
        for _ in 0..<(dice.happens(60) ? 20 : 1) { runner.strike(count: 1 + dice.below(3)) }
      }
      play(at: place)
    }
  }

  /// States of a room.
  private func show(at place: Place) {
    after(dice.between(20_000, 2_500_000)) { [self] in
      guard isAtWork(until: 1_000_000) else { return }
      place.working?.publish(dice.below(1000))
      show(at: place)
    }
  }

  /// A person does something.
  private func command() {
    after(dice.between(10_000, plan.commandPause)) { [self] in
      guard isTroubled else { return }
      let rooms = places.filter { $0.id.role == "playback" }
      if let room = dice.pick(rooms) {
        let isPlay = dice.happens(350)
        if isPlay, let router = place(.router) {
          pursue(.play(in: room.id), name("c"), at: router, tries: 4)
        } else {
          let command: Command = dice.happens(300) ? .next : .append(dice.happens(500) ? .power : .process)
          pursue(command, name("c"), at: room, tries: 4)
        }
      }
      command()
    }
  }

  /// Asks until it is done or has been tried often enough, under one id.
  func pursue(_ command: Command, _ id: String, at place: Place, tries: Int, end: (() -> Void)? = nil) {
    guard tries > 0 else { return }
    let again = { [self] (id: String) in
      after(dice.between(20_000, 4_000_000)) { self.pursue(command, id, at: place, tries: tries - 1, end: end) }
    }
    guard let asker = self.place(.web)?.working else { return again(id) }
    asker.command(command, id, to: place, within: .microseconds(dice.between(300_000, 5_000_000))) { [self] code in
      switch code {
      case "done": end?()
      // Under this id nothing more is to be had.
      case "bus.outcomeUnknown" where end != nil: again(name("last"))
      default: if end != nil || dice.happens(800) { again(id) }
      }
    }
    // An asker that dies never hears of it: somebody else asks for it again.
    after(6_000_000) { [self] in if !asker.isAlive, ledger.asked[id]?.isDone != true { again(id) } }
  }

  /// When all is mended, what is asked must be done.
  func askInTheEnd() {
    for room in Set(places.map(\.id)).sorted() where room.role == "playback" {
      pending += 1
      after(4_000_000) { [self] in
        if let place = place(room) { pursue(.append(.power), name("last"), at: place, tries: 50) { self.pending -= 1 } }
      }
    }
  }
}

import Model

@testable import Bus

// What happens to the household.
extension World {
  /// True if harm is still done.
  var isTroubled: Bool { clock < plan.healing }

  func begin() {
    for place in places where plan.takeOver == nil || place !== places.last {
      after(dice.between(0, 500_000)) { place.boot() }
    }
    if let moment = plan.takeOver, let heir = places.last {
      heir.isDisplaced = true
      after(moment) {
        heir.isDisplaced = false
        heir.takesOver = true
        heir.boot()
      }
    }
    harm()
    work()
    after(plan.healing) { self.heal() }
    look()
  }

  private func harm() {
    after(dice.between(20_000, plan.harmPause)) { [self] in
      guard isTroubled, let place = dice.pick(places) else { return }
      doHarm(to: place)
      harm()
    }
  }

  private func doHarm(to place: Place) {
    switch dice.below(100) {
    case 0..<18: place.kill()
    case 18..<33: place.doom = dice.happens(600) ? .kill : .powerCut
    case 33..<42: place.losePower()
    case 42..<52: place.runner?.close()
    case 52..<56: place.wipe()
    case 56..<72: cut(around: place)
    case 72..<82: lose()
    case 82..<90:
      network.slowUntil = clock + dice.between(200_000, 4_000_000)
      trace("the network is slow")
    case 90..<94:
      trace("the power goes")
      for place in places { place.losePower() }
    default:
      place.clockError += Int64(dice.below(4_000_000_000) - 2_000_000_000) * 1_000_000 / 10
      trace("\(place.id) has another clock")
    }
  }

  /// Brings back a node that went down after a while.
  func bringBack(_ place: Place) {
    let isShort = isHealed || dice.happens(500)
    after(isShort ? dice.between(1000, 300_000) : dice.between(300_000, 9_000_000)) { place.boot() }
  }

  private func cut(around place: Place) {
    guard !plan.isOneMachine else { return }
    let isOneWay = dice.happens(250)
    for other in places where other !== place && dice.happens(700) {
      network.cut(place.index, other.index)
      if !isOneWay { network.cut(other.index, place.index) }
    }
    trace("\(place.id) is cut off\(isOneWay ? " one way" : "")")
    after(dice.between(100_000, 9_000_000)) { self.mend() }
  }

  private func mend() {
    let channels = network.mend()
    for channel in channels { channel.mend() }
    trace("the network is mended")
  }

  private func lose() {
    network.lossUntil = clock + dice.between(50_000, 4_000_000)
    network.loss = 100 + dice.below(900)
    trace("\(network.loss) of 1000 frames are lost")
  }

  /// No more harm is done.
  private func heal() {
    trace("healed")
    (network.lossUntil, network.slowUntil) = (clock, clock)
    mend()
    for place in places {
      place.doom = nil
      place.boot()
    }
    isHealed = true
    askInTheEnd()
  }
}

import Model

@testable import Bus

// The faults of the simulated household.
extension World {
  /// True while faults are still injected.
  var isTroubled: Bool { clock < plan.healing }

  func begin() {
    for place in places where plan.takeOver == nil || place !== places.last {
      after(random.between(0, 500_000)) { place.boot() }
    }
    if let moment = plan.takeOver, let successor = places.last {
      successor.isDisplaced = true
      after(moment) {
        successor.isDisplaced = false
        successor.takesOver = true
        successor.boot()
      }
    }
    scheduleFault()
    work()
    after(plan.healing) { self.heal() }
    look()
  }

  private func scheduleFault() {
    after(random.between(20_000, plan.faultPause)) { [self] in
      guard isTroubled, let place = random.pick(places) else { return }
      injectFault(into: place)
      scheduleFault()
    }
  }

  private func injectFault(into place: SimulatedHost) {
    switch random.below(100) {
    case 0..<18: place.kill()
    case 18..<33: place.pendingFault = random.happens(600) ? .kill : .powerCut
    case 33..<42: place.losePower()
    case 42..<52: place.runner?.close()
    case 52..<56: place.wipe()
    case 56..<72: cut(around: place)
    case 72..<82: lose()
    case 82..<90:
      network.slowUntil = clock + random.between(200_000, 4_000_000)
      trace("the network is slow")
    case 90..<94:
      trace("the power goes")
      for place in places { place.losePower() }
    default:
      place.clockError += Int64(random.below(4_000_000_000) - 2_000_000_000) * 1_000_000 / 10
      trace("\(place.id) has another clock")
    }
  }

  /// Starts a node again after a while.
  func bringBack(_ place: SimulatedHost) {
    let isShort = isHealed || random.happens(500)
    after(isShort ? random.between(1000, 300_000) : random.between(300_000, 9_000_000)) { place.boot() }
  }

  private func cut(around place: SimulatedHost) {
    guard !plan.isOneMachine else { return }
    let isOneWay = random.happens(250)
    for other in places where other !== place && random.happens(700) {
      network.cut(place.index, other.index)
      if !isOneWay { network.cut(other.index, place.index) }
    }
    trace("\(place.id) is cut off\(isOneWay ? " one way" : "")")
    after(random.between(100_000, 9_000_000)) { self.mend() }
  }

  private func mend() {
    let channels = network.mend()
    for channel in channels { channel.mend() }
    trace("the network is mended")
  }

  private func lose() {
    network.lossUntil = clock + random.between(50_000, 4_000_000)
    network.loss = 100 + random.below(900)
    trace("\(network.loss) of 1000 frames are lost")
  }

  /// Ends all faults.
  private func heal() {
    trace("healed")
    (network.lossUntil, network.slowUntil) = (clock, clock)
    mend()
    for place in places {
      place.pendingFault = nil
      place.boot()
    }
    isHealed = true
    askInTheEnd()
  }
}

import Model

@testable import Bus

/// The connections between hosts: they lose frames, delay them, hold them back and are cut.
struct Network {
  /// Pairs of hosts, the first of which cannot reach the second.
  private(set) var cuts: Set<Cut> = []
  /// The end of a period in which frames are lost, and how many of a thousand are lost.
  var lossUntil = 0
  var loss = 0
  /// The end of a period in which frames are slow.
  var slowUntil = 0
  private(set) var holding: [Channel] = []

  struct Cut: Hashable {
    var from: Int
    var to: Int
  }

  func isCut(_ from: Int, _ to: Int) -> Bool { !cuts.isEmpty && cuts.contains(Cut(from: from, to: to)) }

  mutating func cut(_ from: Int, _ to: Int) { cuts.insert(Cut(from: from, to: to)) }

  mutating func mend() -> [Channel] {
    cuts = []
    defer { holding = [] }
    return holding
  }

  mutating func hold(_ channel: Channel) { holding.append(channel) }
}

/// One connection, which keeps its frames in order. A frame is lost silently while the connection is not up or is full.
final class Channel {
  let from: SimulatedHost
  let to: SimulatedHost
  /// The run of the receiver that it is connected to.
  private var run: Runner?
  private var upAt = 0
  private var lastArrival = 0
  private var held: [(Runner) -> Void] = []
  var isOpen = true
  private unowned let world: World

  init(from: SimulatedHost, to: SimulatedHost, in world: World) {
    self.from = from
    self.to = to
    self.world = world
    dial()
  }

  private func dial() {
    run = to.reachable
    upAt =
      world.clock
      + (world.random.happens(100) ? world.random.between(10_000, 900_000) : world.random.between(300, 3000))
  }

  /// Sends a frame. Returns false where there is no connection; true does not mean that the frame arrives.
  func send(_ deliver: @escaping (Runner) -> Void) -> Bool {
    guard let reachable = to.reachable else { return false }
    let isCut = world.network.isCut(from.index, to.index)
    if run !== reachable {
      if !isCut { dial() }
      return false
    }
    guard world.clock >= upAt else { return false }
    if isCut {
      // The kernel holds a few frames, which arrive when the network works again.
      if held.count < 6 {
        if held.isEmpty { world.network.hold(self) }
        held.append(deliver)
      }
      return true
    }
    if world.clock < world.network.lossUntil, world.random.happens(world.network.loss) { return true }
    let delay =
      world.clock < world.network.slowUntil ? world.random.between(5000, 700_000) : world.random.between(60, 1500)
    arrive(after: delay, at: reachable, deliver)
    return true
  }

  /// The network works again: the held frames arrive late.
  func mend() {
    let late = held
    held = []
    guard let run, run.isAlive else { return }
    let delay = world.random.between(1000, 3_000_000)
    for deliver in late { arrive(after: delay, at: run, deliver) }
  }

  private func arrive(after delay: Int, at receiver: Runner, _ deliver: @escaping (Runner) -> Void) {
    lastArrival = max(lastArrival + 1, world.clock + delay)
    from.heardUntil = max(from.heardUntil, lastArrival)
    world.after(lastArrival - world.clock) { if receiver.isAlive { deliver(receiver) } }
  }
}

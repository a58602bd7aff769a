import Model

@testable import Bus

/// The host of a node: its name, its disk and its clock outlast the node's runs.
final class SimulatedHost {
  let id: NodeID
  let index: Int
  var disk = Disk()
  /// The error of its wall clock in microseconds.
  var clockError: Int64 = 0
  /// The current run, from its first step to its end.
  private(set) var runner: Runner?
  private(set) var starts = 0
  /// The time at which the last run ended; nil while one exists.
  private(set) var downSince: Int?
  /// The number of its power cuts, and of the wipes of its disk.
  private(set) var powerCuts = 0
  private(set) var wipes = 0
  /// The time at which the last message sent from here arrives, which may be after the end of the sender.
  var heardUntil = 0
  /// The fault that happens right after its next commit.
  var pendingFault: PendingFault?
  /// The stored term of the claim to its name.
  var term: Int64 = 0
  /// True if it was told to take its name from any holder; and true if another node has taken its name.
  var takesOver = false
  var isDisplaced = false
  unowned let world: World

  /// The addresses at which other machines reach it.
  var endpoints: Endpoints? {
    world.plan.isOneMachine ? nil : Endpoints(inbox: "inbox:\(index)", requests: "requests:\(index)")
  }

  /// The run that owns the name.
  var holding: Runner? { reachable.flatMap { $0.status == .holder ? $0 : nil } }

  enum PendingFault { case kill, powerCut }

  init(_ id: NodeID, at index: Int, in world: World) {
    self.id = id
    self.index = index
    self.world = world
  }

  /// The run that others can connect to.
  var reachable: Runner? { runner.flatMap { $0.isBound ? $0 : nil } }

  /// The run that exists and works.
  var working: Runner? { holding }

  var hasJournal: Bool { id != .web }

  var wallClock: Timestamp {
    Timestamp(microseconds: 1_795_185_000_000_000 + Int64(world.clock) + clockError)
  }

  func boot() {
    guard runner == nil, !isDisplaced else { return }
    starts += 1
    downSince = nil
    world.trace("\(id) starts for the \(starts). time")
    let runner = Runner(at: self)
    self.runner = runner
    runner.begin()
  }

  /// Ends the run between two steps, without a goodbye.
  func kill() {
    guard let runner else { return }
    world.trace("\(id) is killed")
    end(runner)
  }

  func end(_ runner: Runner) {
    guard self.runner === runner else { return }
    runner.isAlive = false
    self.runner = nil
    downSince = world.clock
    world.bringBack(self)
  }

  func losePower() {
    kill()
    powerCuts += 1
    let lost = disk.losePower { count in world.random.below(count + 1) }
    world.expected.lost.formUnion(lost)
    world.trace("\(id) lost power and \(lost.count) facts")
  }

  func wipe() {
    kill()
    wipes += 1
    disk = Disk()
    // Without its disk it is another host to the household, and a person has to allow it the name.
    (term, isDisplaced, takesOver) = (0, false, true)
    world.trace("\(id) lost its disk")
  }
}

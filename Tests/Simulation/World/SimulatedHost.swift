import Model

@testable import Bus

/// The place where a node lives: its name, its disk and its clock outlast its runs.
final class SimulatedHost {
  let id: NodeID
  let index: Int
  var disk = Disk()
  /// The error of its wall clock, in microseconds.
  var clockError: Int64 = 0
  /// The run that is there, from its first step to its end.
  private(set) var runner: Runner?
  private(set) var starts = 0
  /// The moment at which the last run ended; nil while one is there.
  private(set) var downSince: Int?
  /// The number of times that it lost power, and that its disk was wiped.
  private(set) var powerCuts = 0
  private(set) var wipes = 0
  /// The moment at which the last of what was sent here arrives, which may be after the end of its sender.
  var heardUntil = 0
  /// The fault that it has right after its next commit.
  var pendingFault: PendingFault?
  /// The term of the claim to its name, as it is kept.
  var term: Int64 = 0
  /// True if it is told to take its name from whoever has it, and whether another has taken it.
  var takesOver = false
  var isDisplaced = false
  unowned let world: World

  /// The addresses at which it is reached from other machines.
  var endpoints: Endpoints? {
    world.plan.isOneMachine ? nil : Endpoints(inbox: "inbox:\(index)", requests: "requests:\(index)")
  }

  /// The run that has the name.
  var holding: Runner? { reachable.flatMap { $0.status == .holder ? $0 : nil } }

  enum PendingFault { case kill, powerCut }

  init(_ id: NodeID, at index: Int, in world: World) {
    self.id = id
    self.index = index
    self.world = world
  }

  /// The run that others can connect to.
  var reachable: Runner? { runner.flatMap { $0.isBound ? $0 : nil } }

  /// The run that is there and at work.
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

  /// It is gone between two steps, without a word.
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
    // To the household it is another one now, and a person has to say that it may have the name.
    (term, isDisplaced, takesOver) = (0, false, true)
    world.trace("\(id) lost its disk")
  }
}

import Model

@testable import Bus

/// Where a node lives: its name, its disk and its clock outlast its runs.
final class Place {
  let id: NodeID
  let index: Int
  var disk = Disk()
  /// How far its wall clock is off, in microseconds.
  var clockError: Int64 = 0
  /// The run that is there, from its first step to its end.
  private(set) var runner: Runner?
  private(set) var starts = 0
  /// When the last run ended; nil while one is there.
  private(set) var downSince: Int?
  /// How often it lost power, and how often its disk was wiped.
  private(set) var powerCuts = 0
  private(set) var wipes = 0
  /// When the last of what was sent here arrives, which may be after the end of its sender.
  var heardUntil = 0
  /// What happens to it right after its next commit.
  var doom: Doom?
  /// The term of the claim to its name, as it is kept.
  var term: Int64 = 0
  /// Whether it is told to take its name from whoever has it, and whether another has taken it.
  var takesOver = false
  var isDisplaced = false
  unowned let world: World

  /// Where it is reached from other machines.
  var endpoints: Endpoints? {
    world.plan.isOneMachine ? nil : Endpoints(inbox: "inbox:\(index)", requests: "desk:\(index)")
  }

  /// The run that has the name.
  var holding: Runner? { reachable.flatMap { $0.standing == .holder ? $0 : nil } }

  enum Doom { case kill, powerCut }

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
    let lost = disk.losePower { count in world.dice.below(count + 1) }
    world.ledger.lost.formUnion(lost)
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

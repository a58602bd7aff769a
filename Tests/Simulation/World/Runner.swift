import Messages
import Model

@testable import Bus

/// One run of a node: the state machines of the product, and around them what its node does with sockets, timers and
/// tasks, on simulated ones.
///
/// `@unchecked Sendable` is safe because (1) as for `World`, one thread runs all of it.
final class Runner: @unchecked Sendable {
  let place: SimulatedHost
  let world: World
  let id: NodeID
  let number: Int
  var isAlive = true
  var isBound = false
  var isServing = false
  var isClosing = false
  /// The state of its ownership of the name, as in `NameOwnership`.
  var status = NameOwnership.Status.inquiring
  var claim = Claim(identity: "", term: 0, start: 0)
  var rivals: [String: RosterEntry] = [:]
  var heardOfHousehold = false
  /// True if it took over a name without knowing the holder.
  var tookBlindly = false

  var epoch: Int64 = 0
  var identity: String?
  var sendQueue: FactSendQueue?
  var startedAt: Timestamp
  var journalHead: Int64 = 0

  var roster = Roster()
  var own = StateTable()
  var heard = StateTable()
  var requests: RequestTable
  var answers = AnswerTable()

  var subscribers: [NodeID: Channel] = [:]
  var connections: [NodeID: Connection] = [:]
  var hellos: [NodeID: UInt32] = [:]
  var questions: [UInt32: Question] = [:]
  var waiting: [UInt32: (Result<Answer, Refusal>) -> Void] = [:]
  var openRequests: [String: OpenQuestion] = [:]
  var unserved: [String] = []
  var keptAnswers: [Answer] = []
  var fetching: [NodeID: Set<String>] = [:]
  var writer: Writer
  var followers: [Follower] = []

  var lastBeat: ContinuousClock.Instant
  var nextBeat: ContinuousClock.Instant
  var nextRound: ContinuousClock.Instant
  var nextScan: ContinuousClock.Instant
  var extraBeats: [ContinuousClock.Instant] = []
  var alarm: ContinuousClock.Instant?

  /// A connection to the request socket of a node.
  struct Connection {
    var channel: Channel
    /// The start number of the node that answered last over it.
    var epoch: Int64?
    var isNeeded = false
  }

  /// A request that is being handled, and the way back to its sender.
  struct OpenQuestion {
    var question: Question
    var back: (Answer) -> Void
  }

  /// The reason why there is no answer.
  struct Refusal: Error {
    var code: String
  }

  init(at place: SimulatedHost) {
    self.place = place
    world = place.world
    id = place.id
    number = place.starts
    startedAt = place.wallClock
    requests = RequestTable(startingAt: UInt32(truncatingIfNeeded: place.world.random.next()))
    writer = Writer()
    let now = place.world.now
    (lastBeat, nextBeat, nextRound, nextScan) = (now, now, now, now)
  }

  /// Runs an action later, unless this run has ended by then.
  func after(_ pause: Int, _ body: @escaping (Runner) -> Void) {
    world.after(pause) { [self] in if isAlive { body(self) } }
  }

  /// Runs the next step of a task a little later; other events may happen before.
  func soon(_ body: @escaping (Runner) -> Void) { after(world.random.between(5, 400), body) }

  /// Opens the journal with a new epoch, which is synced before the node can be reached.
  func begin() {
    guard place.hasJournal else {
      epoch = max(Int64(place.starts), place.wallClock.microseconds / 1000)
      return soon { $0.bind() }
    }
    let drawn = world.name("j")
    write(.power) { transaction in
      let tables = transaction.tables
      let former = tables.index(of: tables.identity ?? drawn)
      let epoch = JournalIndex.Epoch(number: former.epoch + 1, first: former.head + 1)
      if tables.identity == nil { transaction.put(.identity(drawn)) }
      transaction.put(.epoch(epoch))
      return { runner in
        runner.epoch = epoch.number
        runner.identity = former.identity
        runner.journalHead = former.head
        runner.sendQueue = FactSendQueue(head: former.head)
        runner.bind()
      }
    }
  }

  private func bind() {
    isBound = true
    claim = Claim(identity: identity ?? "host\(place.index)", term: place.term, start: epoch)
    sendQueue?.connect { [weak self] in self?.soon { $0.publishFacts() } }
    nextBeat = secondAfter()
    nextRound = nextBeat
    nextScan = world.now + Roster.renewal
    world.trace("\(id) is there, start \(epoch) of \(identity ?? "no journal")")
    look()
    for other in world.places where other !== place && world.plan.isOneMachine {
      // The kernel's notification about the new socket.
      other.runner?.soon { $0.appeared(self.id) }
    }
    if world.plan.isOneMachine { hold() } else { settle() }
    reschedule()
  }

  /// The name is owned: its service is set up.
  func hold() {
    status = .holder
    world.trace("\(id) of \(place.index) has its name")
    setUp()
    after(world.random.between(100, 300_000)) { $0.serve() }
    for node in roster.peers.keys.sorted() { sayHello(to: node) }
  }

  /// Finds the other nodes: on one machine by their locks, across machines by probes where none is known.
  func look(isRound: Bool = false) {
    if world.plan.isOneMachine {
      perform(roster.found(world.places.filter { $0 !== place && $0.runner != nil }.map(\.id), at: world.now))
    } else if !isRound || !roster.peers.values.contains(where: { $0.isRemote && $0.presence?.away == false }) {
      for other in world.places where other !== place { probe(other) }
    }
  }

  /// Stops in an orderly way.
  func close() {
    guard isBound, !isClosing else { return }
    world.trace("\(id) stops")
    publishFacts()
    isClosing = true
    sendQueue?.connect(nil)
    sendHeartbeat(leaving: true)
    after(20_000) { runner in
      runner.place.end(runner)
      guard runner.world.plan.isOneMachine else { return }
      for other in runner.world.places where other !== runner.place {
        other.runner?.soon { if runner.place.runner == nil { $0.perform($0.roster.left(runner.id)) } }
      }
    }
  }
}

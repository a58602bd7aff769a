import Glibc
import Messages
public import Model
import Synchronization

/// One process on the bus: it publishes facts, states and signals, hears those of others, asks and answers.
///
/// It binds an inbox (for what others publish) and a desk (for what others ask); its own PUB connects to the inbox of
/// every node that said hello. Everything runs on one I/O thread, which is the actor's executor.
public actor Node {
  /// Who this node is.
  public nonisolated let id: NodeID
  /// Its start number.
  public nonisolated let epoch: Int64
  /// Where it meets the others of this machine.
  public nonisolated let directory: RuntimeDirectory

  /// What this process has to show of itself, beside the figures of its bus.
  public nonisolated let metrics = MetricRegistry()

  nonisolated let thread: IOThread
  nonisolated let journal: Journal?
  nonisolated let report: @Sendable (LunaraError) -> Void
  let version: String
  let startedAt = Timestamp.now()
  let isGuest: Bool
  let tuning: Tuning
  let network: Network
  /// What a person should know of it though it works.
  let problem: LunaraError?
  /// The nodes on other machines that can be asked.
  nonisolated let elsewhere = Mutex<Set<NodeID>>([])
  /// Those of them that whoever told of them does not hear.
  nonisolated let missing = Mutex<Set<NodeID>>([])

  var lock: NodeLock?
  var inbox: Socket?
  var voice: Socket?
  var desk: Socket?
  var notices: DirectoryNotices?
  var watched: [Int32] = []
  var voices: [NodeID: Socket.Endpoint] = [:]
  var lines: [NodeID: Line] = [:]

  /// What this node is for other machines: sockets of their own, as whatever comes in there has to be sealed.
  var remoteInbox: Socket?
  var remoteDesk: Socket?
  var endpoints: Endpoints?
  var bound: BoundPair?
  var lookup: NameLookup?
  var lookedUp: [String: LookedUp] = [:]
  var remoteVoices: [NodeID: RemoteVoice] = [:]
  /// How many hellos in a row of peers elsewhere found that their inboxes cannot be reached from here.
  var deafness: [NodeID: Int] = [:]
  var sealer: Sealer?
  var sessions: [NodeID: Session] = [:]
  var doors: [String: Door] = [:]
  /// Addresses that are asked for a node instead of those it is known by.
  var detours: [NodeID: String] = [:]
  var kept = KeptRoster()
  var keptStates: [String: Envelope] = [:]
  var keptStatesChanged = false
  var keptFiles: KeptFiles?
  var keptStatesWrittenAt: ContinuousClock.Instant?
  var claim: Claim
  var standing = Standing.unsettled
  /// Others that claim this node's name, by the identity of their claims.
  var rivals: [String: RosterEntry] = [:]
  var heardOfHousehold = false
  var seedSilence = SeedSilence(at: .now)
  var knockLimit = KnockLimit(at: .now)
  var seedRound = 0
  /// Addresses that were found while the node runs.
  var found: [String] = []
  var lastRefusal: ContinuousClock.Instant?
  var refusalsToldAt: ContinuousClock.Instant?
  var displaced: (@Sendable (LunaraError) async -> Void)?
  var eachRound: (@Sendable () -> Void)?
  var handOver: (@Sendable () async throws -> String?)?
  /// What the former holder of the name handed over to this one when it took the name from it; nil where there was none.
  public internal(set) var inheritance: String?
  /// Whether this run took its name over from another machine.
  public internal(set) var hasTakenOver = false

  var roster = Roster()
  var own = StateTable()
  var heard = StateTable()
  var requests = RequestTable(startingAt: .random(in: 0...UInt32.max))
  var answers = AnswerTable()
  var flow = AnswerFlow()
  /// Drops facts that are no longer needed.
  var upkeep: Task<Void, Never>?

  /// What this node said of itself last, and what others did: at rest the same bytes come again.
  var ownWord: OwnWord?
  var words: [NodeID: PeerWord] = [:]
  var greeting: [NodeID: UInt32] = [:]
  /// Those to greet again once the hello that is on its way to them is answered, as it says what is no longer so.
  var greetAgain: Set<NodeID> = []

  var waiting: [UInt32: (Result<Envelope, LunaraError>) -> Void] = [:]
  var handlers: [String: Handler] = [:]
  var openRequests: [String: OpenRequest] = [:]
  var unserved: [String: [String]] = [:]
  var watchers: [Int: Watcher] = [:]
  var nextWatcher = 0
  var subscriptions: [Subscription] = []
  var lags: [NodeID: [Int: Int64]] = [:]
  var taps: [Int: Tap] = [:]
  var listeners: [Int: SignalListener] = [:]
  var journalHead: Int64 = 0
  var meter = BusMeter()
  var droppedByTaps: [String: Int] = [:]
  nonisolated let tally = FactTally()
  var lastLive: [NodeID: JournalPosition] = [:]
  var fetching: [NodeID: Set<String>] = [:]
  var extraBeats: [ContinuousClock.Instant] = []
  var lastBeat = ContinuousClock.now
  var nextBeat = ContinuousClock.now
  var nextRound = ContinuousClock.now
  var nextScan = ContinuousClock.now
  var nextKnock = ContinuousClock.now
  var nextMetrics = ContinuousClock.now
  var graceEnds = ContinuousClock.now
  var isClosed = false

  /// The executor of the node's I/O thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// What tests set otherwise.
  struct Tuning: Sendable {
    /// The kernel buffers of each socket, in bytes; it grants what its limits allow.
    var bufferSize: Int32 = 4 << 20
    /// How long after its start a node holds requests that it does not answer yet: its service is still setting up.
    var grace = Duration.seconds(3)
    /// Whether the node takes replays.
    var isUnderTest = false
    /// Whether nothing happens just because a second has passed: what tests see has another cause then.
    var isStill = false
    /// Whether a frame reaches those that hear this node; else it is lost, as on a busy pipe.
    var carries: @Sendable (Frame) -> Bool = { _ in true }
    /// Looks a host's name up; may block.
    var resolve: @Sendable (String) -> [String] = { HostAddress.resolve($0) }
  }

  private init(
    _ id: NodeID, epoch: Int64, in directory: RuntimeDirectory, version: String, journal: Journal?, lock: NodeLock?,
    network: Network = Network(), tuning: Tuning, report: @escaping @Sendable (LunaraError) -> Void
  ) {
    self.id = id
    self.epoch = epoch
    self.directory = directory
    self.version = version
    self.journal = journal
    self.lock = lock
    self.tuning = tuning
    self.report = report
    self.network = network
    problem = journal.flatMap { DamageNote.newest(beside: $0.path)?.error }
    isGuest = lock == nil
    if let path = Self.keptPath(of: network.formerName ?? id, in: network), lock != nil {
      kept = KeptRoster(from: path)
      if network.formerName != nil { (kept.term, kept.isDisplaced) = (0, false) }
    }
    if lock == nil { standing = .holder }
    claim = Claim(identity: journal?.identity ?? network.identity, term: kept.term, start: epoch)
    sealer = network.keys.map { Sealer(ring: $0, node: id, epoch: epoch, nonce: .random()) }
    journalHead = journal?.head ?? 0
    thread = IOThread()
  }

  // On the I/O thread, as the descriptors that it polls are closed here.
  isolated deinit {
    for descriptor in watched { thread.ignore(descriptor) }
    for watcher in watchers.values { watcher.finish() }
    for tap in taps.values { tap.finish() }
    for listener in listeners.values { listener.finish() }
    journal?.outlet.connect(nil)
    upkeep?.cancel()
    thread.stop()
  }

  /// Starts a node: takes its name, binds its sockets, greets whoever is there.
  ///
  /// - Parameters:
  ///   - id: its name.
  ///   - directory: where it meets the others of this machine.
  ///   - version: the version of its program, as others see it.
  ///   - journal: the journal of its facts; it serves one node.
  ///   - lock: the hold on the name, where the process took it before.
  ///   - network: how it reaches other machines.
  ///   - isUnderTest: whether it takes replays, which then stand for all other nodes.
  ///   - report: told of trouble that has no caller to throw to.
  /// - Throws: `bus.nameHeld`, `bus.nameTaken` where another machine has the name, `bus.keyNeeded`, `bus.badAddress`,
  ///   `bus.noPort`, `bus.socketFailed`, `bus.cannotUseDirectory`.
  public static func start(
    _ id: NodeID, in directory: RuntimeDirectory, version: String = "dev", journal: Journal? = nil,
    lock: NodeLock? = nil, network: Network = Network(), isUnderTest: Bool = false,
    report: @escaping @Sendable (LunaraError) -> Void = { _ in }
  ) async throws -> Node {
    try await start(
      id, in: directory, version: version, journal: journal, lock: lock, network: network,
      tuning: Tuning(isUnderTest: isUnderTest),
      report: report)
  }

  static func start(
    _ id: NodeID, in directory: RuntimeDirectory, version: String = "dev", journal: Journal? = nil,
    lock: NodeLock? = nil, network: Network = Network(), tuning: Tuning,
    report: @escaping @Sendable (LunaraError) -> Void = { _ in }
  ) async throws -> Node {
    let lock = try lock ?? NodeLock(of: id, in: directory)
    // A node without a database has its number from the clock, and from the lock file where the clock went back.
    let epoch = try journal?.epoch ?? lock.nextStart(atLeast: Timestamp.now().microseconds / 1000)
    let node = Node(
      id, epoch: epoch, in: directory, version: version, journal: journal, lock: lock, network: network, tuning: tuning,
      report: report)
    if let failure = node.thread.failure { throw failure }
    do {
      try await node.open()
      try await node.settleClaim()
      return node
    } catch {
      await node.close()
      throw error
    }
  }

  /// A node that only asks: it binds nothing, holds no name and hears nothing.
  public static func guest(in directory: RuntimeDirectory, version: String = "dev", network: Network = Network())
    -> Node
  {
    let id = NodeID(role: "guest", name: "p\(getpid())-\(UInt16.random(in: 0...UInt16.max))") ?? .web
    return Node(
      id, epoch: Timestamp.now().microseconds / 1000, in: directory, version: version, journal: nil, lock: nil,
      network: network, tuning: Tuning(), report: { _ in })
  }

  /// The nodes that are alive on this machine, judged by their locks, and those that are known on others.
  public nonisolated func nodes() -> [NodeID] {
    Set(directory.liveNodes()).union(elsewhere.withLock { $0 }).subtracting([id]).sorted()
  }

  /// Where a task runs that often speaks to this node: between the two no thread need be woken, which is half of what
  /// a call costs. Such a task must not block.
  public nonisolated var executor: any TaskExecutor { thread }

  /// Whether a node on another machine is known to be away, so that waiting for it is in vain.
  public nonisolated func isMissing(_ node: NodeID) -> Bool { missing.withLock { $0.contains(node) } }

  static let closedError = LunaraError("bus.closed", "This process is stopping.")
  static let cancelledError = LunaraError("bus.cancelled", "The request was given up.")
}

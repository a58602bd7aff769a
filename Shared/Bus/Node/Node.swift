import Glibc
import Messages
public import Model
import Synchronization
import System

/// One process on the bus. It publishes facts, states and signals, receives those of others, sends requests and answers
/// them.
///
/// It binds an inbox (SUB), which receives what others publish, and a request socket; its PUB connects to the inbox of
/// every node that said hello. Everything runs on one I/O thread, which is the actor's executor. Each component below
/// owns one part of the state; the extensions of the node connect them.
public actor Node {
  /// The name of this node.
  public nonisolated let id: NodeID
  /// The number of this start.
  public nonisolated let epoch: Int64
  /// The directory in which it meets the other nodes of this machine.
  public nonisolated let directory: RuntimeDirectory
  /// The metrics that this process registers, beside those of the bus.
  public nonisolated let metrics = MetricRegistry()

  nonisolated let thread: IOThread
  nonisolated let journal: Journal?
  nonisolated let report: @Sendable (LunaraError) -> Void
  nonisolated let configuration: Configuration
  /// The nodes on other machines, for callers that are not on the actor.
  nonisolated let remoteNodes = Mutex(RemoteNodes())

  var lock: NodeLock?
  var isClosed = false
  var transport: Transport
  var remotePeers: RemotePeers
  var membership = Membership()
  var ownership: NameOwnership
  var files: HouseholdFiles
  var peerSearch: PeerSearch
  var outgoing = OutgoingRequests()
  var incoming: IncomingRequests
  var states = StateSubscriptions()
  var facts: FactSubscriptions
  var signals = SignalListeners()
  var taps = Taps()
  var meter = BusMeter()
  var timers: Timers

  /// The executor of the node's I/O thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  struct Configuration: Sendable {
    var version: String
    var network: Network
    var tuning: Tuning
    let startedAt = Timestamp.now()
    /// True for a node that binds nothing and holds no name.
    var isClientOnly: Bool
    var problem: LunaraError?
  }

  /// The settings that tests change.
  struct Tuning: Sendable {
    /// The size of each socket's kernel buffers, in bytes; the kernel may grant less.
    var bufferSize: Int32 = 4 << 20
    /// The time after the start in which a node holds requests that have no handler yet, as its service is being set
    /// up.
    var grace = Duration.seconds(3)
    var isUnderTest = false
    /// True to disable the work of each second, so that a test sees only the effects of its own actions.
    var disablesPeriodicWork = false
    /// Returns false for a frame that must be lost, as on a busy pipe, instead of reaching the subscribers.
    var carries: @Sendable (Frame) -> Bool = { _ in true }
    /// Returns the addresses of a host's name; may block.
    var resolve: @Sendable (String) -> [String] = { HostAddress.resolve($0) }
  }

  struct RemoteNodes {
    var known: Set<NodeID> = []
    /// The nodes that are away, according to the nodes that listed them.
    var away: Set<NodeID> = []
    /// Those of them that were stopped in order.
    var left: Set<NodeID> = []
    /// The addresses of their machines.
    var hosts: Set<HostPrefix> = []
  }

  private init(
    _ id: NodeID, epoch: Int64, in directory: RuntimeDirectory, version: String, journal: Journal?, lock: NodeLock?,
    network: Network = .local, tuning: Tuning, report: @escaping @Sendable (LunaraError) -> Void
  ) {
    self.id = id
    self.epoch = epoch
    self.directory = directory
    self.journal = journal
    self.lock = lock
    self.report = report
    configuration = Configuration(
      version: version, network: network, tuning: tuning, isClientOnly: lock == nil,
      problem: journal.flatMap { DamageNote.newest(beside: $0.path) })
    files = HouseholdFiles(of: id, in: network, isClientOnly: lock == nil)
    files.roster.adopt(identity: journal?.identity ?? network.identity)
    let claim = Claim(identity: journal?.identity ?? network.identity, term: files.roster.term, start: epoch)
    ownership = NameOwnership(claim: claim, status: lock == nil ? .holder : .inquiring)
    remotePeers = RemotePeers(
      sealer: network.keys.map { Sealer(ring: $0, node: id, epoch: epoch, nonce: .random()) })
    facts = FactSubscriptions(head: journal?.head ?? 0)
    incoming = IncomingRequests(of: id)
    let now = ContinuousClock.now
    peerSearch = PeerSearch(seeds: network.seeds, at: now)
    timers = Timers(disablesPeriodicWork: tuning.disablesPeriodicWork, at: now)
    thread = IOThread()
    transport = Transport(
      on: thread, in: directory, bufferSize: tuning.bufferSize, names: NameResolver(tuning.resolve))
  }

  // This runs on the I/O thread, as it closes the descriptors that the thread polls.
  isolated deinit {
    transport.ignoreAll()
    states.finish()
    taps.finish()
    signals.finish()
    journal?.sendQueue.connect(nil)
    facts.pruning?.cancel()
    thread.stop()
  }

  /// Starts a node: takes its name, binds its sockets and greets the nodes that exist.
  ///
  /// - Parameters:
  ///   - id: its name.
  ///   - directory: the directory in which it meets the other nodes of this machine.
  ///   - version: the version of its program, as others see it.
  ///   - journal: the journal of its facts; it serves one node.
  ///   - lock: the lock on the name if the process holds it already.
  ///   - network: the settings for reaching other machines.
  ///   - isUnderTest: true for a node that accepts replays, whose messages then take the place of those of other nodes.
  ///   - report: called with errors that have no caller to throw to.
  /// - Throws: `bus.nameHeld`, `bus.nameTaken` where another machine has the name, `bus.keyNeeded`, `bus.badAddress`,
  ///   `bus.noPort`, `bus.socketFailed`, `bus.cannotUseDirectory`.
  public static func start(
    _ id: NodeID, in directory: RuntimeDirectory, version: String = "dev", journal: Journal? = nil,
    lock: NodeLock? = nil, network: Network = .local, isUnderTest: Bool = false,
    report: @escaping @Sendable (LunaraError) -> Void = { _ in }
  ) async throws -> Node {
    try await start(
      id, in: directory, version: version, journal: journal, lock: lock, network: network,
      tuning: Tuning(isUnderTest: isUnderTest), report: report)
  }

  static func start(
    _ id: NodeID, in directory: RuntimeDirectory, version: String = "dev", journal: Journal? = nil,
    lock: NodeLock? = nil, network: Network = .local, tuning: Tuning,
    report: @escaping @Sendable (LunaraError) -> Void = { _ in }
  ) async throws -> Node {
    let lock = try lock ?? NodeLock(of: id, in: directory)
    // A node without a journal takes its start number from the clock, or from the lock file if the clock was set back.
    let epoch = try journal?.epoch ?? lock.nextStart(atLeast: Timestamp.now().microseconds / 1000)
    let node = Node(
      id, epoch: epoch, in: directory, version: version, journal: journal, lock: lock, network: network, tuning: tuning,
      report: report)
    if let failure = node.thread.failure { throw failure }
    do {
      try await node.open()
      try await node.confirmClaim()
      return node
    } catch {
      await node.close()
      throw error
    }
  }

  /// Creates a node that only sends requests: it binds nothing, holds no name and receives no published messages.
  public static func client(in directory: RuntimeDirectory, version: String = "dev", network: Network = .local)
    -> Node
  {
    let id = NodeID(role: "guest", name: "p\(getpid())-\(UInt16.random(in: 0...UInt16.max))") ?? .web
    return Node(
      id, epoch: Timestamp.now().microseconds / 1000, in: directory, version: version, journal: nil, lock: nil,
      network: network, tuning: Tuning(), report: { _ in })
  }

  /// Returns the nodes that are alive on this machine, by their locks, and those that are known on other machines.
  public nonisolated func nodes() -> [NodeID] {
    Set(directory.liveNodes()).union(remoteNodes.withLock { $0.known }).subtracting([id]).sorted()
  }

  /// Returns true if a node on another machine is known to be away, so that waiting for it is in vain.
  public nonisolated func isMissing(_ node: NodeID) -> Bool { remoteNodes.withLock { $0.away.contains(node) } }

  /// Returns true if a node on another machine is known to have been stopped in order.
  public nonisolated func hasLeft(_ node: NodeID) -> Bool { remoteNodes.withLock { $0.left.contains(node) } }

  /// Returns true if another machine of the household is known to have this numeric address or, of IPv6, an address in
  /// the same network of 64 bits, as a machine changes its addresses there for privacy.
  public nonisolated func isPeerHost(_ address: String) -> Bool {
    guard let host = HostPrefix(address) else { return false }
    return remoteNodes.withLock { $0.hosts.contains(host) }
  }

  /// The executor for a task that often calls this node: no thread has to be woken between the two, which halves the
  /// cost of a call. Such a task must not block.
  public nonisolated var executor: any TaskExecutor { thread }

  /// The household's keys; nil if there are none.
  public nonisolated var keys: KeyRing? { configuration.network.keys }

  /// The numeric address on which this node listens for other machines, `*` for all interfaces; nil if it does not
  /// listen.
  public var listeningHost: String? { transport.ports?.host }

  /// The name or address by which other machines reach this one; nil if this node does not listen for them.
  public var advertisedHost: String? { endpoints.flatMap { TCPAddress($0.requests)?.host } }

  /// The data that the former holder of the name handed over when this node took over the name; nil if there was none.
  public var handoverData: String? { ownership.handoverData }

  /// True if this run took its name over from another machine.
  public var hasTakenOver: Bool { ownership.hasTakenOver }

  var endpoints: Endpoints? { transport.endpoints }

  var roster: Roster { membership.roster }

  /// Returns a closure, to be called when a descriptor is ready, that runs `body` on this node if it still exists.
  func whenReady(_ body: @escaping @Sendable (isolated Node) -> Void) -> () -> Void {
    { [weak self] in self?.assumeIsolated { body($0) } }
  }

  /// Runs `body` and reports the error that it throws.
  func reporting(_ body: () throws -> Void) {
    do { try body() } catch { report(LunaraError(error)) }
  }

  static let closedError = LunaraError("bus.closed", "This process is stopping.")
  static let cancelledError = LunaraError("bus.cancelled", "The request was cancelled.")
}

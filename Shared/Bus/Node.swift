import Messages
public import Model

/// One process on the bus: it publishes facts, states and signals, hears those of others, asks and answers.
///
/// It binds an inbox (for what others publish) and a desk (for what others ask); its own PUB connects to the inbox of
/// every node
/// that said hello. Everything runs on one I/O thread, which is the actor's executor.
public actor Node {
  /// Who this node is.
  public nonisolated let id: NodeID
  /// Its start number.
  public nonisolated let epoch: Int64
  /// Where it meets the others of this machine.
  public nonisolated let directory: RuntimeDirectory

  nonisolated let thread: IOThread
  nonisolated let journal: Journal?
  nonisolated let report: @Sendable (LunaraError) -> Void
  let version: String
  let startedAt = Timestamp.now()
  let isGuest: Bool

  var lock: NodeLock?
  var inbox: Socket?
  var voice: Socket?
  var desk: Socket?
  var notices: DirectoryNotices?
  var voices: [NodeID: Socket.Endpoint] = [:]
  var lines: [NodeID: Line] = [:]

  var roster = Roster()
  var own = StateTable()
  var heard = StateTable()
  var requests = RequestTable(startingAt: .random(in: 0...UInt32.max))
  var answers = AnswerTable()

  var waiting: [UInt32: CheckedContinuation<Envelope, any Error>] = [:]
  var handlers: [String: Handler] = [:]
  var openRequests: [String: OpenRequest] = [:]
  var watchers: [Int: Watcher] = [:]
  var nextWatcher = 0
  var subscriptions: [Subscription] = []
  var lags: [String: Int64] = [:]
  var taps: [Int: @Sendable (Frame) -> Void] = [:]
  var journalHead: Int64 = 0
  var badFrames = 0
  var fetching: Set<NodeID> = []
  var beats: [ContinuousClock.Instant] = []
  var nextBeat = ContinuousClock.now
  var scanAt = ContinuousClock.now
  var isClosed = false
  var publishing: Task<Void, Never>?

  /// The executor of the node's I/O thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(
    _ id: NodeID, in directory: RuntimeDirectory, version: String, journal: Journal?, lock: NodeLock?, isGuest: Bool,
    report: @escaping @Sendable (LunaraError) -> Void
  ) {
    self.id = id
    self.directory = directory
    self.version = version
    self.journal = journal
    self.lock = lock
    self.isGuest = isGuest
    self.report = report
    // A node without a database has no counter to keep; the clock grows from start to start as well.
    epoch = journal?.epoch ?? Timestamp.now().microseconds / 1000
    journalHead = journal?.headAtStart ?? 0
    thread = IOThread()
  }

  deinit { thread.stop() }

  /// Starts a node: takes its name, binds its sockets, greets whoever is there.
  ///
  /// - Parameters:
  ///   - lock: the hold on the name, where the process took it before.
  ///   - report: told of trouble that has no caller to throw to.
  /// - Throws: `bus.nameHeld`, `bus.socketFailed`, `bus.cannotUseDirectory`.
  public static func start(
    _ id: NodeID, in directory: RuntimeDirectory, version: String = "dev", journal: Journal? = nil,
    lock: NodeLock? = nil, report: @escaping @Sendable (LunaraError) -> Void = { _ in }
  ) async throws -> Node {
    let lock = try lock ?? NodeLock(of: id, in: directory)
    let node = Node(
      id, in: directory, version: version, journal: journal, lock: lock, isGuest: false, report: report)
    try await node.open()
    return node
  }

  /// A node that only asks: it binds nothing, holds no name and hears nothing.
  public static func guest(in directory: RuntimeDirectory, version: String = "dev") -> Node {
    let name = NodeID(role: "guest", name: "p\(getpidText())") ?? .web
    return Node(name, in: directory, version: version, journal: nil, lock: nil, isGuest: true, report: { _ in })
  }

  /// The nodes that are alive on this machine, judged by their locks.
  public nonisolated func nodes() -> [NodeID] { directory.liveNodes().filter { $0 != id } }

  private func open() throws {
    let inbox = try Socket(.inbox)
    try inbox.bind(directory.inbox(of: id))
    let desk = try Socket(.desk)
    try desk.bind(directory.desk(of: id))
    voice = try Socket(.voice)
    self.inbox = inbox
    self.desk = desk
    thread.watch(try inbox.descriptor()) { [weak self] in self?.assumeIsolated { $0.readInbox() } }
    thread.watch(try desk.descriptor()) { [weak self] in self?.assumeIsolated { $0.readDesk() } }
    do {
      let notices = try DirectoryNotices(of: directory.path)
      self.notices = notices
      thread.watch(notices.descriptor) { [weak self] in self?.assumeIsolated { $0.readNotices() } }
    } catch {
      // Without notices the directory is read every 3 s, which is slower and no less sure.
      report(LunaraError(error))
    }
    serveOwnRequests()
    if let journal {
      publishing = Task { [weak self] in
        for await fact in journal.committed { await self?.publish(fact) }
      }
    }
    perform(roster.found(nodes(), at: .now))
    tick()
  }

  /// Says goodbye, closes the sockets and frees the name. What is asked afterwards is refused.
  public func close() async {
    guard !isClosed else { return }
    isClosed = true
    publishing?.cancel()
    for subscription in subscriptions { for follower in subscription.followers.values { await follower.stop() } }
    subscriptions = []
    for watcher in watchers.values { watcher.finish() }
    watchers = [:]
    taps = [:]
    if !voices.isEmpty {
      beat(leaving: true)
      // A socket drops what it has not yet handed to the kernel when it closes.
      try? await Task.sleep(for: .milliseconds(20))
    }
    for descriptor in [inbox, desk].compactMap({ $0 }) {
      if let fd = try? descriptor.descriptor() { thread.ignore(fd) }
    }
    for line in lines.values { thread.ignore(line.descriptor) }
    if let notices { thread.ignore(notices.descriptor) }
    (inbox, desk, voice, notices, lines, voices) = (nil, nil, nil, nil, [:], [:])
    for continuation in waiting.values { continuation.resume(throwing: Self.closedError) }
    waiting = [:]
    if !isGuest {
      directory.removeSockets(of: id)
      lock?.release()
    }
    lock = nil
  }

  static let closedError = LunaraError("bus.closed", "This process is stopping.")
}

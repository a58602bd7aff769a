import Model

/// Opening and closing.
extension Node {
  func open() throws {
    directory.sweep()
    try directory.clearSockets(of: id)
    let inbox = try Socket(.inbox, bufferSize: tuning.bufferSize)
    try inbox.bind(directory.inbox(of: id))
    let desk = try Socket(.desk, bufferSize: tuning.bufferSize)
    try desk.bind(directory.desk(of: id))
    directory.shareSockets(of: id)
    voice = try Socket(.voice, bufferSize: tuning.bufferSize)
    self.inbox = inbox
    self.desk = desk
    try watch(inbox) { $0.readInbox() }
    try watch(desk) { $0.readDesk() }
    try listen()
    do {
      let notices = try DirectoryNotices(of: directory.path)
      self.notices = notices
      watch(notices.descriptor) { $0.readNotices() }
    } catch {
      // Without notices the directory is read every 3 s, which is slower and no less sure.
      report(LunaraError(error))
    }
    if Self.keptPath(of: id, in: network) != nil { keptFiles = try KeptFiles(report: report) }
    readKeptStates()
    serveOwnRequests()
    if !mayHaveRivals { standing = .holder }
    graceEnds = .now + tuning.grace
    journal?.outlet.connect { [weak self, thread] in
      Task(executorPreference: thread) { await self?.publishFacts() }
    }
    let report = report
    upkeep = journal.map { journal in Task { await journal.keepUp(report: report) } }
    let now = ContinuousClock.now
    (nextBeat, nextRound, nextScan) = (secondAfter(now), secondAfter(now), now + Roster.renewal)
    perform(roster.found(directory.liveNodes().filter { $0 != id }, at: now))
    perform(roster.introduced(kept.nodes.map(\.entry).filter { $0.id != id }, at: now, isKept: true))
    knockAtSeeds()
    beginFinding()
    reschedule()
  }

  private func watch(_ socket: Socket, _ ready: @escaping @Sendable (isolated Node) -> Void) throws {
    watch(try socket.descriptor(), ready)
  }

  func watch(_ descriptor: Int32, _ ready: @escaping @Sendable (isolated Node) -> Void) {
    watched.append(descriptor)
    thread.watch(descriptor) { [weak self] in self?.assumeIsolated { ready($0) } }
  }

  func ignore(_ descriptor: Int32) {
    watched.removeAll { $0 == descriptor }
    thread.ignore(descriptor)
  }

  /// Says goodbye, closes the sockets and frees the name. What is asked afterwards is refused.
  ///
  /// Requests that are being handled may still be answered within half a second.
  public func close() async {
    guard !isClosed else { return }
    publishFacts()
    isClosed = true
    journal?.outlet.connect(nil)
    upkeep?.cancel()
    if !isGuest { network.finder?.stop() }
    for descriptor in watched { thread.ignore(descriptor) }
    watched = []
    for answer in waiting.values { answer(.failure(Self.closedError)) }
    waiting = [:]
    for watcher in watchers.values { watcher.finish() }
    watchers = [:]
    for tap in taps.values { tap.finish() }
    taps = [:]
    for listener in listeners.values { listener.finish() }
    listeners = [:]
    let followers = subscriptions.flatMap(\.followers.values)
    subscriptions = []
    for follower in followers { await follower.stop() }
    let wasAsked = !openRequests.isEmpty
    for _ in 0..<50 where !openRequests.isEmpty { await Self.pause(.milliseconds(10)) }
    if beat(leaving: true) || wasAsked {
      // A socket drops what it has not yet handed to the kernel when it closes.
      await Self.pause(.milliseconds(20))
    }
    keepRoster()
    writeKeptStates(at: .now, isLast: true)
    await keptFiles?.writeAll()
    (inbox, desk, voice, notices, lines, voices) = (nil, nil, nil, nil, [:], [:])
    (remoteInbox, remoteDesk, remoteVoices, doors) = (nil, nil, [:], [:])
    handlers = [:]
    if let lock {
      directory.removeSockets(of: id)
      lock.release(forgetting: id.isPassing)
    }
    lock = nil
  }

  /// Waits, also in a task that was cancelled.
  static func pause(_ length: Duration) async {
    await withCheckedContinuation { continuation in
      Task.detached {
        // A detached task is cancelled by nobody.
        try? await Task.sleep(for: length)
        continuation.resume()
      }
    }
  }
}

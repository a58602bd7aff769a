import Glibc
import Messages
import Model
import Synchronization
import System

/// The files in which a node keeps its knowledge of the household between runs: the roster with the term of its claim,
/// and the newest states of other nodes. A transient node keeps nothing.
struct HouseholdFiles {
  /// The path of the roster's file; nil if nothing is kept.
  let path: String?
  var roster: KeptRoster
  var states = KeptStates()
  private(set) var writer: FileWriter?

  /// Reads the roster of the former run. A client node reads nothing.
  init(of id: NodeID, in network: Network, isClientOnly: Bool) {
    path = Self.path(of: id, in: network)
    roster = KeptRoster()
    guard !isClientOnly, let former = Self.path(of: network.formerName ?? id, in: network) else { return }
    roster = KeptRoster(from: former)
    if network.formerName != nil {
      roster.term = 0
      roster.isDisplaced = false
      roster.outranked = nil
    }
  }

  private static func path(of id: NodeID, in network: Network) -> String? {
    guard let folder = network.folder, !id.isTransient else { return nil }
    return "\(folder)/\(id).json"
  }

  private var statesPath: String? { path.map { $0 + ".states" } }

  /// Reads the states and starts the thread that writes files.
  ///
  /// - Throws: `bus.noThread`.
  mutating func open(report: @escaping @Sendable (LunaraError) -> Void) throws {
    guard let statesPath else { return }
    writer = try FileWriter(report: report)
    states = KeptStates(from: statesPath)
  }

  /// Updates the roster with the nodes that were heard, and writes it if it differs in a way that matters to a later
  /// run.
  mutating func update(_ heard: [(entry: RosterEntry, age: Milliseconds)]) {
    var changed = roster
    changed.update(heard, at: .now())
    guard changed.differs(from: roster) else { return }
    roster = changed
    writeRoster()
  }

  /// Forgets a node and its states. `forgotten` is sent to others; nil if its claim is not known.
  mutating func forget(_ node: NodeID, noting forgotten: ForgottenNode?) {
    states.forget(node)
    roster.nodes.removeAll { $0.entry.id == node }
    if let forgotten { roster.remember(forgotten, at: .now()) }
    writeRoster()
  }

  /// Lists a node again that was forgotten and has sent a message.
  mutating func recall(_ node: NodeID) { if roster.recall(node) { writeRoster() } }

  func writeRoster() {
    guard let path else { return }
    writer?.put({ [roster] in try roster.encoded() }, at: path)
  }

  mutating func keep(_ state: Envelope, topic: String) { if path != nil { states.keep(state, topic: topic) } }

  mutating func writeStates(at now: ContinuousClock.Instant, isLast: Bool = false) {
    guard let statesPath, let writer, let states = states.dueForWriting(at: now, isLast: isLast) else { return }
    writer.put({ states.flatMap { $0.encoded() + [10] } }, at: statesPath)
  }
}

/// The roster that a node keeps between runs in a JSON file: the term of its claim, and the other nodes with their
/// addresses. With it the nodes of a household find each other after all machines restarted at once.
struct KeptRoster: Codable, Equatable, Sendable {
  struct RosterNode: Codable, Equatable, Sendable {
    var entry: RosterEntry
    var heardAt: Timestamp
  }

  var term: Int64 = 0
  /// True if another node took the name: this node may only serve its journal then.
  var isDisplaced = false
  /// The identity of the claim for which `isDisplaced` and `outranked` hold; nil in files of early versions.
  var identity: String?
  /// The identities of former selves whose claims this node outranked, as it was restored from their backups.
  var outranked: Set<String>?
  var nodes: [RosterNode] = []
  /// The nodes that were forgotten at a person's wish, oldest first; nil if there are none.
  var forgotten: [ForgottenNode]?

  /// The largest number of forgotten nodes that are remembered.
  static let forgottenLimit = 64

  /// The time after which a node that was not heard is dropped.
  static let patience = Milliseconds(30 * 86_400_000)
  static let limit = 256

  /// Reads the file; a missing file, or one of another form, gives an empty roster.
  init(from path: String) {
    do {
      let bytes = try Files.read(path, limit: 1 << 26)
      self = try MessageCoding.decode(KeptRoster.self, from: bytes)
    } catch {
      // Without the file nodes find each other through seeds, as at the first start.
      self.init()
    }
  }

  init() {}

  /// Adopts the identity of this run's claim. Data that was restored here is another owner's: the name may be taken for
  /// it again.
  mutating func adopt(identity: String) {
    if let former = self.identity, former != identity {
      isDisplaced = false
      outranked = nil
    }
    self.identity = identity
  }

  func encoded() throws -> [UInt8] {
    try MessageCoding.encode(self) + [10]
  }

  /// Returns true if two rosters list other nodes, claims or addresses, or if a node was heard a day later in this one.
  func differs(from other: KeptRoster) -> Bool {
    func identities(_ roster: KeptRoster) -> [[String]] {
      roster.nodes.map { kept in
        let entry = kept.entry
        return [
          entry.id.description, entry.claim.identity, "\(entry.claim.term)", entry.endpoints.requests,
          "\(entry.left == true)",
        ]
      }
    }
    return identities(self) != identities(other)
      || zip(nodes, other.nodes).contains { $0.heardAt - $1.heardAt > Milliseconds(86_400_000) }
  }

  /// Merges the nodes that were heard in this run, each with the time since; nodes not heard for 30 days are dropped.
  mutating func update(_ entries: [(entry: RosterEntry, age: Milliseconds)], at now: Timestamp) {
    nodes.removeAll { kept in entries.contains { $0.entry.id == kept.entry.id } }
    nodes += entries.map { RosterNode(entry: $0.entry, heardAt: now - $0.age) }
    nodes.removeAll { now - $0.heardAt > Self.patience }
    nodes.sort { $0.entry.id < $1.entry.id }
    if nodes.count > Self.limit { nodes = Array(nodes.sorted { $0.heardAt > $1.heardAt }.prefix(Self.limit)) }
  }
}

extension KeptRoster {
  /// Returns true if an entry of another node's roster is that of a node which was forgotten, and the other one has not
  /// been told yet. An entry of a node that is running, or has run since, is not.
  func isForgotten(_ entry: RosterEntry) -> Bool {
    guard entry.away, let known = forgotten?.first(where: { $0.id == entry.id }) else { return false }
    return !entry.claim.beats(known.claim)
  }

  /// Remembers a forgotten node for 30 days. Returns false if it is known already, or too long ago.
  @discardableResult
  mutating func remember(_ node: ForgottenNode, at now: Timestamp) -> Bool {
    var known = (forgotten ?? []).filter { now - $0.at <= Self.patience }
    guard now - node.at <= Self.patience, !known.contains(where: { $0.id == node.id && !node.claim.beats($0.claim) })
    else { return false }
    known.removeAll { $0.id == node.id }
    forgotten = Array((known + [node]).suffix(Self.forgottenLimit))
    return true
  }

  /// Handles that a node was heard; returns true if it was a forgotten one.
  mutating func recall(_ node: NodeID) -> Bool {
    guard forgotten?.contains(where: { $0.id == node }) == true else { return false }
    forgotten?.removeAll { $0.id == node }
    return true
  }
}

/// Writes small files on a thread of its own, as a memory card may take seconds to confirm a write, and the node must
/// not be silent meanwhile.
///
/// If several contents are put for a file before it is written, only the newest is written.
actor FileWriter {
  /// Returns the bytes of a file; called on the writing thread.
  typealias Content = @Sendable () throws -> [UInt8]

  private let thread = IOThread()
  private let report: @Sendable (LunaraError) -> Void
  private let waiting = Mutex<[String: Content]>([:])
  private var failures: [String: LunaraError] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// - Throws: `bus.noThread`.
  init(report: @escaping @Sendable (LunaraError) -> Void) throws {
    self.report = report
    if let failure = thread.failure { throw failure }
  }

  isolated deinit { thread.stop() }

  nonisolated func put(_ content: @escaping Content, at path: String) {
    let isFirst = waiting.withLock { waiting in
      waiting[path] = content
      return waiting.count == 1
    }
    if isFirst { Task { await writeAll() } }
  }

  func writeAll() {
    while let (path, content) = waiting.withLock({ $0.popFirst() }) {
      do {
        try Self.write(try content(), to: path)
        failures[path] = nil
      } catch {
        failures[path] = LunaraError(error)
        report(LunaraError(error))
      }
    }
  }

  /// Returns once all contents that were put at a path are on the disk.
  ///
  /// - Throws: `bus.cannotKeepRoster`.
  func flush(_ path: String) throws {
    writeAll()
    if let failure = failures[path] { throw failure }
  }

  /// Replaces a file atomically and creates its folder if it is missing. Blocks until the file is on the disk.
  ///
  /// - Throws: `bus.cannotKeepRoster`.
  static func write(_ bytes: [UInt8], to path: String) throws(LunaraError) {
    mkdir(Files.folder(of: path), 0o700)
    // A fixed name leaves at most one unfinished file behind.
    let temporary = "\(path).\(getpid())"
    do throws(Errno) {
      let file = try Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
      try file.write(bytes)
      // Syncing fails for a pipe or a device of this name, which must not replace the file.
      guard fsync(file.number) == 0 else { throw .current }
      file.close()
      try Files.move(temporary, to: path)
      try Files.syncFolder(of: path)
    } catch {
      unlink(temporary)
      throw LunaraError(
        "bus.cannotKeepRoster",
        "What is known of the household cannot be kept in \(path). Is the disk full, or read-only?", cause: error)
    }
  }
}

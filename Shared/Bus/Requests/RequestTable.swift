import Model

/// The requests that this node has sent and that are not answered yet; it decides when each is sent again or expires.
/// Pure.
struct RequestTable {
  enum Action: Equatable {
    case send(UInt32)
    case expire(UInt32)
  }

  struct Pending {
    let id: String
    let node: NodeID
    /// True if it asks for a page of facts, which is sent over a connection of its own.
    var isPage = false
    /// The command, which names the run of the node it is meant for. That may be changed until a socket takes the
    /// frame, as nobody can have carried it out before; nil after that, and for other requests.
    var command: Envelope?
    var frame: [UInt8]
    let deadline: ContinuousClock.Instant
    var sendAt: ContinuousClock.Instant
    var pause: Duration
    /// The time to wait before the next try when no socket takes it.
    var untaken = Duration.milliseconds(1)
    var wasSent = false
  }

  /// The time after which a request is sent again, as it or its answer may be lost on a busy pipe. It doubles up to
  /// `longestPause`; a repeated request is not handled twice.
  static let firstPause = Duration.milliseconds(250)
  static let longestPause = Duration.seconds(2)

  private(set) var pending: [UInt32: Pending] = [:]
  private var next: UInt32

  init(startingAt seed: UInt32) { next = seed }

  /// Adds a request; returns the number by which its answer is recognised.
  mutating func add(
    id: String, to node: NodeID, isPage: Bool = false, command: Envelope? = nil, frame: [UInt8],
    deadline: ContinuousClock.Instant,
    at now: ContinuousClock.Instant
  ) -> UInt32 {
    // The protocol marks the end of the header by the top bit.
    repeat { next &+= 1 } while pending[next | 0x8000_0000] != nil
    let number = next | 0x8000_0000
    pending[number] = Pending(
      id: id, node: node, isPage: isPage, command: command, frame: frame, deadline: deadline, sendAt: now,
      pause: Self.firstPause)
    return number
  }

  /// Returns a command with this run of its node as its target; nil if nothing changes, or if a socket has taken the
  /// request already, as the former target may have received it.
  func retargeted(_ number: UInt32, at run: NodeRun?) -> Envelope? {
    guard let entry = pending[number], !entry.wasSent, var command = entry.command, command.targetRun != run else {
      return nil
    }
    command.targetRun = run
    return command
  }

  /// Replaces a request that no socket has taken.
  mutating func replace(_ number: UInt32, by command: Envelope, frame: [UInt8]) {
    pending[number]?.command = command
    pending[number]?.frame = frame
  }

  /// Records if a socket took the request; if not, it is tried again soon.
  mutating func sent(_ number: UInt32, taken: Bool, at now: ContinuousClock.Instant) {
    guard var entry = pending[number] else { return }
    if taken {
      entry.wasSent = true
      entry.command = nil
      entry.sendAt = now + entry.pause
      entry.pause = min(entry.pause * 2, Self.longestPause)
    } else {
      // A connection comes up within a few milliseconds; to a node that is gone there is none, so the pause grows.
      entry.sendAt = now + entry.untaken
      entry.untaken = min(entry.untaken * 2, .milliseconds(100))
    }
    pending[number] = entry
  }

  /// Makes all open requests to a node due, because there is a new connection to it.
  mutating func sendAgain(to node: NodeID, at now: ContinuousClock.Instant) {
    for (number, entry) in pending where entry.node == node {
      pending[number]?.sendAt = now
      pending[number]?.pause = Self.firstPause
      pending[number]?.untaken = .milliseconds(1)
    }
  }

  /// Removes a request that was answered; returns nil if the answer belongs to another one, as each run counts from the
  /// start.
  mutating func answered(_ number: UInt32, id: String, by node: NodeID) -> Pending? {
    guard let entry = pending[number], entry.id == id, entry.node == node else { return nil }
    return remove(number)
  }

  mutating func remove(_ number: UInt32) -> Pending? { pending.removeValue(forKey: number) }

  /// Returns the actions that are due now, those of the oldest request first.
  func due(at now: ContinuousClock.Instant) -> [Action] {
    pending.filter { min($1.deadline, $1.sendAt) <= now }.sorted { age(of: $0.key) > age(of: $1.key) }
      .map { number, entry in entry.deadline <= now ? .expire(number) : .send(number) }
  }

  /// Returns the number of requests that were added later; numbers wrap around.
  private func age(of number: UInt32) -> UInt32 { (next &- number) & 0x7fff_ffff }

  func isWaiting(for node: NodeID) -> Bool { pending.values.contains { $0.node == node } }

  func isWaitingForPage(of node: NodeID) -> Bool { pending.values.contains { $0.isPage && $0.node == node } }

  var nextDue: ContinuousClock.Instant? { pending.values.map { min($0.sendAt, $0.deadline) }.min() }
}

/// The requests that a node has sent and that are not answered yet, with the callbacks that wait for the answers.
struct OutgoingRequests {
  var table = RequestTable(startingAt: .random(in: 0...UInt32.max))
  /// The callbacks by request number. Each is called once, with the answer's envelope or with an error.
  var completions: [UInt32: (Result<Envelope, LunaraError>) -> Void] = [:]

  var isIdle: Bool { completions.isEmpty && table.pending.isEmpty }
}

extension UInt32 {
  /// The four bytes of the number, the highest first.
  var bytes: [UInt8] { [UInt8(self >> 24), UInt8(self >> 16 & 255), UInt8(self >> 8 & 255), UInt8(self & 255)] }

  init?(bytes: [UInt8]) {
    guard bytes.count == 4 else { return nil }
    self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

import Model

/// The answers that a node has given, kept for a while so that a repeated request is not handled again. Pure and
/// bounded.
struct AnswerTable {
  enum Verdict: Equatable {
    case handle
    /// The request is being handled: the asker gets the answer when it is ready.
    case wait
    case resend([UInt8])
    /// The request is a command that was carried out, but its answer was dropped to make room.
    case lost
    /// The request is a command, and too many recent ones are remembered for another.
    case refuse
  }

  private struct StoredAnswer {
    /// Nil after it was dropped to make room.
    var frame: [UInt8]?
    var isCommand: Bool
    var until: ContinuousClock.Instant
  }

  /// The largest size of all kept answers, in bytes; the oldest are dropped first.
  static let sizeLimit = 2 << 20
  static let commandLimit = 4096
  /// The time for which a command is remembered, so that an asker that crashed and asks again is recognised.
  static let memory = Duration.seconds(120)

  private var open: Set<String> = []
  private var kept: [String: StoredAnswer] = [:]
  /// The requests whose answers are kept, from index `oldest` on, the oldest first.
  private var order: [String] = []
  private var oldest = 0
  private var size = 0
  private var commands = 0

  mutating func received(_ id: String, isCommand: Bool) -> Verdict {
    if open.contains(id) { return .wait }
    switch kept[id] {
    case .some(let answer):
      if let frame = answer.frame { return .resend(frame) }
      return .lost
    case nil:
      if isCommand, commands >= Self.commandLimit { return .refuse }
      open.insert(id)
      return .handle
    }
  }

  /// Keeps an answer until its asker has given up; that of a command for `memory`.
  mutating func answered(
    _ id: String, isCommand: Bool, with frame: [UInt8], patience: Duration, at now: ContinuousClock.Instant
  ) {
    guard open.remove(id) != nil else { return }
    let length = isCommand ? Self.memory : max(.seconds(1), min(.seconds(60), patience))
    kept[id] = StoredAnswer(frame: frame, isCommand: isCommand, until: now + length)
    if isCommand { commands += 1 }
    order.append(id)
    size += frame.count
    while size > Self.sizeLimit, oldest < order.count { dropFrame(of: order[oldest]) }
  }

  /// Forgets a request that was refused, so that it is handled if it comes again.
  mutating func refused(_ id: String) { open.remove(id) }

  mutating func expire(at now: ContinuousClock.Instant) {
    guard !kept.isEmpty else { return }
    for (id, answer) in kept where answer.until <= now {
      size -= answer.frame?.count ?? 0
      if answer.isCommand { commands -= 1 }
      kept[id] = nil
    }
    order = order[oldest...].filter { kept[$0]?.frame != nil }
    oldest = 0
  }

  /// Drops an answer to make room. A request that only reads is forgotten and handled again; a command is remembered
  /// without its answer.
  private mutating func dropFrame(of id: String) {
    oldest += 1
    guard let answer = kept[id], let frame = answer.frame else { return }
    size -= frame.count
    if answer.isCommand { kept[id]?.frame = nil } else { kept[id] = nil }
  }
}

import Model

/// A connection to a request socket of this node, local or remote: the number of the pipe, which is the first part of a
/// request's header.
struct AnswerPipe: Hashable {
  let isRemote: Bool
  let number: ArraySlice<UInt8>
}

/// Paces the answers to each asker, as a raw REP silently drops answers for which its pipe has no room. Pure and
/// bounded.
///
/// Nothing tells when an answer has arrived. So an answer counts as in flight for the time that a link needs to carry
/// it. If a request comes again after its answer was sent, the answer was lost on a slower link, and that time is
/// doubled. Only pages of facts are requested one at a time: the next request shows that the page before has arrived.
struct AnswerFlow {
  struct QueuedAnswer {
    var frame: [UInt8]
    var request: IncomingRequest

    fileprivate var isPage: Bool { request.envelope.kind == Replay.kind }
  }

  private struct Pipe {
    var inFlight: [(size: Int, isPage: Bool)] = []
    /// The time when the answers in flight are taken to have arrived.
    var clearAt: ContinuousClock.Instant
    var flightTime: Duration
    var sizeInFlight = 0
    var waiting: [QueuedAnswer] = []
    var waitingSize = 0
    /// The headers of the waiting answers.
    var headers: Set<[UInt8]> = []

    init(_ key: AnswerPipe, at now: ContinuousClock.Instant) {
      clearAt = now
      flightTime = key.isRemote ? AnswerFlow.flightTime : AnswerFlow.localFlightTime
    }
  }

  /// The largest number of bytes in flight to one asker; a larger answer is sent alone.
  static let limit = 64 * 1024
  /// The largest number of bytes that wait for one asker. Answers beyond it are dropped, as the asker asks again.
  static let waitingLimit = 1 << 20
  /// The time that `limit` bytes are taken to need: about that of a link of 100 Mbit/s.
  static let flightTime = Duration.milliseconds(6)
  /// The same time on this machine, where the socket buffer takes three times as much without being read.
  static let localFlightTime = Duration.milliseconds(1)
  private static let longestFlightTime = Duration.milliseconds(96)

  private var pipes: [AnswerPipe: Pipe] = [:]
  /// The time when waiting answers may be sent; nil if none wait.
  private(set) var nextDue: ContinuousClock.Instant?

  /// Queues an answer; returns those to send now.
  mutating func enqueue(_ answer: QueuedAnswer, at now: ContinuousClock.Instant) -> [QueuedAnswer] {
    let key = answer.request.pipe
    var pipe = pipes.removeValue(forKey: key) ?? Pipe(key, at: now)
    if pipe.waitingSize + answer.frame.count <= Self.waitingLimit || pipe.waiting.isEmpty,
      pipe.headers.insert(answer.request.header).inserted
    {
      pipe.waiting.append(answer)
      pipe.waitingSize += answer.frame.count
    }
    let sent = Self.release(&pipe, at: now)
    pipes[key] = pipe
    schedule()
    return sent
  }

  /// Records that a request whose answer was sent came again over this pipe, so that the answer was lost.
  mutating func wasLost(_ key: AnswerPipe) {
    guard let pipe = pipes[key], pipe.waiting.isEmpty else { return }
    pipes[key]?.flightTime = min(pipe.flightTime * 2, Self.longestFlightTime)
  }

  /// Records that another page of facts was requested over this pipe, so that the page before has arrived.
  mutating func pageArrived(_ key: AnswerPipe) {
    guard let index = pipes[key]?.inFlight.firstIndex(where: \.isPage) else { return }
    let page = pipes[key]?.inFlight.remove(at: index)
    pipes[key]?.sizeInFlight -= page?.size ?? 0
  }

  mutating func due(at now: ContinuousClock.Instant) -> [QueuedAnswer] {
    var sent: [QueuedAnswer] = []
    for key in Array(pipes.keys) {
      guard var pipe = pipes.removeValue(forKey: key) else { continue }
      sent += Self.release(&pipe, at: now)
      pipes[key] = pipe
    }
    schedule()
    return sent
  }

  mutating func expire(at now: ContinuousClock.Instant) {
    if !pipes.isEmpty { pipes = pipes.filter { !$1.waiting.isEmpty || now - $1.clearAt < .seconds(10) } }
  }

  private mutating func schedule() {
    nextDue = pipes.values.filter { !$0.waiting.isEmpty }.map(\.clearAt).min()
  }

  private static func release(_ pipe: inout Pipe, at now: ContinuousClock.Instant) -> [QueuedAnswer] {
    if pipe.clearAt <= now {
      pipe.inFlight = []
      pipe.sizeInFlight = 0
    }
    var size = pipe.sizeInFlight
    let sent = pipe.waiting.prefix { answer in
      guard size == 0 || size + answer.frame.count <= limit else { return false }
      size += answer.frame.count
      return true
    }
    guard !sent.isEmpty else { return [] }
    for answer in sent {
      pipe.inFlight.append((answer.frame.count, answer.isPage))
      pipe.headers.remove(answer.request.header)
      pipe.waitingSize -= answer.frame.count
    }
    pipe.sizeInFlight = size
    pipe.waiting.removeFirst(sent.count)
    // An answer that is larger than the limit needs proportionally longer.
    pipe.clearAt = now + pipe.flightTime * max(1, Double(size) / Double(limit))
    return Array(sent)
  }
}

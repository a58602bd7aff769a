import Model

/// A connection to a request socket: of this machine or of another, and the number of the pipe, with which a header
/// begins.
struct AnswerPipe: Hashable {
  let isRemote: Bool
  let number: ArraySlice<UInt8>
}

/// Paces the answers that go to each asker, as a raw REP drops silently what its pipe does not take at once. Pure and
/// bounded.
///
/// Nothing tells when an answer has arrived. So an answer counts as in flight for the time that a link needs to take
/// it. A request that comes again after its answer was sent shows that the answer was lost on a slower link, and that
/// time grows. Pages of facts alone are asked for one by one: the next request shows that the page before has arrived.
struct AnswerFlow {
  struct QueuedAnswer {
    var frame: [UInt8]
    var request: IncomingRequest

    fileprivate var isPage: Bool { request.envelope.kind == Replay.kind }
  }

  private struct Pipe {
    var inFlight: [(size: Int, isPage: Bool)] = []
    /// The moment at which what is in flight has surely left.
    var clearAt: ContinuousClock.Instant
    var flightTime: Duration
    var sizeInFlight = 0
    var waiting: [QueuedAnswer] = []
    var waitingSize = 0
    /// The headers of those that wait.
    var headers: Set<[UInt8]> = []

    init(_ key: AnswerPipe, at now: ContinuousClock.Instant) {
      clearAt = now
      flightTime = key.isRemote ? AnswerFlow.flightTime : AnswerFlow.localFlightTime
    }
  }

  /// The most bytes in flight to one asker; an answer that is larger goes alone.
  static let limit = 64 * 1024
  /// The most bytes that wait for one asker. What comes beyond them is dropped: it is asked for again.
  static let waitingLimit = 1 << 20
  /// The time that as many bytes as may be in flight take: less than a link of 100 Mbit/s needs.
  static let flightTime = Duration.milliseconds(6)
  /// The same on this machine, where the socket takes three times as much without its reader.
  static let localFlightTime = Duration.milliseconds(1)
  private static let longestFlightTime = Duration.milliseconds(96)

  private var pipes: [AnswerPipe: Pipe] = [:]
  /// The moment at which answers that wait may go; nil where none do.
  private(set) var nextDue: ContinuousClock.Instant?

  /// Queues an answer; returns those that are to be sent now.
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

  /// Notes that a request came again over this pipe whose answer was sent already: that answer was lost.
  mutating func wasLost(_ key: AnswerPipe) {
    guard let pipe = pipes[key], pipe.waiting.isEmpty else { return }
    pipes[key]?.flightTime = min(pipe.flightTime * 2, Self.longestFlightTime)
  }

  /// Notes that another page of facts is asked for over this pipe: the one before has arrived.
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
    if pipe.clearAt <= now { (pipe.inFlight, pipe.sizeInFlight) = ([], 0) }
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
    // An answer larger than the limit takes as much longer.
    pipe.clearAt = now + pipe.flightTime * max(1, Double(size) / Double(limit))
    return Array(sent)
  }
}

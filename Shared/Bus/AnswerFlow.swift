import Model

/// A connection to a desk: one of this machine's or another's, and the pipe, with which a header begins.
struct AnswerWay: Hashable {
  let isRemote: Bool
  let pipe: ArraySlice<UInt8>
}

/// Paces the answers that go to each asker, as a raw REP drops silently what its pipe does not take at once. Pure and
/// bounded.
///
/// Nothing says when an answer has arrived. So what was sent counts as in flight for a moment, in which a link takes
/// it; whoever asks again for what was sent has lost it on a slower link, and its moment grows. Only pages of facts are
/// asked for one by one: the next question says that the page before is there.
struct AnswerFlow {
  /// An answer and to what.
  struct Parcel {
    var frame: [UInt8]
    var open: OpenRequest

    fileprivate var isPage: Bool { open.envelope.kind == Replay.kind }
  }

  private struct Way {
    var inFlight: [(size: Int, isPage: Bool)] = []
    /// When what is in flight has surely left.
    var clearAt: ContinuousClock.Instant
    var moment: Duration
    var sizeInFlight = 0
    var waiting: [Parcel] = []
    var waitingSize = 0
    /// The headers of those that wait.
    var headers: Set<[UInt8]> = []

    init(_ key: AnswerWay, at now: ContinuousClock.Instant) {
      clearAt = now
      moment = key.isRemote ? AnswerFlow.moment : AnswerFlow.localMoment
    }
  }

  /// The most bytes in flight to one asker; an answer that is larger goes alone.
  static let limit = 64 * 1024
  /// The most bytes that wait for one asker. What comes beyond them is dropped: it is asked for again.
  static let waitingLimit = 1 << 20
  /// How long as many bytes as may be in flight take: less than a link of 100 Mbit/s needs.
  static let moment = Duration.milliseconds(6)
  /// The same on this machine, where the socket takes three times as much without its reader.
  static let localMoment = Duration.milliseconds(1)
  private static let longestMoment = Duration.milliseconds(96)

  private var ways: [AnswerWay: Way] = [:]
  /// When answers that wait may go; nil where none do.
  private(set) var nextDue: ContinuousClock.Instant?

  /// Takes an answer; gives what is to be sent now.
  mutating func take(_ parcel: Parcel, at now: ContinuousClock.Instant) -> [Parcel] {
    let key = parcel.open.way
    var way = ways.removeValue(forKey: key) ?? Way(key, at: now)
    if way.waitingSize + parcel.frame.count <= Self.waitingLimit || way.waiting.isEmpty,
      way.headers.insert(parcel.open.header).inserted
    {
      way.waiting.append(parcel)
      way.waitingSize += parcel.frame.count
    }
    let sent = Self.release(&way, at: now)
    ways[key] = way
    schedule()
    return sent
  }

  /// Whoever asks this way asks again for what was sent already: that was lost.
  mutating func wasLost(_ key: AnswerWay) {
    guard let way = ways[key], way.waiting.isEmpty else { return }
    ways[key]?.moment = min(way.moment * 2, Self.longestMoment)
  }

  /// Whoever asks this way asks for another page of facts: the one before has arrived.
  mutating func pageArrived(_ key: AnswerWay) {
    guard let index = ways[key]?.inFlight.firstIndex(where: \.isPage) else { return }
    let page = ways[key]?.inFlight.remove(at: index)
    ways[key]?.sizeInFlight -= page?.size ?? 0
  }

  /// What may be sent by now.
  mutating func due(at now: ContinuousClock.Instant) -> [Parcel] {
    var sent: [Parcel] = []
    for key in Array(ways.keys) {
      guard var way = ways.removeValue(forKey: key) else { continue }
      sent += Self.release(&way, at: now)
      ways[key] = way
    }
    schedule()
    return sent
  }

  /// Forgets askers to whom nothing went lately.
  mutating func expire(at now: ContinuousClock.Instant) {
    if !ways.isEmpty { ways = ways.filter { !$1.waiting.isEmpty || now - $1.clearAt < .seconds(10) } }
  }

  private mutating func schedule() {
    nextDue = ways.values.filter { !$0.waiting.isEmpty }.map(\.clearAt).min()
  }

  private static func release(_ way: inout Way, at now: ContinuousClock.Instant) -> [Parcel] {
    if way.clearAt <= now { (way.inFlight, way.sizeInFlight) = ([], 0) }
    var size = way.sizeInFlight
    let sent = way.waiting.prefix { parcel in
      guard size == 0 || size + parcel.frame.count <= limit else { return false }
      size += parcel.frame.count
      return true
    }
    guard !sent.isEmpty else { return [] }
    for parcel in sent {
      way.inFlight.append((parcel.frame.count, parcel.isPage))
      way.headers.remove(parcel.open.header)
      way.waitingSize -= parcel.frame.count
    }
    way.sizeInFlight = size
    way.waiting.removeFirst(sent.count)
    // An answer larger than the limit takes as much longer.
    way.clearAt = now + way.moment * max(1, Double(size) / Double(limit))
    return Array(sent)
  }
}

extension Node {
  /// Sends an answer as soon as its way is free.
  func dispatch(_ frame: [UInt8], to open: OpenRequest) {
    put(flow.take(AnswerFlow.Parcel(frame: frame, open: open), at: .now))
    if flow.nextDue != nil { reschedule() }
  }

  /// Sends the answers that had to wait until now.
  func dispatchDue(at now: ContinuousClock.Instant) {
    if let due = flow.nextDue, due <= now { put(flow.due(at: now)) }
  }

  private func put(_ parcels: [AnswerFlow.Parcel]) {
    for parcel in parcels {
      do {
        if try transmit(parcel.frame, to: parcel.open) { meter.said.answers.add(parcel.frame.count) }
      } catch {
        report(LunaraError(error))
      }
    }
  }
}

import Model

/// The answers a node has given, kept for a while so that a question asked again is not handled again. Pure and
/// bounded.
struct AnswerTable {
  /// What to do with a question that came in.
  enum Verdict: Equatable {
    /// New: handle it.
    case handle
    /// Being handled: its asker gets the answer when there is one.
    case wait
    /// Answered already: send this again.
    case resend([UInt8])
  }

  private enum Entry {
    case open
    case answered([UInt8], until: ContinuousClock.Instant)
  }

  /// The most bytes of answers kept; the oldest go first.
  static let sizeLimit = 2 << 20

  private var entries: [String: Entry] = [:]
  private var order: [(id: String, size: Int)] = []
  private var size = 0

  /// Judges a question by its id.
  mutating func received(_ id: String) -> Verdict {
    switch entries[id] {
    case nil:
      entries[id] = .open
      return .handle
    case .open: return .wait
    case .answered(let frame, _): return .resend(frame)
    }
  }

  /// Keeps the answer of a question until its asker has surely given up.
  mutating func answered(_ id: String, with frame: [UInt8], until: ContinuousClock.Instant) {
    entries[id] = .answered(frame, until: until)
    order.append((id, frame.count))
    size += frame.count
  }

  /// Drops what is past its time or over the limit.
  mutating func expire(at now: ContinuousClock.Instant) {
    var kept: [(id: String, size: Int)] = []
    for (index, item) in order.enumerated() {
      guard case .answered(_, let until)? = entries[item.id], until <= now || size > Self.sizeLimit else {
        kept.append(contentsOf: order[index...index])
        continue
      }
      entries[item.id] = nil
      size -= item.size
    }
    order = kept
  }

  /// How many questions are being handled.
  var openCount: Int {
    entries.values.count { if case .open = $0 { true } else { false } }
  }
}

public import Model

/// How long a journal keeps its facts.
///
/// One may go when every registered reader has it and it is older than `past`, or when it is beyond a hard limit.
/// Without a registered reader the hard limits alone count. Pure.
public struct Retention: Hashable, Sendable {
  /// A fact as this judges it.
  struct Aged: Hashable, Sendable {
    /// Its sequence number.
    var seq: Int64
    /// When it was written.
    var time: Timestamp
  }

  /// The most facts that are kept for readers that are away.
  public var facts: Int64
  /// How long one is kept at most for readers that are away.
  public var age: Milliseconds
  /// How long one is kept that all readers have, for those who look back.
  public var past: Milliseconds

  /// By default two million facts, 180 days, and the past week.
  public init(facts: Int64 = 2_000_000, days: Int64 = 180, past: Milliseconds = .days(7)) {
    self.facts = max(1, facts)
    age = .days(max(1, min(days, 36_500)))
    self.past = past
  }

  /// How many of the oldest facts may go, given them in order.
  ///
  /// The newest one of all stays, so that its number is not given again, and none behind one that must stay goes: a
  /// clock that steps keeps too much rather than too little.
  ///
  /// - Parameters:
  ///   - head: the number of the newest.
  ///   - needed: the first number that a registered reader has yet to read; nil where none is registered.
  func droppable(_ oldest: [Aged], head: Int64, needed: Int64?, at now: Timestamp) -> Int {
    let stay = oldest.firstIndex { fact in
      if fact.seq >= head { return true }
      if fact.seq <= head - facts || now - fact.time > age { return false }
      guard let needed, fact.seq < needed else { return true }
      return now - fact.time <= past
    }
    return stay ?? oldest.count
  }
}

extension Milliseconds {
  /// Whole days.
  public static func days(_ count: Int64) -> Milliseconds { Milliseconds(count * 86_400_000) }
}

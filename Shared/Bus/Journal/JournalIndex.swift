import Model

/// The extent and ancestry of a journal, from which it is computed where a reader continues. Pure.
struct JournalIndex: Sendable {
  struct Epoch: Hashable, Sendable {
    var number: Int64
    /// The sequence number of its first fact, even if that was not written yet.
    var first: Int64
  }

  struct Beginning: Hashable, Sendable {
    var first: Int64
    /// The number of facts that the reader has yet to read but that are no longer kept.
    var missed: Int64 = 0
  }

  let identity: String
  /// The journals from which this one descends, each with the last position that it shares with this one.
  let ancestors: [JournalPosition]
  /// The sequence number of the newest committed fact; 0 before the first.
  var head: Int64
  /// The smallest sequence number that is kept; `head` + 1 if none is.
  var oldest: Int64
  private let epochs: [Epoch]
  /// For each of `epochs`, the smallest `first` of it and all later ones.
  private let least: [Int64]

  init(identity: String, ancestors: [JournalPosition] = [], epochs: [Epoch], oldest: Int64, head: Int64) {
    self.identity = identity
    self.ancestors = ancestors
    self.head = head
    self.oldest = oldest
    self.epochs = epochs.sorted { $0.number < $1.number }
    var least: [Int64] = []
    for epoch in self.epochs.reversed() { least.append(min(epoch.first, least.last ?? .max)) }
    self.least = least.reversed()
  }

  /// The number of the newest start.
  var epoch: Int64 { epochs.last?.number ?? 0 }

  var end: JournalPosition { JournalPosition(journal: identity, epoch: epoch, seq: head) }

  /// Returns where a replay begins; `find` returns the smallest sequence number of a fact written at or after a time.
  func beginning(of start: ReplayStart, find: (Timestamp) throws -> Int64) rethrows -> Beginning {
    switch start {
    case .oldest: return Beginning(first: oldest)
    case .head: return Beginning(first: head + 1)
    case .since(let time): return Beginning(first: max(oldest, try find(time)))
    case .after(let position):
      guard let next = next(after: position) else { return Beginning(first: oldest) }
      return next < oldest ? Beginning(first: oldest, missed: oldest - next) : Beginning(first: next)
    }
  }

  /// Returns the sequence number of the first fact that a reader at this position has not read; nil if the position is
  /// unknown.
  func next(after position: JournalPosition) -> Int64? {
    if position.journal == identity {
      // This journal never reached that position: it was restored without notice, so any fact may be new to the reader.
      guard !isBeyond(position) else { return nil }
      return next(afterOwn: position)
    }
    guard let fork = ancestors.first(where: { $0.journal == position.journal }) else { return nil }
    let isShared = position.epoch < fork.epoch || (position.epoch == fork.epoch && position.seq <= fork.seq)
    return next(afterOwn: isShared ? position : fork)
  }

  /// True if the journal is older than the recorded last start, so that it was restored from a backup. A journal
  /// without any start is new, whatever the record says.
  func isOlder(than known: JournalStart?) -> Bool {
    guard let known, !epochs.isEmpty else { return false }
    return known.identity != identity || known.epoch > epoch
  }

  /// True if a position is beyond the end of this journal, which means that the journal was restored from a backup.
  func isBeyond(_ position: JournalPosition) -> Bool {
    position.journal == identity
      && (position.epoch > epoch || (position.epoch == epoch && position.seq > head))
  }

  /// Returns the smallest of the next number and the first numbers of all later starts: after a power cut a later start
  /// may use the numbers of lost facts again.
  private func next(afterOwn position: JournalPosition) -> Int64 {
    let behind = min(max(0, position.seq), .max - 1) + 1
    var low = 0
    var high = epochs.count
    while low < high {
      let middle = (low + high) / 2
      if epochs[middle].number > position.epoch { high = middle } else { low = middle + 1 }
    }
    return low < least.count ? max(1, min(behind, least[low])) : behind
  }

  /// Returns the place of a reader that has read all facts up to `last`, or up to the end if it is nil.
  func place(through last: (seq: Int64, epoch: Int64)?) -> JournalPosition {
    // A reader of all facts is placed in this epoch, even if the newest fact was written in an earlier one.
    guard let last, last.seq < head else { return end }
    return JournalPosition(journal: identity, epoch: last.epoch, seq: last.seq)
  }

  /// Returns the smallest sequence number at or after a time, by binary search: times grow with the numbers, except
  /// when the clock is set back. `time` returns the time of the first kept fact at or after a number.
  func first(since moment: Timestamp, time: (Int64) throws -> Timestamp?) rethrows -> Int64 {
    var low = oldest
    var high = head + 1
    while low < high {
      let middle = low + (high - low) / 2
      if let found = try time(middle), found < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

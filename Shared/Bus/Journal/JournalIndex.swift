import Model

/// The extent and ancestry of a journal, which tell where a reader of it continues. Pure.
struct JournalIndex: Sendable {
  struct Epoch: Hashable, Sendable {
    var number: Int64
    /// The sequence number that its first fact has or would have.
    var first: Int64
  }

  struct Beginning: Hashable, Sendable {
    var first: Int64
    /// The number of facts that the reader has yet to read and that are no longer kept.
    var missed: Int64 = 0
  }

  let identity: String
  /// The journals that this one grew out of, each with the last place that both have.
  let ancestors: [JournalPosition]
  /// The sequence number of the newest fact that is acknowledged; 0 before the first.
  var head: Int64
  /// The least sequence number that is kept; one more than `head` where nothing is.
  var oldest: Int64
  private let epochs: [Epoch]
  /// For each of `epochs` the least first number of it and all later ones.
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

  /// Returns where a replay begins; `find` returns the first number whose fact was written at or after a moment.
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

  /// Returns the number of the first fact that a reader at this position has not read; nil if the position is unknown.
  func next(after position: JournalPosition) -> Int64? {
    if position.journal == identity {
      // This journal never had that position: it was restored without notice, so any fact may be new to the reader.
      guard !isBeyond(position) else { return nil }
      return next(afterOwn: position)
    }
    guard let fork = ancestors.first(where: { $0.journal == position.journal }) else { return nil }
    let isShared = position.epoch < fork.epoch || (position.epoch == fork.epoch && position.seq <= fork.seq)
    return next(afterOwn: isShared ? position : fork)
  }

  /// True if the journal is older than the note of its last start, so that it was restored from a backup. A journal
  /// without any start is new, whatever the note says.
  func isOlder(than known: JournalStart?) -> Bool {
    guard let known, !epochs.isEmpty else { return false }
    return known.identity != identity || known.epoch > epoch
  }

  /// True if a position is beyond the end of this journal, so that it was restored from a backup.
  func isBeyond(_ position: JournalPosition) -> Bool {
    position.journal == identity
      && (position.epoch > epoch || (position.epoch == epoch && position.seq > head))
  }

  /// Returns the smallest of the next number and the first numbers of all later starts: a later start may use the
  /// number of a fact that was lost in a power cut once more.
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

  /// Returns the place of a reader that has read to a fact, or to the end where there is none.
  func place(through last: (seq: Int64, epoch: Int64)?) -> JournalPosition {
    // One that has all of them stands in this start, whichever wrote the last one.
    guard let last, last.seq < head else { return end }
    return JournalPosition(journal: identity, epoch: last.epoch, seq: last.seq)
  }

  /// The first number at or after a moment, found by halving: times grow with the numbers, but for steps of the clock.
  /// `time` gives that of the first fact kept from a number on.
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

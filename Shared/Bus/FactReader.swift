/// Keeps one reader's place in one node's journal and judges what arrives. Pure.
struct FactReader {
  /// What to do with what was heard.
  enum Verdict: Equatable {
    /// It is the next one: apply it.
    case apply
    /// It was applied before, or is of a former start or another journal.
    case ignore
    /// Something is missing: fetch from the desk.
    case fetch
  }

  /// The place; nil before the first contact.
  var position: JournalPosition?

  /// Judges a live fact. One of another journal is ignored: that the journal changed is a heartbeat's to say, as a last
  /// fact of a wiped one may still come late.
  func judge(fact: JournalPosition) -> Verdict {
    guard let position else { return .fetch }
    guard position.journal == fact.journal, fact.epoch >= position.epoch else { return .ignore }
    if fact.epoch > position.epoch { return .fetch }
    if fact.seq <= position.seq { return .ignore }
    return fact.seq == position.seq &+ 1 ? .apply : .fetch
  }

  /// Judges what a heartbeat says of the journal's head. Frames of one node keep their order, so a head ahead of the
  /// place is a gap.
  func judge(head: JournalPosition) -> Verdict {
    guard let position, position.journal == head.journal else { return .fetch }
    if head.epoch < position.epoch { return .ignore }
    return head.epoch > position.epoch || head.seq > position.seq ? .fetch : .ignore
  }

  /// How far the place lies behind a head.
  func lag(behind head: JournalPosition) -> Int64 {
    guard let position, position.journal == head.journal else { return max(0, head.seq) }
    return max(0, head.seq &- position.seq)
  }
}

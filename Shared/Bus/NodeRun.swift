/// A run of a node: its start number, and the journal in which that counts. A node that was wiped counts from one again.
struct NodeRun: Hashable, Sendable {
  var epoch: Int64
  /// Nil for a node without a journal, and where an older asker does not say it.
  var journal: String?

  /// Whether what names this run means another, as far as it tells.
  func means(_ other: NodeRun) -> Bool { epoch == other.epoch && (journal == nil || journal == other.journal) }
}

extension Envelope {
  /// The run of its node that a command is meant for; nil where its asker does not know.
  var targetRun: NodeRun? {
    get { target.map { NodeRun(epoch: $0, journal: journal) } }
    set { (target, journal) = (newValue?.epoch, newValue?.journal) }
  }
}

public import Bus
public import Messages
public import Model
public import Storage

/// Facts that this version of a service cannot read. They are stored in its table `unreadable_facts` for a later
/// version, as they would otherwise hold up all facts after them.
public enum UnreadableFacts {
  /// Stores a fact with the problem, and logs it after the transaction was committed. A fact that is stored already is
  /// ignored.
  ///
  /// - Parameters:
  ///   - fact: the fact that cannot be read.
  ///   - problem: the reason.
  ///   - code: the service's error code for it, such as `library.unreadableFact`.
  ///   - log: the log to write to.
  ///   - transaction: the transaction that moves the reader's cursor.
  /// - Throws: the errors of `Transaction.execute`.
  public static func keep(
    _ fact: ReceivedFact, _ problem: LunaraError, as code: String, log: Log, in transaction: Transaction
  ) throws {
    let envelope = fact.envelope
    let kept = try transaction.execute(
      """
      INSERT OR IGNORE INTO unreadable_facts (journal, epoch, seq, node, kind, payload, problem)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, envelope.journal ?? "", envelope.epoch, fact.seq, fact.node.description, fact.kind, envelope.payload,
      problem.description)
    guard kept > 0 else { return }
    transaction.afterCommit {
      log.error(
        LunaraError(
          code,
          "\(fact.node) reported a fact that this version cannot read. It is kept; bring all services to one version.",
          cause: problem.description))
    }
  }
}

extension ReceivedFact {
  /// Decodes a fact if it is of this kind; nil for another kind, and for a fact that cannot be read, which is stored as
  /// `UnreadableFacts.keep` does.
  public func read<Content: Fact>(
    _ kind: Content.Type, keptAs code: String, _ log: Log, in transaction: Transaction
  ) throws -> Content? {
    do { return try decode(kind) } catch {
      try UnreadableFacts.keep(self, LunaraError(error), as: code, log: log, in: transaction)
      return nil
    }
  }
}

package import Bus
package import Messages
package import Model
package import Storage

/// Updates what people said about albums, tracks and artists after the catalogue changed. All functions are called in
/// the transaction of the change, in the order of the list that `ChangePublisher` has.
package protocol CatalogueFollower: Sendable {
  /// Follows the subjects that are shown as other items after a change, or are away. Returns the opinions that are now
  /// those of other albums, in the order in which they changed.
  func follow(_ moves: [SubjectMove], at now: Timestamp, _ transaction: Transaction) throws -> [Library.OpinionChanged]

  /// Notes what a refresh that changed the catalogue has brought, after the change was published.
  func notice(at now: Timestamp, _ journal: Journal?, _ transaction: Transaction) throws
}

extension CatalogueFollower {
  package func notice(at now: Timestamp, _ journal: Journal?, _ transaction: Transaction) throws {}
}

/// Passes changes of the catalogue to followers, in the same transaction, and publishes them as facts.
package struct ChangePublisher: Sendable {
  /// The journal for facts; nil for none.
  package let journal: Journal?
  package let followers: [any CatalogueFollower]

  package init(_ journal: Journal?, followers: [any CatalogueFollower]) {
    self.journal = journal
    self.followers = followers
  }
}

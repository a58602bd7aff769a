package import Bus
package import Messages
package import Model
package import Storage

/// Keeps what people say about music with the music when the catalogue changes. All functions are called in the
/// transaction of the change, in the order of the list that `ChangePublisher` has.
package protocol CatalogueFollower: Sendable {
  /// Follows albums that were merged, separated, renamed, renumbered or removed, or came back, right after their rows
  /// were written. Returns the opinions that are now those of other albums, in the order in which they changed.
  func follow(_ merge: AlbumMerge, _ transaction: Transaction) throws -> [Library.OpinionChanged]

  /// Updates links to the changed albums, before the change is published.
  ///
  /// - Parameter isWide: true where more albums changed than `changes` has.
  func settle(_ changes: CatalogueWriter.Changes, isWide: Bool, _ transaction: Transaction) throws

  /// Notes what a refresh that changed the catalogue has brought, after the change was published.
  func notice(at now: Timestamp, _ journal: Journal?, _ transaction: Transaction) throws
}

extension CatalogueFollower {
  package func follow(_ merge: AlbumMerge, _ transaction: Transaction) throws -> [Library.OpinionChanged] { [] }
  package func settle(_ changes: CatalogueWriter.Changes, isWide: Bool, _ transaction: Transaction) throws {}
  package func notice(at now: Timestamp, _ journal: Journal?, _ transaction: Transaction) throws {}
}

/// Albums that were merged anew.
package struct AlbumMerge: Sendable {
  /// Their merge keys.
  package var keys: Set<String>
  /// The album to which the last track of an album was moved, by the number of the latter.
  package var successors: [Int64: Int64]
  package var time: Timestamp
}

/// Passes changes of the catalogue to followers, in the same transaction, and publishes them as facts.
package struct ChangePublisher: Sendable {
  /// The journal for facts; nil for none.
  package let journal: Journal?
  package let followers: [any CatalogueFollower]

  package init(_ journal: Journal?, followers: [any CatalogueFollower]) {
    (self.journal, self.followers) = (journal, followers)
  }
}

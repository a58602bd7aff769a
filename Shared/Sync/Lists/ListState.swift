public import Model

/// The last common state of a list here and its twin at a provider, which is stored between two runs.
public struct ListState: Codable, Hashable, Sendable {
  /// An entry that both sides have, or had.
  public struct Link: Codable, Hashable, Sendable {
    /// The id of our entry.
    public var entry: Int64
    /// The provider's id of the track.
    public var native: String
    /// The provider's id of the entry; nil if it has none or where it is not known yet.
    public var place: String?
    /// The position at the provider; nil until a reading has it.
    public var rank: Int?
    /// The number of complete readings in a row in which the provider did not have the entry.
    public var missing = 0
    /// True from before the provider is asked to add the entry until it confirms. While it is true, an entry that two
    /// readings do not have is added again, and not taken for one that was removed there.
    public var isPending = false
    /// The number of entries of the track in the reading after which the provider was asked to remove this one; nil if
    /// it was not asked.
    var countBefore: Int?
  }

  /// The entries, in the order of our side.
  public internal(set) var links: [Link] = []
  /// True from before the provider's order is changed until the provider confirms. While it is true, the order there
  /// says nothing about what a person moved.
  public internal(set) var isOrderPending = false
  /// The number of entries of each track that the last reading had more than once and more often than our side. A list
  /// that changes while it is read may have an entry on two pages, so that a second reading decides.
  var repeated: [String: Int] = [:]
  /// The removals that wait for a person's answer; nil if none do.
  public internal(set) var question: RemovalQuestion?
  /// The removals of the last 30 days, the latest last.
  public internal(set) var removals: [ListRemoval] = []

  /// True if a second reading decides about something.
  public var isWaiting: Bool { !repeated.isEmpty || links.contains { $0.missing > 0 } }

  /// Creates the state of two lists that were never compared.
  public init() {}
}

/// Removals at a provider that are so many that a person is asked.
public struct RemovalQuestion: Codable, Hashable, Sendable {
  /// The smallest number of removals that a person is asked about.
  public static let fewest = 5

  /// The entries or items that would be removed here, sorted.
  public var removed: [String]
  /// The number of entries or items from which they would be removed.
  public var total: Int

  /// True if so many removals are asked about: at least five, and a quarter of all.
  static func isNeeded(_ removals: Int, of total: Int) -> Bool { removals >= fewest && removals * 4 >= total }

  /// True if an answer to this question holds for these removals: none was added since it was asked.
  func covers(_ removals: [String]) -> Bool { Set(removals).isSubset(of: removed) }
}

/// The answer of a person to a `RemovalQuestion`.
public enum RemovalAnswer: String, Codable, Hashable, Sendable {
  /// They are removed here as well.
  case remove
  /// They stay here, and the provider gets them again.
  case keep
}

/// An entry that a run removed from either side. It can be brought back for 30 days.
public struct ListRemoval: Codable, Hashable, Sendable {
  /// The time for which a removal is kept.
  public static let memory = Timestamp(seconds: 30 * 86_400)

  /// The time of the removal.
  public var at: Timestamp
  /// The entry as it was; its id is no longer in use.
  public var entry: LocalEntry
  /// The entry of ours behind which it stood; nil for the first one, or if that is not known.
  public var after: Int64?
  /// True if it was removed here since the provider no longer had it; false if it was removed at the provider since a
  /// person removed it here.
  public var isLocal: Bool
}

extension ListState {
  /// Takes back a removal of the last 30 days and returns the edit that inserts the entry into our list again; nil if
  /// the removal is no longer kept. The next run adds it at the provider.
  public mutating func undo(_ removal: ListRemoval, at now: Timestamp) -> LocalEdit? {
    forgetRemovals(at: now)
    guard let index = removals.firstIndex(of: removal) else { return nil }
    removals.remove(at: index)
    return .insert([removal.entry.track], after: removal.after.map { .entry($0) } ?? .start)
  }

  /// Forgets the removals of more than 30 days ago.
  mutating func forgetRemovals(at now: Timestamp) {
    removals.removeAll { now.microseconds - $0.at.microseconds > ListRemoval.memory.microseconds }
  }
}

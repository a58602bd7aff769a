public import Model

/// The knowledge of one list between two runs.
public struct ListProgress: Codable, Hashable, Sendable {  // memberwise
  /// The provider's id of the list.
  public var native: String
  /// The provider's mark of the contents that were last read; nil if it has none.
  public var snapshot: String? = nil
  /// The time of the last complete reading; nil if there was none.
  public var readAt: Timestamp? = nil
  /// True if our list was changed since, or a step at the provider failed.
  public var isChangedHere: Bool = false
  /// True if entries are missing at the provider and a second reading decides about them.
  public var isWaiting: Bool = false
}

/// Chooses the lists that a run reads.
public enum ListRotation {
  /// The largest number of lists that one run reads.
  public static let most = 15
  /// The time after which a list is read even if the provider says that it is unchanged.
  public static let longestTrust = Milliseconds(24 * 3_600_000)

  /// Returns the lists that are read now, those first that were not read for the longest time.
  ///
  /// - Parameters:
  ///   - lists: what is known of each list.
  ///   - snapshots: the provider's present marks of the contents, by the ids of lists.
  ///   - now: the time of the run.
  public static func choose(
    _ lists: [ListProgress], snapshots: [String: String], at now: Timestamp
  ) -> [ListProgress] {
    let due = lists.filter { isDue($0, snapshot: snapshots[$0.native], at: now) }
    let order = due.sorted {
      ($0.readAt?.microseconds ?? .min, $0.native) < ($1.readAt?.microseconds ?? .min, $1.native)
    }
    return Array(order.prefix(most))
  }

  /// Returns true if a list has to be read. The provider's mark is believed for a day.
  static func isDue(_ list: ListProgress, snapshot: String?, at now: Timestamp) -> Bool {
    guard let readAt = list.readAt, let known = list.snapshot, known == snapshot else { return true }
    let age = now - readAt
    return list.isChangedHere || list.isWaiting || age >= longestTrust || age < .zero
  }
}

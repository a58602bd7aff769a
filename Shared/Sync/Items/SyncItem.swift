public import Model

extension SyncItem {
  /// The id of the item: artist, title and album in their normal forms.
  public var id: String { [artist, title, album].map(NormalForm.of).joined(separator: "|") }

  /// The keys by which the item is recognised, the surest first.
  var keys: [String] {
    var keys: [String] = []
    if let isrc, !isrc.isEmpty { keys.append("isrc " + NormalForm.of(isrc)) }
    if let id = musicBrainzID, !id.isEmpty { keys.append("mbid " + NormalForm.of(id)) }
    keys.append("name " + id)
    return keys
  }
}

/// An item as our side has it.
public struct LocalItem: Codable, Hashable, Sendable {  // memberwise
  /// Our key of the item, which it keeps when its tags are changed.
  public var key: String
  /// The item.
  public var item: SyncItem
}

/// The changes that a provider allows in a set of items.
public struct ItemCapabilities: Codable, Hashable, Sendable {  // memberwise
  /// A provider that allows every change.
  public static let all = ItemCapabilities()

  /// True if items can be added.
  public var canAdd: Bool = true
  /// True if items can be removed.
  public var canRemove: Bool = true
}

/// The changes that follow from one comparison of the items.
///
/// The caller stores the ledger, and adds and removes the items here, in one transaction, in which it has also read
/// what is here. Then it calls the provider, and tells the ledger what the provider confirmed.
public struct ItemPlan: Hashable, Sendable {
  /// An item that the provider is to add.
  public struct Addition: Hashable, Sendable {
    /// The id of the item.
    public var id: String
    /// The item.
    public var item: SyncItem
    /// The provider's id; nil if it has to be searched for.
    public var native: String?
  }

  /// The items that are added here.
  public internal(set) var addedLocally: [SyncItem] = []
  /// The items that are removed here.
  public internal(set) var removedLocally: [LocalItem] = []
  /// The items that the provider is to add.
  public internal(set) var additions: [Addition] = []
  /// The provider's ids that it is to remove.
  public internal(set) var removals: [String] = []
  /// The number of items that the provider no longer has, and that are removed if the next reading agrees.
  public internal(set) var waiting = 0
  /// The removals that a person is asked about; nil if there are none.
  public internal(set) var question: RemovalQuestion?
}

/// An item that was removed here. It can be brought back for 30 days.
public struct ItemRemoval: Codable, Hashable, Sendable {
  /// The time of the removal.
  public var at: Timestamp
  /// The item.
  public var item: SyncItem
  /// The provider that no longer had it; nil if a person removed it here.
  public var provider: String?
}

/// A list at a provider as its overview has it.
public struct RemoteListInfo: Codable, Hashable, Sendable {
  /// The provider's id.
  public var native: String
  /// The title.
  public var title: String
  /// The description; empty if there is none.
  public var summary: String = ""
  /// True if it can be edited.
  public var isEditable: Bool = true
}

/// A list at a provider as its overview has it.
public struct RemoteList: Codable, Hashable, Sendable {
  /// The list.
  public var info: RemoteListInfo
  /// The mark of the contents, which differs once they have changed; nil if the provider has none.
  public var snapshot: String? = nil
}

/// One entry of a list at a provider.
public struct RemoteEntry: Codable, Hashable, Sendable {
  /// The provider's id of this entry; nil if it only has ids of tracks.
  public var place: String? = nil
  /// The provider's id of the track.
  public var native: String
  /// The description of the track.
  public var described: DescribedTrack
  /// True for an entry that could not be added again, such as a file of the person's own computer. It is never removed
  /// in order to be added elsewhere.
  public var isFixed: Bool = false
}

/// All entries of a list at a provider.
public struct RemoteReading: Hashable, Sendable {
  /// The entries, in order.
  public var entries: [RemoteEntry]
  /// The mark of the contents that were read; nil if the provider has none.
  public var snapshot: String? = nil
}

/// The changes that a provider allows in a list.
public struct ListCapabilities: Codable, Hashable, Sendable {
  /// The ways to remove an entry.
  public enum Removal: String, Codable, Hashable, Sendable {
    /// One entry is removed by its own id.
    case entry
    /// One entry is removed by its position.
    case position
    /// All entries of a track are removed by the track's id.
    case track
    /// Only the whole list can be replaced.
    case replacing
    /// Nothing can be removed.
    case never
  }

  /// The places at which entries can be added.
  public enum Insertion: String, Codable, Hashable, Sendable {
    case anywhere
    case atEnd
    case never
  }

  /// The way to remove an entry.
  public var removal: Removal
  /// The place at which entries can be added.
  public var insertion: Insertion
  /// True if an entry can be moved.
  public var canReorder: Bool
  /// True if all entries can be replaced.
  public var canReplace: Bool
  /// The largest number of entries that one call adds or removes.
  public var batch: Int

  public init(
    removal: Removal, insertion: Insertion, canReorder: Bool, canReplace: Bool = false, batch: Int = 100
  ) {
    self.removal = removal
    self.insertion = insertion
    self.canReorder = canReorder
    self.canReplace = canReplace || removal == .replacing
    self.batch = max(1, batch)
  }

  /// The capabilities of a list that can only be read.
  public static let readOnly = ListCapabilities(removal: .never, insertion: .never, canReorder: false)
}

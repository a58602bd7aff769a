public import Model

/// The items of one kind that are here and who gave them: what is stored between two runs.
///
/// - An item that a provider has and that is not here is added here, with the provider as its source.
/// - An item that a provider no longer has loses this source after two complete readings in a row, and is removed here
///   if no other provider gave it and no person added it here. What no provider gave is never touched.
/// - An item that a person removed here is remembered for 365 days after it was last seen at a provider, and does not
///   come back in this time unless a person adds it again.
public struct ItemLedger: Codable, Hashable, Sendable {
  /// The time for which an item that a person removed is remembered.
  public static let tombstoneMemory = Timestamp(seconds: 365 * 86_400)

  /// A provider that has an item.
  public struct Source: Codable, Hashable, Sendable {
    /// The provider's ids; several where it has several versions of the item.
    public var natives: [String]
    /// The time when it was added there.
    public var addedAt: Timestamp
    /// The time of the last reading that had it.
    public var syncedAt: Timestamp
    /// The number of complete readings in a row that did not have it.
    var missing = 0
    /// True from before the provider is asked to add it until a reading has it or the provider confirms.
    var isPending = false
    /// True if the provider has it because we added it there.
    var isPushed = false
  }

  /// An item that is here.
  public struct Item: Codable, Hashable, Sendable {
    /// The item.
    public var item: SyncItem
    /// Our key; nil until our side has one.
    public internal(set) var key: String?
    /// True if a person added it here.
    public internal(set) var isOwn: Bool
    /// The time when it came here.
    public var addedAt: Timestamp
    /// The providers that have it.
    public internal(set) var sources: [String: Source] = [:]
    /// The providers from which it was removed, or that cannot have it; it is not added there again.
    var declined: Set<String> = []

    /// True if it has a reason to be here.
    var isWanted: Bool { isOwn || sources.values.contains { !$0.isPushed } }
  }

  /// An item that a person removed here.
  struct Tombstone: Codable, Hashable, Sendable {
    var item: SyncItem
    /// The time of the removal, or of the last sighting at a provider.
    var at: Timestamp
    /// For each provider that was asked to remove the item the number of complete readings in a row without it.
    var gone: [String: Int] = [:]
  }

  /// The items that are here, by their ids.
  public internal(set) var items: [String: Item] = [:]
  /// The removals of the last 30 days, the latest last.
  public internal(set) var removals: [ItemRemoval] = []
  /// The questions that wait for a person's answer, by provider.
  public internal(set) var questions: [String: RemovalQuestion] = [:]
  var tombstones: [String: Tombstone] = [:]
  /// The ids that providers are to remove, each with the id of its item.
  var outgoing: [String: [String: String]] = [:]
  /// The providers of which there was a complete reading.
  var known: Set<String> = []

  /// Creates the ledger of items that were never compared.
  public init() {}
}

/// The outcome of a plan.
extension ItemLedger {
  /// Records that the provider added an item.
  public mutating func confirmAddition(_ id: String, native: String, at provider: String) {
    guard var source = items[id]?.sources[provider] else { return }
    source.isPending = false
    if !source.natives.contains(native) { source.natives.append(native) }
    items[id]?.sources[provider] = source
  }

  /// Records that the provider cannot have an item; it is not asked again.
  public mutating func refuseAddition(_ id: String, at provider: String) {
    guard items[id]?.sources[provider]?.isPending == true else { return }
    items[id]?.sources[provider] = nil
    items[id]?.declined.insert(provider)
  }

  /// Records that the provider removed these ids.
  public mutating func confirmRemovals(_ natives: [String], at provider: String) {
    for native in natives { outgoing[provider]?[native] = nil }
  }

  /// Takes back a removal of the last 30 days. Returns the item, which the caller adds here in the same transaction;
  /// nil if the removal is no longer kept.
  public mutating func undo(_ removal: ItemRemoval, at now: Timestamp) -> SyncItem? {
    forget(at: now)
    guard let index = removals.lastIndex(of: removal) else { return nil }
    removals.remove(at: index)
    add(removal.item, isOwn: true, at: now)
    return removal.item
  }

  /// Adds an item that a person wants here, and forgets that it was removed.
  mutating func add(_ item: SyncItem, key: String? = nil, isOwn: Bool, at now: Timestamp) {
    let id = item.id
    forgetTombstone(of: id)
    if items[id] == nil { items[id] = Item(item: item, key: key, isOwn: isOwn, addedAt: now) }
    if isOwn { items[id]?.isOwn = true }
  }

  /// Forgets that an item was removed, and that it is to be removed at providers.
  private mutating func forgetTombstone(of id: String) {
    tombstones[id] = nil
    for provider in outgoing.keys { outgoing[provider] = outgoing[provider]?.filter { $0.value != id } }
  }

  /// Forgets removals of more than 30 days ago and tombstones that were not seen for 365 days.
  mutating func forget(at now: Timestamp) {
    removals.removeAll { now.microseconds - $0.at.microseconds > ListRemoval.memory.microseconds }
    for (id, tombstone) in tombstones
    where now.microseconds - tombstone.at.microseconds > Self.tombstoneMemory.microseconds {
      forgetTombstone(of: id)
    }
  }
}

public import Model

/// Comparing our items with those of a provider.
extension ItemLedger {
  /// Compares what is here, the ledger and a reading of a provider, and notes what follows.
  ///
  /// - Parameters:
  ///   - reading: a complete reading; nil if there is none, since nothing changed there or it was cut off. Then only
  ///     changes here are followed.
  ///   - provider: the provider's name in the ledger.
  ///   - local: all items that are here now.
  ///   - capabilities: what the provider can change.
  ///   - direction: the sides that may be changed.
  ///   - answer: the answer to the question about this provider; nil for none.
  ///   - now: the time of the comparison.
  public mutating func compare(
    _ reading: [RemoteItem]?, of provider: String, local: [LocalItem],
    capabilities: ItemCapabilities = .all, direction: SyncDirection = .both,
    answer: RemovalAnswer? = nil, at now: Timestamp
  ) -> ItemPlan {
    forget(at: now)
    var plan = ItemPlan()
    followLocal(local, at: now)
    if let reading {
      let seen = follow(reading, of: provider, pulls: direction.pulls, &plan, at: now)
      known.insert(provider)
      outgoing[provider] = outgoing[provider]?.filter { native, _ in seen.natives.contains(native) }
      for (id, tombstone) in tombstones where !seen.ids.contains(id) {
        if let count = tombstone.gone[provider] { tombstones[id]?.gone[provider] = count + 1 }
      }
      if direction.pulls {
        withdraw(unseen: seen.ids, from: provider, answer: answer, &plan, at: now)
      } else {
        // A provider that follows us gets back what it lacks.
        for (id, item) in items where item.sources[provider] != nil && !seen.ids.contains(id) {
          items[id]?.sources[provider] = nil
        }
      }
    } else {
      plan.question = questions[provider]
    }
    if direction.pushes { push(to: provider, capabilities, &plan, at: now) }
    return plan
  }

  /// Notes what a person added and removed here.
  private mutating func followLocal(_ local: [LocalItem], at now: Timestamp) {
    var byKey: [String: String] = [:]
    for (id, item) in items { if let key = item.key { byKey[key] = id } }
    var index = ItemIndex(items)
    var here: Set<String> = []
    var new: [LocalItem] = []
    for entry in local {
      if let id = byKey[entry.key] { here.insert(id) } else { new.append(entry) }
    }
    for entry in new {
      if let id = index.id(of: entry.item), !here.contains(id) || items[id]?.key == nil {
        items[id]?.key = entry.key
        here.insert(id)
      } else if index.id(of: entry.item) == nil {
        add(entry.item, key: entry.key, isOwn: true, at: now)
        index.insert(entry.item)
        here.insert(entry.item.id)
      }
    }
    for (id, item) in items where !here.contains(id) { bury(id, item, at: now) }
  }

  /// Notes that a person removed an item here.
  private mutating func bury(_ id: String, _ item: Item, at now: Timestamp) {
    items[id] = nil
    var tombstone = Tombstone(item: item.item, at: now)
    for (provider, source) in item.sources {
      tombstone.gone[provider] = 0
      for native in source.natives { outgoing[provider, default: [:]][native] = id }
    }
    tombstones[id] = tombstone
    removals.append(ItemRemoval(at: now, item: item.item, provider: nil))
  }

  /// Notes what a provider has, and returns the items and the provider's ids that it has.
  private mutating func follow(
    _ reading: [RemoteItem], of provider: String, pulls: Bool, _ plan: inout ItemPlan, at now: Timestamp
  ) -> (ids: Set<String>, natives: Set<String>) {
    var index = ItemIndex(items)
    let buried = ItemIndex(tombstones.mapValues(\.item))
    var byNative: [String: String] = [:]
    for (id, item) in items { for native in item.sources[provider]?.natives ?? [] { byNative[native] = id } }
    var seen: [String: [String]] = [:]
    var natives: Set<String> = []
    for entry in reading where natives.insert(entry.native).inserted {
      var id = byNative[entry.native] ?? index.id(of: entry.item)
      if id == nil {
        if let grave = outgoing[provider]?[entry.native] ?? buried.id(of: entry.item),
          isSuppressed(grave, entry, provider, at: now)
        {
          seen[grave, default: []].append(entry.native)
          continue
        }
        guard pulls else { continue }
        add(entry.item, isOwn: false, at: now)
        index.insert(entry.item)
        plan.addedLocally.append(entry.item)
        id = entry.item.id
      }
      guard let id else { continue }
      seen[id, default: []].append(entry.native)
      var source =
        items[id]?.sources[provider] ?? Source(natives: [], addedAt: entry.addedAt ?? now, syncedAt: now)
      source.natives = seen[id] ?? []
      source.syncedAt = now
      source.missing = 0
      source.isPending = false
      items[id]?.sources[provider] = source
      items[id]?.declined.remove(provider)
    }
    return (Set(seen.keys), natives)
  }

  /// Returns true if what a provider has is what a person removed here, and notes the sighting; false if a person has
  /// added it there again after the provider had removed it.
  private mutating func isSuppressed(
    _ id: String, _ entry: RemoteItem, _ provider: String, at now: Timestamp
  ) -> Bool {
    guard var tombstone = tombstones[id] else { return outgoing[provider]?[entry.native] != nil }
    if let gone = tombstone.gone[provider], gone >= 2, outgoing[provider]?[entry.native] == nil {
      tombstones[id] = nil
      return false
    }
    tombstone.at = now
    // The provider is only asked to remove what it had when it was removed here.
    if tombstone.gone[provider] != nil {
      tombstone.gone[provider] = 0
      outgoing[provider, default: [:]][entry.native] = id
    }
    tombstones[id] = tombstone
    return true
  }

  /// Takes off the source from the items that a provider no longer has.
  private mutating func withdraw(
    unseen seen: Set<String>, from provider: String, answer: RemovalAnswer?, _ plan: inout ItemPlan, at now: Timestamp
  ) {
    var candidates: [String] = []
    var total = 0
    for (id, item) in items {
      guard var source = item.sources[provider], !source.isPending else { continue }
      total += 1
      guard !seen.contains(id) else { continue }
      source.missing += 1
      items[id]?.sources[provider] = source
      if source.missing >= 2 { candidates.append(id) } else { plan.waiting += 1 }
    }
    candidates.sort()
    let isAnswered = answer != nil && questions[provider]?.covers(candidates) == true
    guard isAnswered || !RemovalQuestion.isNeeded(candidates.count, of: total) else {
      questions[provider] = RemovalQuestion(removed: candidates, total: total)
      plan.question = questions[provider]
      return
    }
    questions[provider] = nil
    for id in candidates {
      items[id]?.sources[provider] = nil
      if isAnswered, answer == .keep { items[id]?.isOwn = true }
      guard let item = items[id] else { continue }
      if item.isWanted {
        if !isAnswered || answer != .keep { items[id]?.declined.insert(provider) }
        continue
      }
      items[id] = nil
      for (other, source) in item.sources {
        for native in source.natives { outgoing[other, default: [:]][native] = id }
      }
      plan.removedLocally.append(LocalItem(key: item.key ?? id, item: item.item))
      removals.append(ItemRemoval(at: now, item: item.item, provider: provider))
    }
  }

  /// Notes what the provider is to add and to remove.
  private mutating func push(
    to provider: String, _ capabilities: ItemCapabilities, _ plan: inout ItemPlan, at now: Timestamp
  ) {
    if capabilities.canRemove { plan.removals = (outgoing[provider] ?? [:]).keys.sorted() }
    // Before the first reading it is not known what the provider has.
    guard capabilities.canAdd, known.contains(provider) else { return }
    for id in items.keys.sorted() {
      guard let item = items[id], !item.declined.contains(provider) else { continue }
      if let source = item.sources[provider], !source.isPending { continue }
      let source = item.sources[provider] ?? Source(natives: [], addedAt: now, syncedAt: now)
      plan.additions.append(.init(id: id, item: item.item, native: source.natives.first))
      var pending = source
      pending.isPending = true
      pending.isPushed = true
      items[id]?.sources[provider] = pending
    }
  }
}

/// Finds items by their keys.
struct ItemIndex {
  private var ids: [String: String] = [:]

  init(_ items: [String: ItemLedger.Item]) { self.init(items.mapValues(\.item)) }

  init(_ items: [String: SyncItem]) {
    for (id, item) in items { insert(item, id: id) }
  }

  /// Returns the id of the item that has one of the keys of this one, the surest key first.
  func id(of item: SyncItem) -> String? {
    for key in item.keys { if let id = ids[key] { return id } }
    return nil
  }

  mutating func insert(_ item: SyncItem) { insert(item, id: item.id) }

  private mutating func insert(_ item: SyncItem, id: String) { for key in item.keys { ids[key] = id } }
}

/// The results of lookups, kept while their keys are wanted. Each lookup has a number, so that the late result of an
/// abandoned lookup is not taken for the result of a newer one.
struct LookupCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private enum Entry {
    case pending(Int)
    case found(Value)
    case missing
  }

  struct Lookup: Sendable {
    let key: Key
    let number: Int
  }

  private var entries: [Key: Entry] = [:]
  private var count = 0
  /// The number of the newest lookup that began before the last `retryMissing`.
  private var outdated = 0

  /// Sets the wanted keys. Returns the lookups to start, and the values whose keys are no longer wanted.
  mutating func update(wanted keys: Set<Key>) -> (started: [Lookup], removed: [Value]) {
    let unwanted = entries.keys.filter { !keys.contains($0) }
    let removed = unwanted.compactMap { self[$0] }
    for key in unwanted { entries[key] = nil }
    var started: [Lookup] = []
    for key in keys where entries[key] == nil {
      count += 1
      entries[key] = .pending(count)
      started.append(Lookup(key: key, number: count))
    }
    return (started, removed)
  }

  /// Returns true if a lookup has no result yet and its key is still wanted.
  func isPending(_ lookup: Lookup) -> Bool {
    if case .pending(lookup.number) = entries[lookup.key] { true } else { false }
  }

  /// Stores the result of a lookup; nil means that nothing was found. Returns false if the result is no longer wanted.
  mutating func store(_ value: Value?, for lookup: Lookup) -> Bool {
    guard isPending(lookup) else { return false }
    let missing: Entry? = lookup.number > outdated ? .missing : nil
    entries[lookup.key] = value.map { .found($0) } ?? missing
    return true
  }

  /// Forgets which keys were not found, so that they are looked up again. Keys that lookups in progress do not find are
  /// looked up again as well, as these lookups may have begun too early.
  mutating func retryMissing() {
    entries = entries.filter { if case .missing = $0.value { false } else { true } }
    outdated = count
  }

  subscript(_ key: Key) -> Value? { if case .found(let value) = entries[key] { value } else { nil } }

  /// Returns true if no lookup of the key is in progress.
  func isFinished(_ key: Key) -> Bool { if case .pending = entries[key] { false } else { true } }
}

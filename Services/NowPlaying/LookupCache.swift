/// The results of lookups, kept as long as their keys are wanted. Each lookup has a number, so that the result of one
/// that was given up is not taken for that of a later one.
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
  /// The number of the newest lookup that may have looked too early.
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

  /// Returns true while the result of a lookup is wanted.
  func isPending(_ lookup: Lookup) -> Bool {
    if case .pending(lookup.number) = entries[lookup.key] { true } else { false }
  }

  /// Stores the result of a lookup, nil for nothing found. Returns false where the result is no longer wanted.
  mutating func store(_ value: Value?, for lookup: Lookup) -> Bool {
    guard isPending(lookup) else { return false }
    let missing: Entry? = lookup.number > outdated ? .missing : nil
    entries[lookup.key] = value.map { .found($0) } ?? missing
    return true
  }

  /// Forgets which keys were not found, so that they are looked up again. What a lookup that is under way does not find
  /// is looked up again as well, as it may have looked too early.
  mutating func retryMissing() {
    entries = entries.filter { if case .missing = $0.value { false } else { true } }
    outdated = count
  }

  subscript(_ key: Key) -> Value? { if case .found(let value) = entries[key] { value } else { nil } }

  /// Returns true if no lookup of the key is under way.
  func isFinished(_ key: Key) -> Bool { if case .pending = entries[key] { false } else { true } }
}

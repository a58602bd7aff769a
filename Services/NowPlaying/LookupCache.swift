/// What is searched for as long as somebody wants it. Each search has a number, so that the outcome of one that was given
/// up is not taken for that of a later one.
struct LookupCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private enum Entry {
    case pending(Int)
    case found(Value)
    case missing
  }

  /// A search that is to begin.
  struct Search: Sendable {
    let key: Key
    let number: Int
  }

  private var lookups: [Key: Entry] = [:]
  private var searches = 0
  /// The newest search of those that may have looked too early.
  private var outdated = 0

  /// Takes what is wanted now, and gives what is to be searched for and what was found and nobody wants any more.
  mutating func update(wanted keys: Set<Key>) -> (begin: [Search], forget: [Value]) {
    let unwanted = lookups.keys.filter { !keys.contains($0) }
    let forgotten = unwanted.compactMap { self[$0] }
    for key in unwanted { lookups[key] = nil }
    var begun: [Search] = []
    for key in keys where lookups[key] == nil {
      searches += 1
      lookups[key] = .pending(searches)
      begun.append(Search(key: key, number: searches))
    }
    return (begun, forgotten)
  }

  /// Whether the outcome of a search is waited for.
  func isPending(_ search: Search) -> Bool {
    if case .pending(search.number) = lookups[search.key] { true } else { false }
  }

  /// Takes the outcome of a search, nil for nothing; false where nobody waits for it.
  mutating func store(_ value: Value?, for search: Search) -> Bool {
    guard isPending(search) else { return false }
    let missing: Entry? = search.number > outdated ? .missing : nil
    lookups[search.key] = value.map { .found($0) } ?? missing
    return true
  }

  /// Forgets what was not found, so that it is searched for again, and so is what a search that is under way now does
  /// not find: it may have looked before.
  mutating func retryMissing() {
    lookups = lookups.filter { if case .missing = $0.value { false } else { true } }
    outdated = searches
  }

  /// What was found.
  subscript(_ key: Key) -> Value? { if case .found(let value) = lookups[key] { value } else { nil } }

  /// Whether a search for it is over, or none was begun.
  func isFinished(_ key: Key) -> Bool { if case .pending = lookups[key] { false } else { true } }
}

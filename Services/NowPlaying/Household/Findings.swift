/// What is searched for as long as somebody wants it. Each search has a number, so that the outcome of one that was given
/// up is not taken for that of a later one.
struct Findings<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private enum Finding {
    case sought(Int)
    case found(Value)
    case missing
  }

  /// A search that is to begin.
  struct Search: Sendable {
    let key: Key
    let number: Int
  }

  private var findings: [Key: Finding] = [:]
  private var searches = 0
  /// The newest search of those that may have looked too early.
  private var outdated = 0

  /// Takes what is wanted now, and gives what is to be searched for and what was found and nobody wants any more.
  mutating func want(_ keys: Set<Key>) -> (begin: [Search], forget: [Value]) {
    let unwanted = findings.keys.filter { !keys.contains($0) }
    let forgotten = unwanted.compactMap { self[$0] }
    for key in unwanted { findings[key] = nil }
    var begun: [Search] = []
    for key in keys where findings[key] == nil {
      searches += 1
      findings[key] = .sought(searches)
      begun.append(Search(key: key, number: searches))
    }
    return (begun, forgotten)
  }

  /// Whether the outcome of a search is waited for.
  func isSought(_ search: Search) -> Bool {
    if case .sought(search.number) = findings[search.key] { true } else { false }
  }

  /// Takes the outcome of a search, nil for nothing; false where nobody waits for it.
  mutating func found(_ value: Value?, by search: Search) -> Bool {
    guard isSought(search) else { return false }
    let missing: Finding? = search.number > outdated ? .missing : nil
    findings[search.key] = value.map { .found($0) } ?? missing
    return true
  }

  /// Forgets what was not found, so that it is searched for again, and so is what a search that is under way now does
  /// not find: it may have looked before.
  mutating func reconsider() {
    findings = findings.filter { if case .missing = $0.value { false } else { true } }
    outdated = searches
  }

  /// What was found.
  subscript(_ key: Key) -> Value? { if case .found(let value) = findings[key] { value } else { nil } }

  /// Whether a search for it is over, or none was begun.
  func isSettled(_ key: Key) -> Bool { if case .sought = findings[key] { false } else { true } }
}

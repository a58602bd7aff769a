import Model

/// The durable readers of a journal and how far they are, as their nodes say in hellos. Pure.
struct JournalReaders: Sendable {
  /// A reader, by its name and its node.
  struct Key: Hashable, Sendable {
    var reader: String
    var node: NodeID
  }

  /// How far it is and when it said so.
  struct Known: Hashable, Sendable {
    var position: JournalPosition
    var seen: Timestamp
  }

  /// The most that are kept: more are no household's, and cost the others nothing.
  static let limit = 1024

  private(set) var known: [Key: Known] = [:]
  /// Those whose word is not written down yet.
  private var unwritten: Set<Key> = []

  /// Takes what was written down.
  init(_ known: [Key: Known] = [:]) { self.known = known }

  /// A reader said how far it is; whether it is new.
  mutating func note(_ cursor: ReaderCursor, of node: NodeID, at now: Timestamp) -> Bool {
    let key = Key(reader: cursor.reader, node: node)
    let isNew = known[key] == nil
    guard !isNew || known.count < Self.limit else { return false }
    known[key] = Known(position: cursor.position, seen: now)
    unwritten.insert(key)
    return isNew
  }

  /// The first number that one of them has yet to read; nil where there is none.
  func needed(in index: JournalIndex) -> Int64? {
    known.values.map { index.next(after: $0.position) ?? index.oldest }.min()
  }

  /// Takes those that are to be written down.
  mutating func takeUnwritten() -> [Key: Known] {
    defer { unwritten = [] }
    return known.filter { unwritten.contains($0.key) }
  }

  /// Forgets those that were not heard of since.
  mutating func forget(before moment: Timestamp) -> [Key] {
    let gone = known.filter { $1.seen < moment }.map(\.key)
    for key in gone { known[key] = nil }
    return gone
  }
}

import Model

@testable import Sync

/// Our items and those of providers in tests that name an item by a letter.
struct ItemPair {
  var ledger = ItemLedger()
  var here: Set<String> = []
  var there: [String: Set<String>] = [:]
  var now = Timestamp(seconds: 1_000_000)
  var plan = ItemPlan()

  static func item(_ letter: String) -> SyncItem { SyncItem(artist: "Artist", title: "Title \(letter)") }

  private static func letter(_ item: SyncItem) -> String { String(item.title.dropFirst(6)) }

  /// The items here, and those of the first provider, sorted.
  var letters: String { here.sorted().joined() }
  func letters(_ provider: String = "p") -> String { (there[provider] ?? []).sorted().joined() }

  init(here: String = "", there: String = "") {
    self.here = Set(here.map(String.init))
    self.there["p"] = Set(there.map(String.init))
  }

  /// Compares and makes all changes.
  mutating func run(
    _ provider: String = "p", reads: Bool = true, direction: SyncDirection = .both, answer: RemovalAnswer? = nil,
    losingAnswers: Bool = false, failing: Bool = false
  ) {
    let reading = (there[provider] ?? []).sorted().map { RemoteItem(native: "\(provider)\($0)", item: Self.item($0)) }
    plan = ledger.compare(
      reads ? reading : nil, of: provider, local: here.sorted().map { LocalItem(key: $0, item: Self.item($0)) },
      direction: direction, answer: answer, at: now)
    for item in plan.addedLocally { here.insert(Self.letter(item)) }
    for item in plan.removedLocally { here.remove(Self.letter(item.item)) }
    guard !failing else { return }
    for addition in plan.additions {
      let letter = Self.letter(addition.item)
      there[provider, default: []].insert(letter)
      if !losingAnswers { ledger.confirmAddition(addition.id, native: "\(provider)\(letter)", at: provider) }
    }
    for native in plan.removals { there[provider]?.remove(String(native.dropFirst(provider.count))) }
    if !losingAnswers { ledger.confirmRemovals(plan.removals, at: provider) }
  }

  mutating func pass(days: Int64) { now = Timestamp(microseconds: now.microseconds + days * 86_400_000_000) }
}

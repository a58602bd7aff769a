import Model
import TestSupport

@testable import Sync

/// Our items and those of two stand-in providers. A seed decides how they are edited and what fails.
struct ItemWorld {
  struct Violation: Error, CustomStringConvertible { var description: String }

  /// The edits of persons to one item.
  struct Account {
    var wasRemoved = false
    /// True if the last thing that a person did was to remove it here.
    var isUnwanted = false
    /// True if a person added it here and has not removed it here since: no provider takes it away.
    var isOwn = false
  }

  private var random: Seeded
  private var ledger = ItemLedger()
  private var here: Set<Int> = []
  private var there: [String: Set<Int>] = ["p": [], "q": []]
  private var accounts: [Int: Account] = [:]
  private var now = Timestamp(seconds: 1_000_000)
  private var isFailing = true
  private var wasFalse: [String: Bool] = [:]
  private let providers: [String]
  private let tell: ((String) -> Void)?

  init(seed: UInt64, tell: ((String) -> Void)? = nil) {
    random = Seeded(seed)
    providers = random.next() % 2 == 0 ? ["p"] : ["p", "q"]
    self.tell = tell
  }

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(1, limit))) }
  private mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

  private static func item(_ number: Int) -> SyncItem { SyncItem(artist: "Artist", title: "Title \(number)") }
  private static func number(_ item: SyncItem) -> Int { Int(item.title.dropFirst(6)) ?? 0 }

  mutating func run() throws {
    for _ in 0..<20 + below(30) {
      let number = below(14)
      switch below(10) {
      case 0, 1: editHere(number)
      case 2, 3: editThere(number, providers[below(providers.count)])
      case 4:
        if let removal = ledger.removals.last, let item = ledger.undo(removal, at: now) {
          here.insert(Self.number(item))
          accounts[Self.number(item)]?.isUnwanted = false
          tell?("here: take back the removal of \(Self.number(item))")
        }
      default: try synchronise(providers[below(providers.count)])
      }
      now = now.adding(Milliseconds(600_000))
    }
    isFailing = false
    for _ in 0..<4 { for provider in providers { try synchronise(provider) } }
    try check()
  }

  private mutating func editHere(_ number: Int) {
    if here.remove(number) != nil {
      // An item that came and went between two runs was never here for the engine.
      accounts[number] = Account(wasRemoved: true, isUnwanted: ledger.items[Self.item(number).id] != nil)
      tell?("here: remove \(number)")
    } else {
      here.insert(number)
      accounts[number, default: Account()].isUnwanted = false
      accounts[number]?.isOwn = ledger.items[Self.item(number).id] == nil
      tell?("here: add \(number)")
    }
  }

  private mutating func editThere(_ number: Int, _ provider: String) {
    if there[provider]?.remove(number) != nil {
      accounts[number, default: Account()].wasRemoved = true
      tell?("\(provider): remove \(number)")
    } else {
      there[provider]?.insert(number)
      accounts[number, default: Account()].isUnwanted = false
      tell?("\(provider): add \(number)")
    }
  }

  /// Returns a complete reading; nil if it is cut off.
  private mutating func read(_ provider: String) -> (items: [RemoteItem], isFalse: Bool)? {
    if isFailing, happens(15) { return nil }
    var items = (there[provider] ?? []).sorted().map { RemoteItem(native: "n\($0)", item: Self.item($0)) }
    guard isFailing, wasFalse[provider] != true, happens(15) else { return (items, false) }
    switch below(3) {
    case 0: items = []
    case 1: items += items.prefix(2)
    default: items.removeFirst(min(items.count, 1))
    }
    return (items, true)
  }

  private mutating func synchronise(_ provider: String) throws {
    let reading = read(provider)
    if isFailing, happens(20) { editHere(below(14)) }
    let answer: RemovalAnswer? = ledger.questions[provider] == nil ? nil : happens(50) ? .keep : .remove
    var next = ledger
    let plan = next.compare(
      reading?.items, of: provider, local: here.sorted().map { LocalItem(key: "k\($0)", item: Self.item($0)) },
      answer: answer, at: now)
    tell?("run \(provider): \(reading.map { "\($0.items.map(\.native))" } ?? "none") \(plan)")
    for item in plan.removedLocally where !mayRemove(Self.number(item.item)) {
      throw Violation(description: "\(item.item.title) is removed here, and nobody removed it")
    }
    // The ledger is stored in the transaction that changes our side.
    if isFailing, happens(5) { return }
    ledger = happens(5) ? try Stored.copy(next) : next
    if let reading { wasFalse[provider] = reading.isFalse }
    for item in plan.addedLocally { here.insert(Self.number(item)) }
    for item in plan.removedLocally { here.remove(Self.number(item.item)) }
    for addition in plan.additions {
      let number = Self.number(addition.item)
      guard !isFailing || !happens(10) else { return }
      there[provider]?.insert(number)
      guard !isFailing || !happens(10) else { return }
      ledger.confirmAddition(addition.id, native: "n\(number)", at: provider)
      if isFailing, happens(10) { editThere(below(14), provider) }
    }
    for native in plan.removals {
      guard !isFailing || !happens(10) else { return }
      there[provider]?.remove(Int(native.dropFirst()) ?? 0)
      guard !isFailing || !happens(10) else { return }
      ledger.confirmRemovals([native], at: provider)
    }
  }

  private func mayRemove(_ number: Int) -> Bool {
    accounts[number].map { $0.wasRemoved && !$0.isOwn } ?? false
  }

  private func check() throws {
    for (number, account) in accounts.sorted(by: { $0.key < $1.key }) {
      let isHere = here.contains(number)
      if !account.wasRemoved, !isHere { throw Violation(description: "\(number) is lost here") }
      if account.isUnwanted, isHere { throw Violation(description: "\(number) was removed here, and came back") }
      for provider in providers {
        let isThere = there[provider]?.contains(number) == true
        if !account.wasRemoved, !isThere { throw Violation(description: "\(number) is lost at \(provider)") }
        // A person added an item there, although it was removed here, if it is there and not here.
        if isHere, !isThere, ledger.items[Self.item(number).id]?.declined.contains(provider) != true {
          throw Violation(description: "\(provider) lacks \(number)")
        }
        if isThere, !isHere, ledger.tombstones[Self.item(number).id] == nil {
          throw Violation(description: "\(number) is at \(provider) and not here")
        }
      }
    }
    guard ledger.items.count == here.count else { throw Violation(description: "the ledger has other items") }
  }
}

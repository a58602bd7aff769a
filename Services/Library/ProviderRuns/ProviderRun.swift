import Messages
import Model
import People
import Storage
import Sync

/// One run with a provider: reads what it has, compares that with what is here and with what both last had, and brings
/// each side what the other one changed.
///
/// Nothing is compared with a reading that is not complete. Everything that follows from a reading is stored in the
/// transaction that has read our side, before the provider is called; what was confirmed is stored after it. A run can
/// therefore end at any point, and the next one finds out what the provider has done.
struct ProviderRun {
  /// The largest number of tracks and items that one run looks up at the provider.
  static let mostLookups = 200
  /// The ids of questions that are not about one playlist.
  static let listsQuestion = "playlists"

  let name: String
  let provider: any ListProvider
  let database: Database
  let hostID: String
  let roots: [LocalPath]
  let now: @Sendable () -> Timestamp

  private(set) var report: SyncReport
  /// True if a run in some minutes would find out more.
  private(set) var isWaiting = false
  /// True if something here has changed.
  private(set) var isChanged = false
  var lookupsLeft = ProviderRun.mostLookups

  /// - Parameter title: the provider's name on screen.
  init(
    name: String, title: String, provider: any ListProvider, database: Database, hostID: String, roots: [LocalPath],
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.name = name
    self.provider = provider
    self.database = database
    self.hostID = hostID
    self.roots = roots
    self.now = now
    report = SyncReport(provider: title, startedAt: now())
  }

  /// Makes the run. Throws `library.providerAway` and `library.signedOut`, which end it, and `CancellationError`.
  mutating func run() async throws {
    let state = try await database.read { [name] in try ProviderStore.record(name, $0).state }
    // Finds the playlist of liked tracks first, so that it is not compared as one of the others.
    if state.way(of: .liked) != nil { try await makeLikedPlaylist() }
    if let way = state.way(of: .playlists) { try await playlists(way) }
    if let way = state.way(of: .liked) { try await liked(way) }
    for part in WishList.parts {
      if let way = state.way(of: part) { try await items(of: part, way) }
    }
  }

  mutating func add(_ part: SyncReport.Part) {
    if part.waiting > 0 { isWaiting = true }
    if part.addedHere + part.removedHere + part.movedHere > 0 { isChanged = true }
    guard !part.isQuiet else { return }
    report.parts.append(part)
  }

  mutating func expectMore() { isWaiting = true }

  /// Does a part of the run. An error that concerns only this part is noted in the report.
  mutating func attempt(_ title: String, _ work: (inout ProviderRun) async throws -> Void) async throws {
    do { try await work(&self) } catch is CancellationError { throw CancellationError() } catch {
      let error = LunaraError(error)
      guard !Self.endsRun(error) else { throw error }
      var part = SyncReport.Part(title: title)
      part.error = error
      add(part)
      isWaiting = true
    }
  }

  /// Returns true for an error after which nothing more is asked of the provider.
  static func endsRun(_ error: LunaraError) -> Bool {
    ["library.providerAway", ProviderProcess.notRunning.code, "library.signedOut", "library.unknownProvider"].contains(
      error.code)
  }

  static func unsteady(_ title: String) -> LunaraError {
    LunaraError(
      "library.providerChanged",
      "\(title) changed while it was read, so nothing was compared. The library reads it again later.")
  }
}

/// Saved albums and followed artists.
extension ProviderRun {
  private mutating func items(of part: Library.SyncPart, _ way: SyncDirection) async throws {
    let title = Self.title(of: part)
    try await attempt(title) { run in
      guard let reading = try await run.provider.items(of: part) else { throw Self.unsteady(title) }
      let (plan, ledger) = try await run.compare(reading, of: part, way)
      run.add(SyncReport.Part(title: title, plan))
      if way.pushes { try await run.send(plan, of: part, ledger) }
    }
  }

  static func title(of part: Library.SyncPart) -> String {
    switch part {
    case .playlists: "Playlists"
    case .liked: "Liked tracks"
    case .albums: "Saved albums"
    default: "Followed artists"
    }
  }

  /// Compares a reading with the wish list and the shelf, and stores what follows.
  private func compare(
    _ reading: [RemoteItem], of part: Library.SyncPart, _ way: SyncDirection
  ) async throws -> (ItemPlan, ItemLedger) {
    let (name, now) = (name, now())
    return try await database.write(.power) { transaction in
      var answer: RemovalAnswer?
      try ProviderStore.change(name, transaction) { answer = $0.answers.removeValue(forKey: part.rawValue) }
      var ledger = try ProviderStore.ledger(of: part, transaction)
      let wishes = WishList(transaction: transaction)
      let owned = try OwnedItems(part, transaction)
      // An item that left the shelf and is still at a provider is a wish from now on: it was not removed here.
      let left = ledger.items.values.filter { item in
        item.key?.hasPrefix("shelf ") == true && !item.sources.isEmpty && !owned.has(item.item)
      }
      try wishes.add(left.map(\.item), to: part, at: now)
      var locals = try WishList.locals(of: part, transaction)
      var seen: Set<String> = []
      for item in ledger.items.values.map(\.item) + reading.map(\.item) where seen.insert(item.id).inserted {
        if owned.has(item) { locals.append(LocalItem(key: "shelf \(item.id)", item: item)) }
      }
      let plan = ledger.compare(reading, of: name, local: locals, direction: way, answer: answer, at: now)
      try wishes.add(plan.addedLocally.filter { !owned.has($0) }, to: part, at: now)
      try wishes.remove(plan.removedLocally)
      try wishes.update()
      try ProviderStore.keep(ledger, of: part, transaction)
      return (plan, ledger)
    }
  }

  /// Adds and removes items at the provider.
  private mutating func send(_ plan: ItemPlan, of part: Library.SyncPart, _ ledger: ItemLedger) async throws {
    if !plan.removals.isEmpty {
      try await provider.remove(plan.removals, from: part)
      try await change(part) { [name] in $0.confirmRemovals(plan.removals, at: name) }
    }
    for addition in plan.additions {
      let native: String?
      if let known = addition.native {
        native = known
      } else {
        guard lookupsLeft > 0 else {
          isWaiting = true
          return
        }
        lookupsLeft -= 1
        native = try await provider.item(addition.item, of: part)
      }
      if let native { try await provider.add([native], to: part) }
      try await change(part) { [name] ledger in
        if let native {
          ledger.confirmAddition(addition.id, native: native, at: name)
        } else {
          ledger.refuseAddition(addition.id, at: name)
        }
      }
    }
  }

  private func change(
    _ part: Library.SyncPart, _ change: @escaping @Sendable (inout ItemLedger) -> Void
  ) async throws {
    try await database.write(.power) { transaction in
      var ledger = try ProviderStore.ledger(of: part, transaction)
      change(&ledger)
      try ProviderStore.keep(ledger, of: part, transaction)
    }
  }
}

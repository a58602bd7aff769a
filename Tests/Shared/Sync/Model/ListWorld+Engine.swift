import Model
import TestSupport

@testable import Sync

/// The work of the library around the engine, with the failures that are possible there.
extension ListWorld {
  /// One run of the engine; it may end at any step.
  mutating func synchronise() throws {
    // A mark that lies says that nothing has changed.
    if isFailing, happens(10) { return }
    guard let reading = read() else { return }
    // Our side is read when the reading is complete, in the transaction that applies the edits.
    if isFailing, happens(30) { editHere() }
    let answer = answerQuestion()
    let plan = ListMerger.plan(
      state, local: local.entries, remote: reading, capabilities: remote.capabilities, answer: answer, at: now)
    tell?("run: \(plan.localEdits) \(plan.remoteSteps)")
    try checkRemovals(plan)
    if isFailing, happens(5) { return }
    wasFalse = isFalse
    let inserted = local.apply(plan.localEdits)
    guard inserted.count == plan.insertedCount else { throw violation("the plan miscounts what it inserts") }
    state = try stored(plan.pendingState(inserted: inserted))
    for step in plan.remoteSteps {
      if isFailing, happens(20) { happens(50) ? editThere() : editHere() }
      guard try make(step) else { return }
    }
    if isFailing, happens(10) { return }
    state = try stored(plan.confirmedState(inserted: inserted, over: state))
  }

  /// Answers the question about many removals, if there is one; sometimes a person takes time.
  private mutating func answerQuestion() -> RemovalAnswer? {
    guard let question = state.question, happens(60) else { return nil }
    guard happens(50) else { return .remove }
    // Entries that were removed there come back.
    for entry in local.entries where question.removed.contains(String(entry.id)) {
      accounts[Self.name(entry.track.described)]?.isUncertain = true
    }
    return .keep
  }

  /// Returns what the database holds; now and then it is written and read as JSON, as after a restart.
  private mutating func stored(_ state: ListState) throws -> ListState {
    happens(5) ? try Stored.copy(state) : state
  }

  /// Makes a call to the provider; returns false if the run ends.
  private mutating func make(_ step: RemoteStep) throws -> Bool {
    let fate = isFailing ? below(100) : 99
    if fate < 10 {
      tell?("lost before its effect: \(step)")
      return false
    }
    do {
      if fate < 15, case .replace(let natives, let expected) = step {
        // The first part of a long list arrives.
        try remote.apply(.replace(Array(natives.prefix(below(natives.count + 1))), expecting: expected))
      } else {
        try remote.apply(step)
      }
    } catch {
      guard isFailing else { throw violation("the provider refuses \(step): \(error)") }
      tell?("refused: \(step)")
      return false
    }
    if fate < 20 { tell?("lost after its effect: \(step)") }
    return fate >= 20
  }

  /// Reads the provider's list page by page; nil if the reading is not complete.
  private mutating func read() -> [RemoteEntry]? {
    var pages = PagedReading<RemoteEntry>()
    // Some providers have no mark of the contents; of these the list may be rearranged between two pages.
    let hasSnapshot = remote.capabilities.batch == 100
    let size = 1 + below(6)
    isFalse = isFailing && !wasFalse && happens(10)
    if isFalse, happens(50) {
      tell?("an empty answer")
      pages.add([], total: 0)
      return pages.complete()
    }
    var hasChanged = false
    repeat {
      if isFailing, happens(5) { return nil }
      if isFailing, pages.offset > 0, hasSnapshot || (!wasFalse && !hasChanged), happens(20) {
        hasChanged = true
        editThere()
      }
      var page = Array(remote.entries.dropFirst(pages.offset).prefix(size))
      // An entry is answered twice, or one is left out.
      if isFalse, !hasChanged, let first = page.first, happens(30) {
        hasChanged = true
        page = happens(50) ? [first] + page : Array(page.dropFirst())
        let total = remote.entries.count + (page.count > 1 && page[0] == first ? 1 : -1)
        tell?("a false page: \(names(page))")
        pages.add(page, total: total, snapshot: hasSnapshot ? "\(remote.version)" : nil)
        if remote.entries.count > size { return nil }
        break
      }
      pages.add(page, total: remote.entries.count, snapshot: hasSnapshot ? "\(remote.version)" : nil)
      if page.isEmpty { break }
    } while pages.offset < remote.entries.count
    let complete = pages.complete { $0.place }
    isFalse = hasChanged
    tell?("read: \(complete.map { names($0) } ?? "incomplete")")
    return complete
  }
}

/// The conditions that hold at the end.
extension ListWorld {
  /// At no time an entry is removed here that nobody removed.
  private func checkRemovals(_ plan: ListPlan) throws {
    for case .remove(let ids) in plan.localEdits {
      for entry in local.entries where ids.contains(entry.id) {
        let account = accounts[Self.name(entry.track.described)]
        let wasReadTwice = (account?.addedHere ?? 0) + (account?.addedThere ?? 0) < present(entry)
        guard account?.removed ?? 0 > 0 || wasReadTwice else {
          throw violation("\(Self.name(entry.track.described)) is removed here, and nobody removed it")
        }
      }
    }
  }

  private func present(_ entry: LocalEntry) -> Int {
    local.entries.count { $0.track.described == entry.track.described }
  }

  func check() throws {
    let here = counts(local.entries.map { Self.name($0.track.described) })
    let there = counts(remote.entries.map { Self.name($0.described) })
    for (name, account) in accounts.sorted(by: { $0.key < $1.key }) {
      let (left, right) = (here[name] ?? 0, there[name] ?? 0)
      // Entries that both sides added at once may be counted as one.
      let fewest = max(account.addedHere, account.addedThere) - account.removed
      let most = account.addedHere + account.addedThere
      if left < fewest, !account.isMistakable {
        throw violation("\(name) is \(left) times here, and at least \(fewest) times nobody removed it")
      }
      if left > most || right > most { throw violation("\(name) was added \(most) times, and is there more often") }
      let wasAddedOnce = most == 1 && account.removed > 0 && !account.isUncertain
      if wasAddedOnce, left > 0 { throw violation("\(name) was removed, and is here") }
    }
    let mine = local.entries.filter { $0.track.native != nil }.map { Self.name($0.track.described) }
    var theirs = remote.entries.map { Self.name($0.described) }
    if remote.capabilities.removal == .never {
      let kept = counts(mine)
      theirs.removeAll { kept[$0] == nil }
      guard Set(theirs) == Set(mine) else { throw violation("the provider lacks something") }
    } else if remote.capabilities.canReorder || remote.capabilities.canReplace {
      guard theirs == mine else { throw violation("the sides differ") }
    } else {
      guard theirs.sorted() == mine.sorted() else { throw violation("the sides differ") }
    }
    let inLinks = state.links.filter { link in local.entries.contains { $0.id == link.entry } }
    guard inLinks.allSatisfy({ $0.missing == 0 && !$0.isPending }), !state.isOrderPending, state.question == nil else {
      throw violation("something is still pending")
    }
  }

  private func counts(_ names: [String]) -> [String: Int] {
    names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

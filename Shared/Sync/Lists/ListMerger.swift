public import Model

/// Merges the two sides of a list on their last common state. A pure computation.
///
/// - An entry that one side removed is removed from the other one, even if it was moved there; one that the provider
///   no longer has, only after two complete readings in a row.
/// - Entries that were added keep their order and the entry before them.
/// - Where both sides moved an entry, our place is the one that counts.
public struct ListMerger {
  let state: ListState
  let local: [LocalEntry]
  let remote: [RemoteEntry]
  let capabilities: ListCapabilities
  let direction: SyncDirection
  let now: Timestamp
  private let answer: RemovalAnswer?

  /// The elements of both sides; numbers below are indexes of these.
  var elements: [ListMatching.Element] = []
  /// The elements that stay here or come here, in the merged order.
  var merged: [Int] = []
  /// The elements that are removed here, and those that are removed at the provider.
  var removedLocally: [Int] = []
  var removedRemotely: Set<Int> = []
  /// The elements that the provider no longer has, and that stay here for now.
  var held: [Int: Int] = [:]
  /// The elements that only the provider has, and that do not come here before a second reading has them.
  private var doubtful: Set<Int> = []
  /// The number of each inserted element among all that the local edits insert.
  var insertedNumbers: [Int: Int] = [:]
  var plan = ListPlan()

  /// Compares both sides.
  ///
  /// - Parameters:
  ///   - state: the last common state; an empty one for lists that were never compared.
  ///   - local: our list as it is now.
  ///   - remote: a complete reading of the provider's list.
  ///   - capabilities: what the provider can change in the list.
  ///   - direction: the sides that may be changed.
  ///   - answer: the answer to the question in `state`; nil for none.
  ///   - now: the time of the comparison.
  public static func plan(
    _ state: ListState, local: [LocalEntry], remote: [RemoteEntry], capabilities: ListCapabilities,
    direction: SyncDirection = .both, answer: RemovalAnswer? = nil, at now: Timestamp
  ) -> ListPlan {
    var merger = ListMerger(
      state: state, local: local, remote: remote, capabilities: capabilities, direction: direction, now: now,
      answer: answer)
    merger.elements = ListMatching(state, local, remote).elements
    merger.plan.pending.removals = state.removals
    merger.plan.pending.forgetRemovals(at: now)
    merger.decide()
    merger.order()
    merger.editLocal()
    merger.editRemote()
    return merger.plan
  }

  func link(_ element: Int) -> ListState.Link? { elements[element].link.map { state.links[$0] } }

  /// Decides which entries stay, and which are removed from which side.
  private mutating func decide() {
    var candidates: [Int] = []
    var total = 0
    for (index, element) in elements.enumerated() {
      guard let link = link(index) else { continue }
      if element.local != nil { total += 1 }
      switch (element.local, element.remote) {
      case (nil, _?):
        // Our side removed it. A provider that follows us only as far as we let it keeps it.
        if direction.pushes, capabilities.removal != .never { removedRemotely.insert(index) }
      case (_?, nil):
        let isRemoval = !link.isPending && direction.pulls
        // An entry that is added again waits for a second reading as well: a false one must not double it.
        if isRemoval || link.missing == 0 { held[index] = link.missing + 1 }
        if isRemoval, link.missing >= 1 { candidates.append(index) }
      default: break
      }
    }
    doubtRepeated()
    plan.waiting = held.count - candidates.count + doubtful.count
    let names = candidates.compactMap { link($0).map { String($0.entry) } }
    let isAnswered = answer != nil && state.question?.covers(names) == true
    if RemovalQuestion.isNeeded(candidates.count, of: total), !isAnswered {
      plan.pending.question = RemovalQuestion(removed: names.sorted(), total: total)
      return
    }
    for index in candidates {
      held[index] = nil
      if answer != .keep || !isAnswered { removedLocally.append(index) }
    }
  }

  /// Finds the entries that may be in the reading twice only since the list changed while it was read.
  private mutating func doubtRepeated() {
    var counts: [String: Int] = [:]
    for entry in remote { counts[entry.native, default: 0] += 1 }
    var present: Set<String> = []
    for element in elements where element.local != nil || element.link != nil {
      if let place = element.remote { present.insert(remote[place].native) }
    }
    for (index, element) in elements.enumerated() where element.local == nil && element.link == nil {
      // An entry with an id of its own is no repetition.
      guard let place = element.remote, remote[place].place == nil else { continue }
      let native = remote[place].native
      guard !present.insert(native).inserted else { continue }
      guard let count = counts[native], count > 1, count > state.repeated[native] ?? 0 else { continue }
      doubtful.insert(index)
      plan.pending.repeated[native] = count
    }
    // Nor is one certain that was gone, and now stands among others of its track.
    for element in removedRemotely where link(element)?.missing ?? 0 > 0 {
      guard let place = elements[element].remote, remote[place].place == nil else { continue }
      let native = remote[place].native
      guard let count = counts[native], count > 1, count > state.repeated[native] ?? 0 else { continue }
      plan.pending.repeated[native] = count
    }
    // An entry is not removed from among others of which it is not certain how many there are.
    removedRemotely = removedRemotely.filter { element in
      elements[element].remote.map { plan.pending.repeated[remote[$0].native] == nil } ?? true
    }
  }

  /// Merges the orders of both sides.
  private mutating func order() {
    let gone = Set(removedLocally)
    let common = elements.indices.filter { elements[$0].local != nil && elements[$0].link != nil }
    let movedHere = moved(by: { $0.local }, among: common)
    var movedThere: Set<Int> = []
    if direction.pulls, !state.isOrderPending {
      let ranked = elements.indices.filter { elements[$0].remote != nil && link($0)?.rank != nil }
      movedThere = moved(by: { $0.remote }, among: ranked.sorted { (link($0)?.rank ?? 0) < (link($1)?.rank ?? 0) })
      movedThere = movedThere.filter { elements[$0].local != nil && !movedHere.contains($0) }
    }
    let kept = elements.indices.filter { elements[$0].local != nil && !gone.contains($0) && !movedThere.contains($0) }
    let theirs = remoteOrder.filter { element in
      elements[element].local != nil
        || (elements[element].link == nil && direction.pulls && !doubtful.contains(element))
    }
    merged = Ordering.merging(kept.sorted { (elements[$0].local ?? 0) < (elements[$1].local ?? 0) }, with: theirs)
  }

  /// The elements of the provider's list in its order.
  var remoteOrder: [Int] {
    var order = Array(repeating: 0, count: remote.count)
    for (index, element) in elements.enumerated() { if let place = element.remote { order[place] = index } }
    return order
  }

  /// Returns the elements that stand elsewhere than before, relative to all others.
  private func moved(by place: (ListMatching.Element) -> Int?, among order: [Int]) -> Set<Int> {
    let flags = Ordering.longestAscending(order.map { place(elements[$0]) ?? 0 })
    return Set(zip(order, flags).filter { !$0.1 }.map(\.0))
  }
}

/// The edits of our side.
extension ListMerger {
  private mutating func editLocal() {
    if !removedLocally.isEmpty {
      plan.localEdits.append(.remove(removedLocally.compactMap { link($0)?.entry }))
    }
    var numbers: [Int: Int] = [:]
    // Elements that follow each other are moved or inserted by one edit.
    var run: [Int] = []
    var anchor = LocalEdit.Anchor.start
    func finish() {
      guard let first = run.first else { return }
      if elements[first].local != nil {
        plan.localEdits.append(.move(run.compactMap { elements[$0].local.map { local[$0].id } }, after: anchor))
      } else {
        let added = run.compactMap { elements[$0].remote.map { remote[$0] } }
        plan.localEdits.append(
          .insert(added.map { SyncTrack(native: $0.native, described: $0.described) }, after: anchor))
      }
    }
    Ordering.moves(to: merged, from: { elements[$0].local }) { element, previous in
      let isNew = elements[element].local == nil
      let continues = run.last != nil && run.last == previous && run.first.map { elements[$0].local == nil } == isNew
      if !continues {
        finish()
        run = []
        anchor =
          previous.map { previous in
            numbers[previous].map { .inserted($0) } ?? .entry(local[elements[previous].local ?? 0].id)
          } ?? .start
      }
      run.append(element)
      if isNew { numbers[element] = numbers.count }
    }
    finish()
    insertedNumbers = numbers
    recordRemovals()
  }

  private mutating func recordRemovals() {
    for element in removedLocally {
      guard let place = elements[element].local else { continue }
      plan.pending.removals.append(
        ListRemoval(at: now, entry: local[place], after: place > 0 ? local[place - 1].id : nil, isLocal: true))
    }
    // A removal that failed is tried again in each run, and is noted in the first one.
    let noted = Set(state.removals.filter { !$0.isLocal }.map(\.entry.id))
    for element in removedRemotely.sorted() {
      guard let place = elements[element].remote, let entry = link(element)?.entry, !noted.contains(entry) else {
        continue
      }
      let track = SyncTrack(native: remote[place].native, described: remote[place].described)
      plan.pending.removals.append(
        ListRemoval(at: now, entry: LocalEntry(id: entry, track: track), after: nil, isLocal: false))
    }
  }
}

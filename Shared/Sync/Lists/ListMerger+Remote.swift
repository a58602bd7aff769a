import Model

/// The calls to the provider, and the states before and after them.
extension ListMerger {
  mutating func editRemote() {
    var editor = RemoteListEditor(remote: remote, elements: elements, order: remoteOrder, capabilities: capabilities)
    for element in merged {
      if elements[element].remote != nil {
        editor.target.append(element)
      } else if let native = nativeToAdd(element) {
        editor.added[element] = native
        editor.target.append(element)
      }
    }
    if direction.pushes { editor.edit(removing: removedRemotely) }
    plan.remoteSteps = editor.steps
    let left = Set(editor.result)
    plan.addedThere = merged.count { elements[$0].remote == nil && left.contains($0) }
    plan.removedThere = removedRemotely.count { !left.contains($0) }
    keepLinks(editor)
  }

  /// Returns the provider's id of a track of ours that the provider is to add; nil for one that it is not.
  private func nativeToAdd(_ element: Int) -> String? {
    guard direction.pushes, capabilities.insertion != .never, held[element] == nil, elements[element].remote == nil,
      let place = elements[element].local
    else { return nil }
    return local[place].track.native ?? link(element)?.native
  }

  /// Returns true if an entry of ours was found at the provider for the first time, among others of its track, and may
  /// only have been read twice. It is added again if the next readings do not have it.
  private mutating func isUncertain(_ element: Int, of count: Int) -> Bool {
    guard let place = elements[element].remote, elements[element].local != nil, remote[place].place == nil, count > 1,
      link(element)?.isPending ?? true, count > state.repeated[remote[place].native] ?? 0
    else { return false }
    plan.pending.repeated[remote[place].native] = count
    return true
  }

  /// Makes the links of the states before and after the steps.
  private mutating func keepLinks(_ editor: RemoteListEditor) {
    var ranks: [Int: Int] = [:]
    for (rank, element) in editor.result.enumerated() { ranks[element] = rank }
    var confirmed: [ListState.Link] = []
    var counts: [String: Int] = [:]
    for entry in remote { counts[entry.native, default: 0] += 1 }
    for element in merged {
      let item = elements[element]
      let entry = item.local.map { local[$0].id } ?? ListPlan.placeholder(insertedNumbers[element] ?? 0)
      if let place = item.remote {
        var link = ListState.Link(entry: entry, native: remote[place].native, place: remote[place].place, rank: place)
        let isRisked = editor.risked.contains(element)
        let isUncertain = isUncertain(element, of: counts[link.native] ?? 1)
        link.isPending = isRisked || isUncertain
        plan.pending.links.append(link)
        link.rank = ranks[element]
        if isRisked { link.place = nil }
        link.isPending = isUncertain
        confirmed.append(link)
      } else if let native = editor.added[element] {
        plan.pending.links.append(ListState.Link(entry: entry, native: native, isPending: true))
        confirmed.append(ListState.Link(entry: entry, native: native, rank: ranks[element]))
      } else if var link = link(element) {
        // It waits for the next reading, for an answer, or for being allowed to be added.
        link.missing = held[element] ?? link.missing
        link.rank = nil
        plan.pending.links.append(link)
        confirmed.append(link)
      } else if let place = item.local, local[place].track.native == nil {
        plan.unplaced.append(entry)
      }
    }
    for (index, item) in elements.enumerated() where item.local == nil {
      guard var link = link(index) else { continue }
      guard let place = item.remote else {
        // Neither side has it. If the reading is a false one, the next one has it, and it must not come back.
        link.missing += 1
        link.rank = nil
        guard link.missing < 2 else { continue }
        plan.waiting += 1
        plan.pending.links.append(link)
        confirmed.append(link)
        continue
      }
      // Our side removed it, and the provider still has it.
      link.missing = 0
      let isAsked = removedRemotely.contains(index) && !plan.remoteSteps.isEmpty
      link.countBefore = isAsked && link.place == nil ? counts[link.native] : nil
      link.native = remote[place].native
      link.place = remote[place].place
      link.rank = place
      plan.pending.links.append(link)
      link.rank = ranks[index]
      if link.rank != nil { confirmed.append(link) }
    }
    plan.pending.isOrderPending = !plan.remoteSteps.isEmpty
    plan.confirmed = plan.pending
    plan.confirmed.links = confirmed
    plan.confirmed.isOrderPending = false
  }
}

/// Turns a provider's list into another one by the calls that the provider has. It simulates each call, so that the
/// positions of the next one are right.
struct RemoteListEditor {
  let remote: [RemoteEntry]
  let elements: [ListMatching.Element]
  let capabilities: ListCapabilities
  /// The provider's ids of tracks that are added.
  var added: [Int: String] = [:]
  /// The order in which the elements are to stand.
  var target: [Int] = []
  private(set) var steps: [RemoteStep] = []
  /// The elements of the provider's list after all steps.
  private(set) var result: [Int]
  /// The elements that a step removes and a later one adds again, and that would be missing if the later one failed.
  private(set) var risked: Set<Int> = []
  /// The elements that are never removed in order to be added again: those that the provider could not add again, and
  /// those that are not here, which nothing would bring back if the second call failed.
  private var untouchable: Set<Int> = []

  init(remote: [RemoteEntry], elements: [ListMatching.Element], order: [Int], capabilities: ListCapabilities) {
    self.remote = remote
    self.elements = elements
    self.capabilities = capabilities
    result = order
  }

  mutating func edit(removing removed: Set<Int>) {
    let others = result
    let known = Set(target).union(removed)
    untouchable = Set(others.filter { isFixed($0) || !known.contains($0) }).subtracting(removed)
    // Entries that stay there without being here keep the entry before them.
    let complete = Ordering.merging(target, with: others.filter { !removed.contains($0) })
    if isReplaced(by: complete, removing: removed) {
      target = complete
      replace()
      return
    }
    let removable = removableElements(removed)
    remove(removable)
    target = Ordering.merging(target, with: others.filter { !removable.contains($0) })
    if capabilities.insertion == .atEnd { append() }
    if capabilities.canReorder { move() }
    if capabilities.insertion == .anywhere { insert() }
  }

  private func native(_ element: Int) -> String {
    elements[element].remote.map { remote[$0].native } ?? added[element] ?? ""
  }

  private func isFixed(_ element: Int) -> Bool { elements[element].remote.map { remote[$0].isFixed } ?? false }
}

/// Removing and replacing.
extension RemoteListEditor {
  /// True if the whole list has to be replaced, since the calls for single entries do not suffice.
  private func isReplaced(by complete: [Int], removing removed: Set<Int>) -> Bool {
    guard capabilities.canReplace, untouchable.isEmpty else { return false }
    if !removed.isEmpty, capabilities.removal == .replacing { return true }
    guard !capabilities.canReorder else { return false }
    let staying = complete.filter { elements[$0].remote != nil }
    if staying != result.filter({ !removed.contains($0) }) { return true }
    return capabilities.insertion == .atEnd && complete.prefix(staying.count) != staying[...]
  }

  private mutating func replace() {
    steps.append(.replace(target.map(native), expecting: remote.map(\.native)))
    risked = Set(target)
    result = target
  }

  /// Returns those of the elements that can be removed by themselves.
  private func removableElements(_ removed: Set<Int>) -> Set<Int> {
    switch capabilities.removal {
    case .entry: return removed.filter { elements[$0].remote.map { remote[$0].place != nil } ?? false }
    case .position: return removed
    case .track:
      // The other entries of the same track have to be added again.
      let kept = capabilities.insertion == .never ? Set(result).subtracting(removed) : untouchable
      let natives = Set(kept.map(native))
      return removed.filter { !natives.contains(native($0)) }
    case .replacing, .never: return []
    }
  }

  private mutating func remove(_ removed: Set<Int>) {
    guard !removed.isEmpty else { return }
    let order = result.filter(removed.contains)
    switch capabilities.removal {
    case .entry:
      let places = order.compactMap { elements[$0].remote.flatMap { remote[$0].place } }
      for batch in Self.batches(places, of: capabilities.batch) { steps.append(.removeEntries(batch)) }
    case .position:
      var end = result.count
      while end > 0 {
        guard removed.contains(result[end - 1]) else {
          end -= 1
          continue
        }
        var start = end - 1
        while start > 0, end - start < capabilities.batch, removed.contains(result[start - 1]) { start -= 1 }
        steps.append(.removeAt(start, expecting: result[start..<end].map(native)))
        end = start
      }
    case .track:
      var seen: Set<String> = []
      let natives = order.map(native).filter { seen.insert($0).inserted }
      for batch in Self.batches(natives, of: capabilities.batch) { steps.append(.removeTracks(batch)) }
      risked = Set(result.filter { !removed.contains($0) && seen.contains(native($0)) })
      for element in risked { added[element] = native(element) }
    case .replacing, .never: break
    }
    result.removeAll { removed.contains($0) || risked.contains($0) }
  }

  private static func batches(_ all: [String], of count: Int) -> [[String]] {
    stride(from: 0, to: all.count, by: count).map { Array(all[$0..<min(all.count, $0 + count)]) }
  }
}

/// Adding and moving.
extension RemoteListEditor {
  private mutating func append() {
    let new = target.filter { added[$0] != nil }
    for batch in Self.batches(new.map(native), of: capabilities.batch) { steps.append(.insert(batch, at: nil)) }
    result += new
  }

  private mutating func move() {
    var places: [Int: Int] = [:]
    for (place, element) in result.enumerated() { places[element] = place }
    var moves: [(element: Int, previous: Int?)] = []
    Ordering.moves(to: target.filter { places[$0] != nil }, from: { places[$0] }) { moves.append(($0, $1)) }
    for (element, previous) in moves {
      guard let from = result.firstIndex(of: element) else { continue }
      result.remove(at: from)
      let to = previous.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
      result.insert(element, at: to)
      guard from != to else { continue }
      let place = added[element] == nil ? elements[element].remote.flatMap { remote[$0].place } : nil
      steps.append(.move(from: from, to: to, native: native(element), place: place))
    }
  }

  /// Adds the new elements, those that follow each other in one call.
  private mutating func insert() {
    var index = 0
    while index < target.count {
      guard added[target[index]] != nil else {
        index += 1
        continue
      }
      var end = index + 1
      while end < target.count, added[target[end]] != nil, end - index < capabilities.batch { end += 1 }
      let run = Array(target[index..<end])
      // If entries cannot be moved, the order may be another one than the target's.
      let at = index == 0 ? 0 : (result.firstIndex(of: target[index - 1]) ?? result.count - 1) + 1
      steps.append(.insert(run.map(native), at: at))
      result.insert(contentsOf: run, at: at)
      index = end
    }
  }
}

import Model

@testable import Sync

/// Both sides of a list in tests that name a track by a letter.
struct ListPair {
  var local = FakeLocalList()
  var remote: FakeRemoteList
  var state = ListState()
  var direction = SyncDirection.both
  var now = Timestamp(seconds: 1_000_000)
  /// The plan of the last run.
  var plan = ListPlan()

  /// Makes a list that both sides have in common.
  init(_ base: String, _ capabilities: ListCapabilities) throws {
    remote = FakeRemoteList(capabilities)
    for letter in base {
      local.insert(FakeTracks.track(String(letter)), at: local.entries.count)
      remote.insert(String(letter), at: remote.entries.count)
    }
    // Of a track that is there several times, the second reading is certain.
    try settle()
    plan = ListPlan()
  }

  /// The letters of our side.
  var here: String { local.entries.map { $0.track.native ?? $0.track.described.title }.joined() }
  /// The letters of the provider's side.
  var there: String { remote.entries.map(\.native).joined() }

  /// Makes our side these letters. A letter that is there stays the same entry.
  mutating func edit(here letters: String) {
    var known = local.entries
    var entries: [LocalEntry] = []
    for letter in letters {
      if let index = known.firstIndex(where: { $0.track.native == String(letter) }) {
        entries.append(known.remove(at: index))
      } else {
        entries.append(local.insert(FakeTracks.track(String(letter)), at: 0))
      }
    }
    local.entries = entries
  }

  /// Makes the provider's side these letters. A letter that is there stays the same entry.
  mutating func edit(there letters: String) {
    var known = remote.entries
    var entries: [RemoteEntry] = []
    for letter in letters {
      if let index = known.firstIndex(where: { $0.native == String(letter) }) {
        entries.append(known.remove(at: index))
      } else {
        remote.insert(String(letter), at: 0)
        entries.append(remote.entries[0])
        remote.entries.removeFirst()
      }
    }
    remote.entries = entries
  }

  /// Compares both sides and makes the steps.
  mutating func run(answer: RemovalAnswer? = nil, failingAt failure: Int? = nil) throws {
    plan = ListMerger.plan(
      state, local: local.entries, remote: remote.entries, capabilities: remote.capabilities, direction: direction,
      answer: answer, at: now)
    let inserted = local.apply(plan.localEdits)
    state = plan.pendingState(inserted: inserted)
    for (number, step) in plan.remoteSteps.enumerated() {
      if number == failure { return }
      try remote.apply(step)
    }
    state = plan.confirmedState(inserted: inserted, over: state)
  }

  /// Runs twice, so that what the provider removed is removed here too.
  mutating func settle() throws {
    try run()
    try run()
  }
}

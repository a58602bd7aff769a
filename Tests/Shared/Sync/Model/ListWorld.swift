import Model
import TestSupport

@testable import Sync

/// A list of ours and its twin at a stand-in provider. A seed decides how both are edited and what fails.
struct ListWorld {
  /// A promise of the engine that was broken.
  struct Violation: Error, CustomStringConvertible { var description: String }

  /// The edits of persons to the entries of one track.
  struct Account {
    var addedHere = 0
    var addedThere = 0
    var removedHere = 0
    var removedThere = 0
    /// True if an entry was removed there, or got another id, while a call that adds it was not confirmed.
    var isUncertain = false
    /// True if an entry was added there while a call that adds or removes one was not confirmed: the engine cannot tell
    /// the two.
    var isMistakable = false

    var removed: Int { removedHere + removedThere }
  }

  var random: Seeded
  var local = FakeLocalList()
  var remote: FakeRemoteList
  /// The state that is stored.
  var state = ListState()
  var accounts: [String: Account] = [:]
  var now = Timestamp(seconds: 1_000_000)
  var isFailing = true
  /// True if the last reading that had an effect was a false one; two of these in a row are believed by design.
  var wasFalse = false
  /// True if the present reading is a false one.
  var isFalse = false
  let tell: ((String) -> Void)?
  private var nextTrack = 1

  init(seed: UInt64, tell: ((String) -> Void)? = nil) {
    random = Seeded(seed)
    self.tell = tell
    let all = [
      ListCapabilities.plex, .subsonic, .listenBrainz, .spotify, .onlyReplacing, .onlyAdding, .withoutOrder,
      ListCapabilities(removal: .track, insertion: .atEnd, canReorder: false, batch: 3),
      ListCapabilities(removal: .entry, insertion: .anywhere, canReorder: false, batch: 1),
    ]
    remote = FakeRemoteList(all[Int(random.next() % UInt64(all.count))])
  }

  mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(1, limit))) }
  mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

  /// Lets persons edit and runs the engine, with failures; then without, until both sides are at rest.
  mutating func run() throws {
    for _ in 0..<below(8) { editThere() }
    for _ in 0..<below(8) { editHere() }
    for _ in 0..<10 + below(20) {
      switch below(10) {
      case 0..<3: editHere()
      case 3..<6: editThere()
      case 6: takeBack()
      default: try synchronise()
      }
      now = now.adding(Milliseconds(600_000))
    }
    isFailing = false
    for _ in 0..<5 { try synchronise() }
    while state.question != nil { try synchronise() }
    for _ in 0..<2 { try synchronise() }
    try check()
    let before = (local.entries, remote.entries)
    try synchronise()
    guard before == (local.entries, remote.entries) else { throw violation("the sides are not at rest") }
  }

  func violation(_ text: String) -> Violation {
    Violation(description: "\(text)\nhere:  \(Self.names(local.entries.map(\.track)))\nthere: \(names(remote.entries))")
  }

  static func names(_ tracks: [SyncTrack]) -> String { tracks.map { name($0.described) }.joined(separator: " ") }
  func names(_ entries: [RemoteEntry]) -> String { entries.map(\.native).joined(separator: " ") }
  static func name(_ track: DescribedTrack) -> String { String(track.title.dropFirst("Title ".count)) }
}

/// The edits of persons.
extension ListWorld {
  private mutating func newTrack() -> String {
    // Sometimes one that there was before.
    let number = happens(15) ? 1 + below(nextTrack) : nextTrack
    if number == nextTrack { nextTrack += 1 }
    return "t\(number)"
  }

  mutating func editHere() {
    switch below(10) {
    case 0..<5:
      let name = newTrack()
      // One that the provider cannot have is never lost either.
      let isKnown = !happens(5)
      let described = FakeTracks.described(isKnown ? name : "only\(name)")
      let at = below(local.entries.count + 1)
      local.insert(SyncTrack(native: isKnown ? name : nil, described: described), at: at)
      accounts[Self.name(described), default: Account()].addedHere += 1
      tell?("here: add \(Self.name(described)) at \(at)")
    case 5..<7:
      guard !local.entries.isEmpty else { return }
      let entry = local.entries.remove(at: below(local.entries.count))
      accounts[Self.name(entry.track.described), default: Account()].removedHere += 1
      // A provider that removes all entries of a track removes one that we have not seen as well.
      if remote.capabilities.removal == .track {
        let (left, right) = (
          local.entries.count { $0.track.described == entry.track.described },
          remote.entries.count { $0.described == entry.track.described }
        )
        if right > left + 1 { accounts[Self.name(entry.track.described)]?.isMistakable = true }
      }
      tell?("here: remove \(Self.name(entry.track.described))")
    default:
      guard !local.entries.isEmpty else { return }
      let entry = local.entries.remove(at: below(local.entries.count))
      local.entries.insert(entry, at: below(local.entries.count + 1))
      tell?("here: move \(Self.name(entry.track.described))")
    }
  }

  mutating func editThere() {
    switch below(20) {
    case 0..<10:
      let name = newTrack()
      let at = below(remote.entries.count + 1)
      remote.insert(name, at: at)
      accounts[name, default: Account()].addedThere += 1
      let here = Set(local.entries.map(\.id))
      if state.links.contains(where: { link in
        link.native.prefix { $0 != "~" } == name && (link.isPending || !here.contains(link.entry))
      }) {
        accounts[name]?.isMistakable = true
      }
      tell?("there: add \(name) at \(at)")
    case 10..<14:
      guard !remote.entries.isEmpty else { return }
      let entry = remote.entries.remove(at: below(remote.entries.count))
      remote.version += 1
      let name = Self.name(entry.described)
      accounts[name, default: Account()].removedThere += 1
      noteUncertain(entry)
      tell?("there: remove \(name)")
    case 14:
      // The provider gives a track another id.
      guard !remote.entries.isEmpty else { return }
      let index = below(remote.entries.count)
      let name = Self.name(remote.entries[index].described)
      guard remote.entries.count(where: { $0.described == remote.entries[index].described }) == 1 else { return }
      noteUncertain(remote.entries[index])
      accounts[name]?.isUncertain = true
      remote.entries[index].native = "\(name)~\(below(100))"
      tell?("there: \(name) gets another id")
    default:
      guard !remote.entries.isEmpty else { return }
      let entry = remote.entries.remove(at: below(remote.entries.count))
      remote.entries.insert(entry, at: below(remote.entries.count + 1))
      remote.version += 1
      tell?("there: move \(entry.native)")
    }
  }

  private mutating func noteUncertain(_ entry: RemoteEntry) {
    let name = Self.name(entry.described)
    // Until a call is confirmed, the engine cannot tell a removal there from a call that had no effect.
    let isPending = state.links.contains { link in
      link.isPending && (link.native == entry.native || String(link.native.prefix { $0 != "~" }) == name)
    }
    if isPending { accounts[name]?.isUncertain = true }
  }

  /// A person takes back a removal.
  mutating func takeBack() {
    guard let removal = state.removals.last, let edit = state.undo(removal, at: now) else { return }
    _ = local.apply([edit])
    accounts[Self.name(removal.entry.track.described), default: Account()].addedHere += 1
    tell?("here: take back the removal of \(Self.name(removal.entry.track.described))")
  }
}

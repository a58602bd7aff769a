import Model

/// Finds the entries of both sides that are the same, each at most once.
struct ListMatching {
  /// One entry that at least one side has.
  struct Element {
    /// The index in the list of ours; nil if it is not there.
    var local: Int?
    /// The index in the provider's list; nil if it is not there.
    var remote: Int?
    /// The index of the link; nil for an entry that was not common before.
    var link: Int?
  }

  private(set) var elements: [Element] = []
  private let state: ListState
  private let local: [LocalEntry]
  private let remote: [RemoteEntry]
  private var remoteOfLink: [Int?]
  private var isMatched: [Bool]
  /// The links whose entries the provider has removed, as there are fewer of the track than before it was asked to.
  private var done: Set<Int> = []

  init(_ state: ListState, _ local: [LocalEntry], _ remote: [RemoteEntry]) {
    self.state = state
    self.local = local
    self.remote = remote
    remoteOfLink = Array(repeating: nil, count: state.links.count)
    isMatched = Array(repeating: false, count: remote.count)
    var index: [Int64: Int] = [:]
    for (place, entry) in local.enumerated() { index[entry.id] = place }
    let localOfLink = state.links.map { index[$0.entry] }
    matchPlaces()
    matchTracks(localOfLink)
    matchKeys(localOfLink)
    for link in state.links.indices where !done.contains(link) {
      elements.append(Element(local: localOfLink[link], remote: remoteOfLink[link], link: link))
    }
    let known = Set(localOfLink)
    matchNew(local.indices.filter { !known.contains($0) })
  }

  private mutating func match(_ link: Int, _ place: Int) {
    remoteOfLink[link] = place
    isMatched[place] = true
  }

  private func openLinks() -> [Int] { remoteOfLink.indices.filter { remoteOfLink[$0] == nil } }

  private func openRemotes() -> [Int] { isMatched.indices.filter { !isMatched[$0] } }

  /// Matches by the provider's ids of entries.
  private mutating func matchPlaces() {
    var links: [String: Int] = [:]
    for (index, link) in state.links.enumerated() { if let place = link.place { links[place] = index } }
    for (index, entry) in remote.enumerated() {
      guard let place = entry.place, let link = links.removeValue(forKey: place) else { continue }
      match(link, index)
    }
  }

  /// Matches by the provider's ids of tracks. Where the provider has fewer entries of a track than before, those that
  /// are still here are matched first, so that an entry that both sides removed is not counted as two.
  private mutating func matchTracks(_ localOfLink: [Int?]) {
    // Of those that are here, one that is not known to be there is only added again if it is not found.
    func order(_ link: Int) -> (Int, Int, Int) {
      let isHere = localOfLink[link] != nil
      let known = state.links[link]
      return (isHere ? known.isPending ? 1 : 0 : 2, known.missing, known.rank ?? .max)
    }
    // An entry with an id of its own was matched by it, or is another one than that of a link with such an id.
    var links = Dictionary(grouping: openLinks(), by: { state.links[$0].native })
    for key in links.keys { links[key]?.sort { order($0) > order($1) } }
    var counts: [String: Int] = [:]
    for entry in remote { counts[entry.native, default: 0] += 1 }
    for (native, open) in links {
      let dead = open.filter { localOfLink[$0] == nil }
      guard let count = counts[native], let before = dead.compactMap({ state.links[$0].countBefore }).max() else {
        continue
      }
      done.formUnion(dead.prefix(max(0, before - count)))
      links[native] = open.filter { !done.contains($0) }
    }
    for index in openRemotes() {
      let isNamed = remote[index].place != nil
      guard var open = links[remote[index].native] else { continue }
      guard let found = open.lastIndex(where: { !isNamed || state.links[$0].place == nil }) else { continue }
      match(open.remove(at: found), index)
      links[remote[index].native] = open
    }
  }

  /// Matches entries to which the provider has given another id, by what we know of their tracks.
  private mutating func matchKeys(_ localOfLink: [Int?]) {
    let here = openLinks().filter { localOfLink[$0] != nil }
    let open = here.filter { !state.links[$0].isPending } + here.filter { state.links[$0].isPending }
    matchByKeys(open.map { link in (link, localOfLink[link].map { TrackKeys.of(local[$0].track.described) } ?? []) }) {
      $0.match($1, $2)
    }
  }

  /// Matches entries that were added on both sides, and adds the elements of all others.
  private mutating func matchNew(_ new: [Int]) {
    var remoteOf: [Int: Int] = [:]
    var natives = Dictionary(grouping: openRemotes().reversed(), by: { remote[$0].native })
    for index in new {
      guard let native = local[index].track.native, let place = natives[native]?.popLast() else { continue }
      remoteOf[index] = place
      isMatched[place] = true
    }
    let open = new.filter { remoteOf[$0] == nil }
    matchByKeys(open.map { ($0, TrackKeys.of(local[$0].track.described)) }) {
      remoteOf[$1] = $2
      $0.isMatched[$2] = true
    }
    for index in new { elements.append(Element(local: index, remote: remoteOf[index], link: nil)) }
    for index in openRemotes() { elements.append(Element(local: nil, remote: index, link: nil)) }
  }

  /// Matches what has keys with the provider's entries that are left, the surest kind of key first.
  private mutating func matchByKeys(
    _ open: [(item: Int, keys: [String])], _ found: (inout ListMatching, _ item: Int, _ place: Int) -> Void
  ) {
    guard !open.isEmpty else { return }
    let remotes = openRemotes().map { (place: $0, keys: TrackKeys.of(remote[$0].described)) }
    guard !remotes.isEmpty else { return }
    var done: Set<Int> = []
    for kind in ["isrc ", "mbid ", "name "] {
      var places: [String: [Int]] = [:]
      for (place, keys) in remotes.reversed() where !isMatched[place] {
        for key in keys where key.hasPrefix(kind) { places[key, default: []].append(place) }
      }
      for (item, keys) in open where !done.contains(item) {
        guard let key = keys.first(where: { $0.hasPrefix(kind) }), let place = places[key]?.popLast() else { continue }
        done.insert(item)
        found(&self, item, place)
      }
    }
  }
}

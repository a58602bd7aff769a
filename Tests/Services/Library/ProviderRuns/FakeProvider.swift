import Messages
import Model
import Sync
import Synchronization
import TestSupport

@testable import ProviderRuns

/// A provider in memory. Its ids of tracks are made of their titles.
final class FakeProvider: ListProvider {
  /// The outcome of a call.
  enum Fate {
    case answered
    /// The call has no effect.
    case lostBefore
    /// The call has an effect, which the caller does not learn.
    case lostAfter
    case refused
    case signedOut
  }

  struct List {
    var info: RemoteListInfo
    var entries: [RemoteEntry] = []
    var version = 0
  }

  struct Contents {
    var lists: [String: List] = [FakeProvider.liked: List(info: RemoteListInfo(native: "liked", title: ""))]
    var items: [Library.SyncPart: [RemoteItem]] = [:]
    /// The titles of the tracks and the names of the items that it does not have.
    var lacks: Set<String> = []
    var calls: [String] = []
    var capabilities = ListCapabilities(removal: .track, insertion: .anywhere, canReorder: true, canReplace: true)
    var isUnsteady = false
    var next = 1
  }

  private let contents = Mutex(Contents())
  private let gate = Mutex<Gate?>(nil)
  private let fates = Mutex<@Sendable (String) -> Fate>({ _ in .answered })

  /// Says what happens to the calls from now on.
  func decide(_ fate: @escaping @Sendable (String) -> Fate) { fates.withLock { $0 = fate } }

  /// Holds the calls that change a list from now on, once they have had their effect.
  func hold(_ gate: Gate) { self.gate.withLock { $0 = gate } }

  private func waitAtGate() async { await gate.withLock { $0 }?.wait() }

  func edit<Result: Sendable>(_ body: (inout Contents) throws -> Result) rethrows -> Result {
    try contents.withLock { try body(&$0) }
  }

  var calls: [String] { edit { $0.calls } }

  static func described(_ title: String, _ artist: String = "Artist") -> DescribedTrack {
    DescribedTrack(title: title, artist: artist)
  }

  static func native(_ title: String) -> String { "id " + title }

  static func entry(_ title: String) -> RemoteEntry {
    RemoteEntry(native: native(title), described: described(title))
  }

  /// Makes a list with these titles, as a person does there.
  func make(_ native: String, _ title: String, _ titles: [String], summary: String = "") {
    edit {
      let info = RemoteListInfo(native: native, title: title, summary: summary)
      $0.lists[native] = List(info: info, entries: titles.map(Self.entry))
    }
  }

  func set(_ native: String, _ titles: [String]) {
    edit {
      $0.lists[native]?.entries = titles.map(Self.entry)
      $0.lists[native]?.version += 1
    }
  }

  func titles(of native: String) -> [String]? { edit { $0.lists[native]?.entries.map(\.described.title) } }

  /// Makes a call: notes it, lets it have its effect, and answers.
  private func call<Result: Sendable>(
    _ name: String, _ effect: (inout Contents) throws -> Result
  ) throws -> Result {
    let fate = fates.withLock { $0 }(name)
    return try contents.withLock { contents in
      contents.calls.append(name)
      switch fate {
      case .lostBefore: throw LunaraError("library.providerUnclear", "It is not known.")
      case .refused: throw LunaraError("library.providerRefused", "It is not allowed.")
      case .signedOut: throw ProviderError.signedOut("Fake")
      case .answered: return try effect(&contents)
      case .lostAfter:
        _ = try effect(&contents)
        throw LunaraError("library.providerUnclear", "It is not known.")
      }
    }
  }

  func capabilities(of list: String) -> ListCapabilities {
    list == Self.liked
      ? ListCapabilities(removal: .track, insertion: .atEnd, canReorder: false) : edit { $0.capabilities }
  }

  func lists() async throws -> [RemoteList]? {
    try call("lists") { contents in
      contents.isUnsteady
        ? nil
        : contents.lists.values.filter { $0.info.native != Self.liked }.sorted { $0.info.native < $1.info.native }.map {
          RemoteList(info: $0.info, snapshot: "\($0.version)")
        }
    }
  }

  func reading(of list: String) async throws -> RemoteReading? {
    try call("read \(list)") { contents in
      guard let list = contents.lists[list] else { throw LunaraError("library.providerRefused", "It is not there.") }
      return contents.isUnsteady ? nil : RemoteReading(entries: list.entries, snapshot: "\(list.version)")
    }
  }

  func create(title: String, summary: String) async throws -> String {
    let native = try call("create \(title)") { contents in
      let native = "made\(contents.next)"
      contents.next += 1
      contents.lists[native] = List(info: RemoteListInfo(native: native, title: title, summary: summary))
      return native
    }
    await waitAtGate()
    return native
  }

  func describe(_ list: String, title: String, summary: String) async throws {
    try call("describe \(list)") { contents in
      contents.lists[list]?.info.title = title
      contents.lists[list]?.info.summary = summary
    }
  }

  func delete(_ list: String) async throws { try call("delete \(list)") { $0.lists[list] = nil } }

  func apply(_ step: RemoteStep, to list: String) async throws {
    try call("apply \(list)") { contents in
      guard var entries = contents.lists[list]?.entries else {
        throw LunaraError("library.providerRefused", "It is not there.")
      }
      func entry(_ native: String) -> RemoteEntry { Self.entry(String(native.dropFirst(3))) }
      switch step {
      case .removeTracks(let natives): entries.removeAll { natives.contains($0.native) }
      case .insert(let natives, let index):
        entries.insert(contentsOf: natives.map(entry), at: min(index ?? entries.count, entries.count))
      case .move(let from, let to, let native, _):
        guard from < entries.count, entries[from].native == native else { throw ProviderError.changed("Fake") }
        entries.insert(entries.remove(at: from), at: to)
      case .replace(let natives, let expected):
        guard entries.map(\.native) == expected else { throw ProviderError.changed("Fake") }
        entries = natives.map(entry)
      case .removeAt(let index, let expected):
        guard index + expected.count <= entries.count else { throw ProviderError.changed("Fake") }
        entries.removeSubrange(index..<index + expected.count)
      case .removeEntries: throw LunaraError("library.providerRefused", "It has no ids of entries.")
      }
      contents.lists[list]?.entries = entries
      contents.lists[list]?.version += 1
    }
  }

  func items(of part: Library.SyncPart) async throws -> [RemoteItem]? {
    try call("items \(part.rawValue)") { $0.isUnsteady ? nil : $0.items[part] ?? [] }
  }

  func add(_ natives: [String], to part: Library.SyncPart) async throws {
    try call("add \(natives.joined(separator: ",")) to \(part.rawValue)") { contents in
      for native in natives {
        let item = SyncItem(artist: String(native.dropFirst(3)), album: part == .albums ? "Album" : "")
        contents.items[part, default: []].append(RemoteItem(native: native, item: item))
      }
    }
  }

  func remove(_ natives: [String], from part: Library.SyncPart) async throws {
    try call("remove \(natives.joined(separator: ",")) from \(part.rawValue)") { contents in
      contents.items[part]?.removeAll { natives.contains($0.native) }
    }
  }

  func track(_ track: DescribedTrack) async throws -> String? {
    try call("look up \(track.title)") { $0.lacks.contains(track.title) ? nil : Self.native(track.title) }
  }

  func item(_ item: SyncItem, of part: Library.SyncPart) async throws -> String? {
    try call("look up \(item.artist)") { $0.lacks.contains(item.artist) ? nil : Self.native(item.artist) }
  }

  func known(_ track: DescribedTrack) -> String? { nil }
}

/// A kind of provider whose only provider is one in memory.
struct FakeProviderService: ProviderService {
  let provider: FakeProvider

  var kind: Library.ProviderKind {
    Library.ProviderKind(
      kind: "fake", title: "Fake", signIn: .token, hint: "A provider in memory.", page: "https://fake.test",
      parts: [Library.SyncPart.playlists, .liked, .albums, .artists].map {
        Library.ProviderPart(part: $0, way: .pull, ways: [.pull, .push, .both])
      })
  }

  func link(_ request: Library.LinkProvider) async throws -> ProviderSignIn {
    guard let token = request.token else { return .open("https://fake.test/sign-in") }
    guard token == "right" else { throw ProviderError.signedOut("Fake") }
    return .done(account: "anna") { _ in }
  }

  func forget(_ name: String) async throws { provider.edit { $0.calls.append("forget \(name)") } }

  func connect(_ link: Providers.Connect) async throws -> ProviderConnection {
    ProviderConnection(provider: provider) { link.pacing }
  }
}

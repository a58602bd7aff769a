import HTTP
import Messages
import Model
import OAuth
import ServiceKit
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Catalogue
@testable import People
@testable import ProviderRuns
@testable import Providers
@testable import Records
@testable import Sources

/// Random edits on both sides of a provider on a real socket. Some of its requests are carried out and their kept
/// connections closed without a byte, others are not even carried out, and runs end between two calls as by a kill.
@Suite(.timeLimit(.minutes(5)))
struct ProviderTrialTests {
  private static let rounds = 30

  @Test(arguments: ["spotify", "listenbrainz"])
  func thirtyRoundsEndEqualOnBothSides(_ name: String) async throws {
    for seed: UInt64 in 1...3 {
      if name == "spotify" {
        try await run(try await SpotifySide(), seed)
      } else {
        try await run(try await ListenBrainzSide(), seed)
      }
    }
  }

  /// The tracks that people added to a list, and those that they removed.
  private struct Account {
    var added: Set<Int>
    var removed: Set<Int> = []
    var kept: Set<Int> { added.subtracting(removed) }
  }

  private func run(_ side: any TrialSide, _ seed: UInt64) async throws {
    var random = Seeded(seed)
    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(1, limit))) }
    let house = try TrialHouse(side)
    try await house.link()
    try await side.set(nil, "Theirs", [1, 2])
    try await house.make("Ours", [3, 4])
    var accounts = ["Ours": Account(added: [3, 4]), "Theirs": Account(added: [1, 2])]
    for round in 0..<Self.rounds {
      let title = below(2) == 0 ? "Ours" : "Theirs"
      let there = try await side.lists().first { $0.title == title }
      let isHere = try await house.playlists().contains { $0.title == title }
      switch below(5) {
      case 0 where isHere:
        try await house.add(100 + round, to: title)
        accounts[title]?.added.insert(100 + round)
      case 1 where isHere:
        let present = try await house.numbers(title)
        guard !present.isEmpty else { continue }
        let track = present[below(present.count)]
        try await house.remove(track, from: title)
        accounts[title]?.removed.insert(track)
      case 2:
        guard let there else { continue }
        try await side.set(there.id, title, there.numbers + [200 + round])
        accounts[title]?.added.insert(200 + round)
      case 3:
        guard let there, !there.numbers.isEmpty else { continue }
        let track = there.numbers[below(there.numbers.count)]
        try await side.set(there.id, title, there.numbers.filter { $0 != track })
        accounts[title]?.removed.insert(track)
      default: break
      }
      try await side.order("random-faults", #"{"drop":0.06,"lose":0.15,"cut":0.03,"seed":\#(below(1_000_000))}"#)
      try await house.run(endingAfter: below(3) == 0 ? below(12) : nil)
      try await side.order("random-faults", "{}")
    }
    for _ in 0..<4 { try await house.run() }
    try await house.answerQuestions()
    for _ in 0..<4 { try await house.run() }
    let lists = try await side.lists()
    for (title, account) in accounts {
      let theirs = lists.filter { $0.title == title }
      #expect(theirs.count == 1, "\(seed), \(title): \(theirs.count) lists")
      let here = try await house.numbers(title)
      #expect(here == theirs.first?.numbers, "\(seed), \(title)")
      #expect(Set(here).count == here.count, "\(seed), \(title): doubled in \(here)")
      #expect(account.kept.isSubset(of: here), "\(seed), \(title): lost \(account.kept.subtracting(here))")
    }
    #expect(try await house.playlists().map(\.title).sorted() == ["Ours", "Theirs"], "\(seed)")
  }
}

/// A provider on a real socket, whose tracks have numbers.
private protocol TrialSide: Sendable {
  /// Makes the connection of a run. `pause` is called before each call.
  func provider(pause: @escaping @Sendable () throws -> Void) async throws -> any ListProvider
  @discardableResult func order(_ verb: String, _ json: String) async throws -> JSONView
  func described(_ number: Int) -> DescribedTrack
  func number(_ track: DescribedTrack) -> Int
  func lists() async throws -> [(id: String, title: String, numbers: [Int])]
  /// Sets the tracks of a list, as a person at the provider does; nil creates a list.
  func set(_ id: String?, _ title: String, _ numbers: [Int]) async throws
}

extension TrialSide {
  fileprivate func caller(_ http: HTTPClient, _ token: String, _ pause: @escaping @Sendable () throws -> Void)
    -> ProviderCaller
  {
    let now = Timestamp(seconds: 1_800_000_000)
    return ProviderCaller(
      title: "Trial", http: http, pacing: ProviderPacing(linkedAt: now), gap: .zero, now: { now },
      sleep: { _ in try pause() }, authorisation: { _ in ("Authorization", token) })
  }
}

private struct SpotifySide: TrialSide {
  let standIn: SpotifyStandIn
  let kept: SpotifyAccount.StoredSignIn

  init() async throws {
    standIn = try await SpotifyStandIn()
    try await standIn.signIn()
    kept = try #require(try standIn.secrets.read(SpotifyAccount.StoredSignIn.self, of: "spotify"))
  }

  func provider(pause: @escaping @Sendable () throws -> Void) -> any ListProvider {
    SpotifyProvider(
      user: kept.user, address: standIn.address, caller: caller(standIn.http, "Bearer \(kept.tokens.access)", pause))
  }

  func order(_ verb: String, _ json: String) async throws -> JSONView { try await standIn.order(verb, json) }

  func described(_ number: Int) -> DescribedTrack {
    var track = DescribedTrack(title: "Title \(number)", artist: "Artist, Guest")
    track.location = "https://open.spotify.com/track/\(SpotifyStandIn.track(number))"
    return track
  }

  func number(_ track: DescribedTrack) -> Int { track.location.flatMap { Int($0.suffix(15)) } ?? -1 }

  func lists() async throws -> [(id: String, title: String, numbers: [Int])] {
    try await order("playlists", "{}").members.map { member in
      let uris = member.value["uris"]?.elements ?? []
      return (
        member.name, member.value["name"]?.string ?? "",
        uris.map { $0.string.flatMap { Int($0.suffix(15)) } ?? -1 }
      )
    }
  }

  func set(_ id: String?, _ title: String, _ numbers: [Int]) async throws {
    guard let id else {
      _ = try await standIn.make(title, numbers)
      return
    }
    // The description has the mark of a list that was made from here.
    let lists = try await order("playlists", "{}").members
    let summary = lists.first { $0.name == id }?.value["description"]?.string ?? ""
    _ = try await standIn.make(title, numbers, #","id":"\#(id)","description":"\#(summary)""#)
  }
}

private struct ListenBrainzSide: TrialSide {
  let standIn: FakeListenBrainz

  init() async throws {
    standIn = try await FakeListenBrainz()
    let all = Array(1...4) + Array(100..<130) + Array(200..<230)
    let rows = all.map { #""\#(FakeListenBrainz.recording($0))":{"artist":"Artist","title":"Title \#($0)"}"# }
    try await standIn.order("describe", "{\(rows.joined(separator: ","))}")
  }

  func provider(pause: @escaping @Sendable () throws -> Void) throws -> any ListProvider {
    ListenBrainzProvider(
      user: "tester", address: standIn.address,
      caller: caller(standIn.http, "Token \(try standIn.token())", pause))
  }

  func order(_ verb: String, _ json: String) async throws -> JSONView { try await standIn.order(verb, json) }

  func described(_ number: Int) -> DescribedTrack {
    DescribedTrack(title: "Title \(number)", artist: "Artist", recordingID: FakeListenBrainz.recording(number))
  }

  func number(_ track: DescribedTrack) -> Int { track.recordingID.flatMap { Int($0.suffix(12)) } ?? -1 }

  func lists() async throws -> [(id: String, title: String, numbers: [Int])] {
    try await order("playlists", "{}").elements.map { list in
      let recordings = list["recordings"]?.elements ?? []
      return (
        list["id"]?.string ?? "", list["title"]?.string ?? "",
        recordings.map { $0.string.flatMap { Int($0.suffix(12)) } ?? -1 }
      )
    }
  }

  func set(_ id: String?, _ title: String, _ numbers: [Int]) async throws {
    let recordings = numbers.map { "\"\(FakeListenBrainz.recording($0))\"" }.joined(separator: ",")
    guard let id else {
      _ = try await standIn.list(title, numbers.map(FakeListenBrainz.recording))
      return
    }
    _ = try await order("playlist", #"{"id":"\#(id)","recordings":[\#(recordings)]}"#)
  }
}

/// A catalogue with a provider on a real socket.
private struct TrialHouse {
  let side: any TrialSide
  let catalogue: TestCatalogue

  init(_ side: any TrialSide) throws {
    self.side = side
    catalogue = try TestCatalogue()
  }

  private struct Service: ProviderService {
    let side: any TrialSide
    let pause: @Sendable () throws -> Void

    let kind = Library.ProviderKind(
      kind: "trial", title: "Trial", signIn: .token, hint: "A provider on a socket.", page: "https://trial.test",
      parts: [Library.ProviderPart(part: .playlists, way: .both, ways: [.both])])

    func link(_ request: Library.LinkProvider) async throws -> ProviderSignIn { .open("https://trial.test") }

    func forget(_ name: String) async throws {}

    func connect(_ link: Providers.Connect) async throws -> ProviderConnection {
      ProviderConnection(provider: try await side.provider(pause: pause)) { link.pacing }
    }
  }

  func link() async throws {
    let now = catalogue.time
    try await catalogue.database.write { transaction in
      var state = ProviderState(pacing: ProviderPacing(linkedAt: now))
      state[.playlists] = .both
      try ProviderStore.keep(ProviderRecord(name: "trial", kind: "trial", linkedAt: now, state: state), transaction)
    }
  }

  private func runner(_ pause: @escaping @Sendable () throws -> Void) -> ProviderRunner {
    ProviderRunner(
      database: catalogue.database, services: [Service(side: side, pause: pause)], hostID: "h1",
      folders: MusicFolders([catalogue.tree.root]), log: .quiet, now: { catalogue.time })
  }

  /// Makes a run, which ends before the call of this number; nil for a whole one.
  func run(endingAfter calls: Int? = nil) async throws {
    catalogue.wait(seconds: 600)
    let count = Mutex(0)
    let record = try await catalogue.database.read { try ProviderStore.record("trial", $0) }
    await runner {
      let made = count.withLock { count in
        count += 1
        return count
      }
      if let calls, made > calls { throw CancellationError() }
    }.run(record)
  }

  func answerQuestions() async throws {
    let idle = runner {}
    let requests = ProviderRequestHandler(
      database: catalogue.database, services: [Service(side: side, pause: {})], runner: idle, hostID: "h1", roots: [],
      sources: { Library.SourceList(sources: []) }, changed: {}, now: { catalogue.time })
    for question in try await requests.reports(.init(name: "trial")).questions {
      _ = try await requests.answer(.init(name: "trial", question: question.id, removes: true))
    }
  }

  func playlists() async throws -> [Playlist] {
    try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
  }

  private func id(_ title: String) async throws -> PlaylistID {
    try #require(try await playlists().first { $0.title == title }, "no playlist \(title)").id
  }

  func numbers(_ title: String) async throws -> [Int] {
    let id = try await id(title)
    return try await catalogue.database.read { transaction in
      try ProviderRun.entries(of: Catalogue.number(of: .playlist, id, transaction), transaction)
    }.map { side.number($0.described) }
  }

  func make(_ title: String, _ numbers: [Int]) async throws {
    let tracks = numbers.map { side.described($0) }
    _ = try await catalogue.edit { try $0.create(.init(title: title, described: tracks)) }
  }

  func add(_ number: Int, to title: String) async throws {
    let (id, track) = (try await id(title), side.described(number))
    _ = try await catalogue.edit { try $0.add(.init(id: id, ids: [], described: [track])) }
  }

  func remove(_ number: Int, from title: String) async throws {
    let id = try await id(title)
    let entries = try await catalogue.entries(id)
      .filter { $0.described.map { side.number($0) } == number }.map(\.entry)
    _ = try await catalogue.edit { try $0.remove(.init(id: id, entries: entries)) }
  }
}

import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Sync
import TestSupport
import Testing

@testable import lunara_library

/// A stand-in for ListenBrainz and a provider that talks to it without pauses.
private struct ListenBrainzStandIn {
  let standIn: StandIn
  let http = HTTPClient(userAgent: "test/1")
  let provider: ListenBrainzProvider
  let caller: ProviderCaller

  var address: String { "http://127.0.0.1:\(standIn.port)" }
  var token: String { standIn.announced["token"]?.string ?? "" }

  init(token: String? = nil) async throws {
    standIn = try await StandIn("listenbrainz", [])
    let secret = token ?? standIn.announced["token"]?.string ?? ""
    caller = ProviderCaller(
      title: "ListenBrainz", http: http, pacing: ProviderPacing(linkedAt: Timestamp(seconds: 1)), sleep: { _ in }
    ) { refused in
      if refused != nil { throw ProviderCaller.signedOut("ListenBrainz") }
      return ("Authorization", "Token \(secret)")
    }
    provider = ListenBrainzProvider(
      user: "tester", address: "http://127.0.0.1:\(standIn.port)", caller: caller)
  }

  @discardableResult
  func order(_ verb: String, _ json: String = "{}") async throws -> JSONView {
    let response = try await http.send(
      HTTPRequest(method: "POST", url: "\(address)/__control__/\(verb)", body: Array(json.utf8)))
    return try #require(JSONView(response.body), "\(verb): \(String(decoding: response.body, as: UTF8.self))")
  }

  /// Makes a playlist there and returns its id.
  func make(_ title: String, _ recordings: [Int], annotation: String = "") async throws -> String {
    let names = recordings.map { "\"\(Self.recording($0))\"" }.joined(separator: ",")
    let made = try await order(
      "playlist", #"{"title":"\#(title)","annotation":"\#(annotation)","recordings":[\#(names)],"public":false}"#)
    return try #require(made["id"]?.string)
  }

  static func recording(_ number: Int) -> String {
    "b1a9c0e9-d987-4042-ae91-78d6a326" + String(String(number + 10_000).dropFirst())
  }

  func numbers(of list: String) async throws -> [Int] {
    try #require(try await provider.reading(of: list)).entries.map { Int($0.native.suffix(4)) ?? -1 }
  }

  /// The number of calls of a path.
  func calls(_ path: String) async throws -> Int {
    try await order("log")["requests"]?.elements.count { $0["path"]?.string?.contains(path) == true } ?? 0
  }
}

private func failure(_ body: () async throws -> some Sendable) async -> String? {
  do {
    _ = try await body()
    return nil
  } catch { return LunaraError(error).code }
}

@Suite(.timeLimit(.minutes(2)))
struct ListenBrainzProviderTests {
  @Test func allPagesOfTheListsAreRead() async throws {
    let brainz = try await ListenBrainzStandIn()
    for number in 1...60 {
      _ = try await brainz.make("List \(number)", [], annotation: "<p>for &amp; by \(number)</p>")
    }
    let lists = try #require(try await brainz.provider.lists())
    #expect(lists.count == 60 && Set(lists.map(\.info.native)).count == 60)
    #expect(lists[0].info.title == "List 60" && lists[0].info.summary == "for & by 60" && lists[0].snapshot != nil)
    // A list that is made between two pages moves the others.
    try await brainz.order("between-pages", #"{"title":"Between"}"#)
    #expect(try await brainz.provider.lists() == nil)
    #expect(try await brainz.provider.lists()?.count == 61)
  }

  @Test func eachStepHasItsEffect() async throws {
    let brainz = try await ListenBrainzStandIn()
    let list = try await brainz.provider.create(title: "Mine", summary: "calm")
    let info = try #require(try await brainz.provider.lists()?.first)
    #expect(info.info == RemoteListInfo(native: list, title: "Mine", summary: "calm"))
    #expect(try await brainz.order("playlists").members.first?.value["public"]?.isTrue == false)
    func recordings(_ numbers: [Int]) -> [String] { numbers.map { ListenBrainzStandIn.recording($0) } }
    try await brainz.provider.apply(.insert(recordings([1, 2, 3]), at: nil), to: list)
    try await brainz.provider.apply(.insert(recordings([9]), at: 1), to: list)
    #expect(try await brainz.numbers(of: list) == [1, 9, 2, 3])
    try await brainz.provider.apply(
      .move(from: 0, to: 3, native: ListenBrainzStandIn.recording(1), place: nil), to: list)
    #expect(try await brainz.numbers(of: list) == [9, 2, 3, 1])
    try await brainz.provider.apply(.removeAt(1, expecting: recordings([2, 3])), to: list)
    #expect(try await brainz.numbers(of: list) == [9, 1])
    let error = await failure { try await brainz.provider.apply(.removeAt(0, expecting: recordings([1])), to: list) }
    #expect(error == "library.providerChanged")
    #expect(try await brainz.numbers(of: list) == [9, 1])
    try await brainz.provider.delete(list)
    #expect(try await brainz.provider.lists() == [])
  }

  @Test func anEditKeepsTheCollaborators() async throws {
    let brainz = try await ListenBrainzStandIn()
    let made = try await brainz.order("playlist", #"{"title":"Ours","collaborators":["ben"]}"#)
    let list = try #require(made["id"]?.string)
    try await brainz.provider.describe(list, title: "Renamed", summary: "")
    let kept = try #require(try await brainz.order("playlists").members.first?.value)
    #expect(kept["title"]?.string == "Renamed" && kept["collaborators"]?.elements.first?.string == "ben")
  }

  @Test func lovedRecordingsAreReadOldestFirstAndWritten() async throws {
    let brainz = try await ListenBrainzStandIn()
    let natives = (1...150).map { ListenBrainzStandIn.recording($0) }
    try await brainz.provider.apply(.insert(natives, at: nil), to: ListenBrainzProvider.liked)
    #expect(try await brainz.numbers(of: ListenBrainzProvider.liked) == Array(1...150))
    try await brainz.provider.apply(.removeTracks([natives[1]]), to: ListenBrainzProvider.liked)
    let entries = try #require(try await brainz.provider.reading(of: ListenBrainzProvider.liked)).entries
    #expect(
      entries.count == 149 && entries[1].described.title == "Title 0003" && entries[1].described.artist == "Artist")
    try await brainz.order("between-pages", #"{"unloved":"\#(natives[149])"}"#)
    #expect(try await brainz.provider.reading(of: ListenBrainzProvider.liked) == nil)
  }

  @Test func aRecordingIsFoundByItsIdOrByEqualNames() async throws {
    let brainz = try await ListenBrainzStandIn()
    let recording = ListenBrainzStandIn.recording(7)
    try await brainz.order("policy", #"{"recordings":{"Träume":"\#(recording)","Dream":"\#(recording)"}}"#)
    func found(_ title: String) async throws -> String? {
      try await brainz.provider.track(DescribedTrack(title: title, artist: "Ada"))
    }
    #expect(try await found("träume (2011 Remaster)") == nil)
    #expect(try await found("Träume") == recording)
    #expect(try await found("Drea") == nil)
    #expect(try await found("Nothing") == nil)
    let known = DescribedTrack(title: "x", artist: "y", recordingID: recording.uppercased())
    #expect(brainz.provider.known(known) == recording)
    #expect(brainz.provider.known(DescribedTrack(title: "x", artist: "y", recordingID: "../1")) == nil)
  }

  @Test func pausesAreTakenAndRefusalsAreTold() async throws {
    let brainz = try await ListenBrainzStandIn()
    let list = try await brainz.make("List", [1])
    try await brainz.order("fault", #"{"path":"playlists","fault":"429","times":2}"#)
    #expect(try await brainz.provider.lists()?.count == 1)
    try await brainz.order("fault", #"{"path":"playlists","fault":"503","times":2}"#)
    #expect(try await brainz.provider.lists()?.count == 1)
    try await brainz.order("log/clear")
    // What changes something is not sent again where it may have had an effect.
    try await brainz.order("fault", #"{"path":"item/add","fault":"500"}"#)
    let unclear = await failure {
      try await brainz.provider.apply(.insert([ListenBrainzStandIn.recording(2)], at: nil), to: list)
    }
    #expect(unclear == "library.providerUnclear")
    #expect(try await brainz.calls("item/add") == 1)
    #expect(
      await failure { try await brainz.provider.reading(of: ListenBrainzStandIn.recording(1)) }
        == "library.providerRefused")
    try await brainz.order("fault", #"{"path":"playlists","fault":"html"}"#)
    #expect(await failure { try await brainz.provider.lists() } == "library.providerAway")
    try await brainz.order("fault", #"{"path":"playlists","fault":"429","times":9}"#)
    #expect(await failure { try await brainz.provider.lists() } == "library.providerAway")
    #expect(await brainz.caller.pacing.heldUntil != nil)
  }

  @Test func aRevokedTokenIsSaid() async throws {
    let brainz = try await ListenBrainzStandIn(token: "wrong")
    let error = await failure { try await brainz.provider.create(title: "x", summary: "") }
    #expect(error == "library.signedOut")
  }

  @Test func anAccountIsLinkedWithATokenOrWithThatOfTheScrobbler() async throws {
    let brainz = try await ListenBrainzStandIn()
    let home = TemporaryDirectory()
    let secrets = ProviderSecrets(store: CredentialStore(home: home.path))
    let account = ListenBrainzAccount(http: brainz.http, secrets: secrets)
    #expect(await failure { try await account.link(.init(type: "listenbrainz")) } == "library.tokenNeeded")
    #expect(
      await failure { try await account.link(.init(type: "listenbrainz", token: "wrong", address: brainz.address)) }
        == "library.signedOut")
    #expect(
      await failure { try await account.link(.init(type: "listenbrainz", token: "x", address: "file:///etc")) }
        == "library.badProviderSetting")
    guard
      case .done(let user, let keep) = try await account.link(
        .init(type: "listenbrainz", token: brainz.token, address: brainz.address + "/"))
    else { return #expect(Bool(false), "it is not linked") }
    #expect(user == "tester")
    var record = ProviderRecord(
      name: "listenbrainz", kind: "listenbrainz", address: brainz.address, account: user, linkedAt: .now(),
      state: ProviderState(pacing: ProviderPacing(linkedAt: .now())))
    #expect(await failure { try await account.connect(record) } == "library.signedOut")
    try keep("listenbrainz")
    _ = try await brainz.make("List", [1])
    #expect(try await account.connect(record).provider.lists()?.count == 1)
    record.name = "other"
    #expect(await failure { try await account.connect(record) } == "library.signedOut")
  }

  @Test func aWholeRunKeepsBothSidesInStep() async throws {
    let brainz = try await ListenBrainzStandIn()
    let catalogue = try TestCatalogue()
    let secrets = ProviderSecrets(store: catalogue.secrets.store)
    let account = ListenBrainzAccount(http: brainz.http, secrets: secrets)
    guard
      case .done(let user, let keep) = try await account.link(
        .init(type: "listenbrainz", token: brainz.token, address: brainz.address))
    else { return #expect(Bool(false), "it is not linked") }
    try keep("listenbrainz")
    let list = try await brainz.make("Evening", [1, 2, 3])
    let now = catalogue.time
    try await catalogue.database.write { transaction in
      var state = ProviderState(pacing: ProviderPacing(linkedAt: now))
      (state[.playlists], state[.liked]) = (.both, .both)
      try ProviderStore.keep(
        ProviderRecord(
          name: "listenbrainz", kind: "listenbrainz", address: brainz.address, account: user, linkedAt: now,
          state: state), transaction)
    }
    let runner = ProviderRunner(
      database: catalogue.database, services: [account], hostID: "h1", folders: MusicFolders([]), log: .quiet)
    func run() async throws {
      await runner.run(try await catalogue.database.read { try ProviderStore.record("listenbrainz", $0) })
    }
    try await run()
    let playlists = try await catalogue.database.read { try Catalogue.playlists(.init(), $0) }.items
    let evening = try #require(playlists.first { $0.title == "Evening" })
    #expect(evening.trackCount == 3 && playlists.contains { $0.title == "Liked on ListenBrainz" })
    let entries = try await catalogue.entries(evening.id)
    #expect(entries.map { $0.described?.title } == ["Title 0001", "Title 0002", "Title 0003"])
    let new = DescribedTrack(title: "New", artist: "Ada", recordingID: ListenBrainzStandIn.recording(8))
    _ = try await catalogue.edit { editor in
      _ = try editor.add(.init(id: evening.id, ids: [], described: [new], after: entries[0].entry))
      return try editor.remove(.init(id: evening.id, entries: [entries[2].entry]))
    }
    try await run()
    #expect(try await brainz.numbers(of: list) == [1, 8, 2])
  }
}

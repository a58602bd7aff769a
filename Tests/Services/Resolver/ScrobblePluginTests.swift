import Bus
import Foundation
import HTTP
import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import lunara_resolver

/// Plugins that are told of plays: when, how often, and of what not.
@Suite struct ScrobblePluginTests {
  /// A plugin that sends what it is told to the server.
  static let functions = [
    "init": """
    async (config) => {
      const tell = async (path, value) => {
        const answer = await fetch(config.server + path, { method: 'POST', body: JSON.stringify(value) });
        if (answer.status === 401) { const error = new Error('signed out'); error.authError = true; throw error; }
        if (!answer.ok) throw new Error('it answered ' + answer.status);
      };
      window.scrobbleManager.registerPlugin({
        id: 'journal', isEnabled: async () => true,
        updateNowPlaying: (track) => tell('/now', track),
        scrobble: (track, start) => tell('/listen', { ...track, start }) });
    }
    """
  ]

  /// A household with a scrobbler whose facts the resolver reads.
  private final class Household: Sendable {
    let resolver: TestResolver
    let scrobbler: Node
    let database: Database
    let journal: Journal
    let status = Mutex(200)
    let bodies = Mutex([String]())
    let withheld = Mutex<String?>(nil)
    /// The titles for which the resolver asked if they are withheld.
    let checked = Mutex([String]())

    init(allows: Bool = true) async throws {
      let box = Mutex<Household?>(nil)
      resolver = try await TestResolver { request in
        guard let household = box.withLock({ $0 }) else { return (500, "") }
        household.bodies.withLock { $0.append("\(request.path) \(String(decoding: request.body, as: UTF8.self))") }
        return (household.status.withLock { $0 }, "{}")
      }
      database = try resolver.bus.database("scrobble")
      journal = try await Journal(database)
      scrobbler = try await Node.start(.scrobble, in: resolver.bus.directory, journal: journal)
      box.withLock { $0 = self }
      await scrobbler.serve(Scrobble.ReadWithheld.self) { [self] request, _ in
        let answer = Scrobble.WithheldReason(reason: withheld.withLock { $0 })
        checked.withLock { $0.append(request.track.title) }
        return answer
      }
      try await resolver.install(
        "journal", ScrobblePluginTests.functions, more: ["capabilities": ["playbackTelemetry": true]])
      if allows { try await share(true) }
    }

    @discardableResult func share(_ isAllowed: Bool) async throws -> Resolver.Sharing {
      try await resolver.ask(Resolver.SetSharing(plugin: "journal", subject: .plays, isAllowed: isAllowed))
    }

    func sharing() async throws -> Resolver.Sharing {
      try #require(try await resolver.ask(Resolver.ListSharing()).plugins.first)
    }

    /// Reports that a listen counts.
    func count(_ listen: String, _ title: String = "Tram at Night", withheld: String? = nil) async throws {
      let item = ScrobblePluginTests.item(title)
      let subject = Playback.ListenSubject(
        listen: ListenID(rawValue: listen), room: RoomName(from: "kitchen"), item: item,
        startedAt: Timestamp(seconds: 1_700_000_000))
      let fact = Scrobble.ListenCounted(subject: subject, heard: Milliseconds(100_000), withheld: withheld)
      let journal = journal
      try await database.write { try journal.append(fact, in: $0) }
    }

    /// Waits until the resolver has read every listen that was reported.
    func allRead(sourceLocation: SourceLocation = #_sourceLocation) async throws {
      let newest = try await database.read { try $0.value("SELECT max(seq) FROM bus_facts") as Int? }
      let isRead = try await eventually(equals: newest, sourceLocation: sourceLocation) {
        try await resolver.database.read {
          try $0.value("SELECT seq FROM bus_cursors WHERE reader = ?", PluginScrobbler.reader) as Int?
        }
      }
      #expect(isRead, sourceLocation: sourceLocation)
    }

    /// The bodies that the server got at a path.
    func told(_ path: String = "/listen") -> [String] {
      bodies.withLock { $0.filter { $0.hasPrefix(path + " ") }.map { String($0.dropFirst(path.count + 1)) } }
    }

    func close() async {
      await resolver.close()
      await scrobbler.close()
      await database.close()
    }
  }

  fileprivate static func item(_ title: String, seconds: Int64 = 200) -> QueueItem {
    let track = Track(
      id: TrackID(source: "files", native: "t1"), albumID: AlbumID(source: "files", native: "a1"), title: title,
      artist: "Nova Kessler", albumArtist: "Nova Kessler", album: "Night Lines", duration: Milliseconds(seconds * 1000),
      recordingID: "e1")
    return QueueItem(entry: EntryID(rawValue: "e\(title)"), track: track, origin: .init(node: "cli@main"))
  }

  @Test func aCountedListenIsToldOnceWithItsStart() async throws {
    let household = try await Household()
    try await household.count("l1")
    #expect(await eventually(equals: 1) { household.told().count })
    let body = try #require(household.told().first)
    for part in [
      #""title":"Tram at Night""#, #""artist":"Nova Kessler""#, #""album":"Night Lines""#, #""duration":200"#,
      #""mbid":"e1""#, #""start":1700000000"#,
    ] { #expect(body.contains(part), "\(part) is missing in \(body)") }
    #expect(try await eventually(equals: 1) { try await household.sharing().told })
    // The same listen once more, as after a repeated report.
    try await household.count("l1")
    try await household.count("l2")
    #expect(await eventually(equals: 2) { household.told().count })
    #expect(try await eventually(equals: 0) { try await household.sharing().waiting })
    #expect(household.told().count == 2)
    await household.close()
  }

  @Test func nothingIsToldBeforeAPersonAllowsItNorOfWhatIsWithheldNorAfterItIsEnded() async throws {
    let household = try await Household(allows: false)
    try await household.count("before")
    try await household.share(true)
    try await household.count("private", "Secret", withheld: "private")
    try await household.count("filtered", "Secret", withheld: "artist: Nova Kessler")
    try await household.count("open", "Open")
    #expect(await eventually(equals: 1) { household.told().count })
    #expect(household.told()[0].contains("Open"))
    try await household.share(false)
    try await household.count("after", "After")
    try await household.allRead()
    #expect(try await household.sharing().waiting == 0)
    #expect(household.told().count == 1)
    await household.close()
  }

  @Test func afterAFailureNothingIsLostAndNothingIsToldTwice() async throws {
    let household = try await Household()
    household.status.withLock { $0 = 503 }
    try await household.count("l1", "One")
    try await household.count("l2", "Two")
    #expect(try await eventually(equals: "resolver.pluginFailed") { try await household.sharing().problem?.code })
    #expect(try await household.sharing().waiting == 2)
    household.status.withLock { $0 = 200 }
    household.bodies.withLock { $0 = [] }
    // A person does not wait for the pause.
    try await household.share(true)
    #expect(try await eventually(equals: 0) { try await household.sharing().waiting })
    #expect(household.told().count == 2)
    await household.close()
  }

  @Test func sharingThatIsSwitchedOffAndOnDuringARequestTellsEachListenOnce() async throws {
    let household = try await Household()
    for round in 1...5 {
      try await household.count("l\(round)", "Song \(round)")
      async let off = household.share(false)
      async let on = household.share(true)
      _ = try await (off, on)
      // Whatever came last, it is on now, with one teller.
      try await household.share(true)
    }
    try await household.count("last", "Last")
    #expect(await eventually(equals: true) { household.told().contains { $0.contains("Last") } })
    let told = household.told()
    #expect(Set(told).count == told.count)
    await household.close()
  }

  @Test func aRefusedAccountStopsTheOutboxUntilItIsMended() async throws {
    let household = try await Household()
    household.status.withLock { $0 = 401 }
    try await household.count("l1", "One")
    #expect(try await eventually(equals: "resolver.accountRefused") { try await household.sharing().problem?.code })
    try await household.count("l2", "Two")
    try await household.allRead()
    #expect(try await household.sharing().waiting == 2)
    household.status.withLock { $0 = 200 }
    _ = try await household.resolver.ask(
      Resolver.SetPlugin(
        id: "journal", settings: [.init(name: "server", value: household.resolver.address + "/")]))
    #expect(try await eventually(equals: 0) { try await household.sharing().waiting })
    // One call was refused; since then the plugin was called once for each listen.
    #expect(household.told().map { $0.contains("One") } == [true, true, false])
    await household.close()
  }

  @Test func aListenThatWasBeingToldAtAKillIsToldAgain() async throws {
    let household = try await Household()
    household.status.withLock { $0 = 503 }
    try await household.count("l1", "One")
    #expect(try await eventually { try await household.sharing().problem != nil })
    // The state in which a kill left a call of an earlier version.
    try await household.resolver.database.write { try $0.execute("UPDATE told_plays SET state = 'sending'") }
    #expect(try await household.sharing().waiting == 1)
    await household.resolver.stop()
    household.status.withLock { $0 = 200 }
    try await household.resolver.restart()
    #expect(try await eventually(equals: 1) { try await household.sharing().told })
    await household.close()
  }

  @Test func aTrackIsToldAsItBeginsOnceUnlessItIsShortOrWithheld() async throws {
    let household = try await Household()
    let rooms = (
      kitchen: try await household.resolver.bus.node("playback@kitchen"),
      den: try await household.resolver.bus.node("playback@den")
    )
    func play(_ item: QueueItem, _ state: PlaybackState = .playing, in room: Node) async {
      await room.publish(
        Playback.RoomState(
          room: RoomName(from: room.id.name), state: state, item: item,
          position: Position(offset: .zero, rate: 1, takenAt: .now()),
          duration: item.track.duration,
          volume: 50, queueRevision: 1))
    }
    func checked(_ titles: String...) async -> Bool {
      await eventually(equals: titles) { household.checked.withLock { $0 } }
    }
    await play(Self.item("One"), in: rooms.kitchen)
    #expect(await eventually(equals: 1) { household.told("/now").count })
    await play(Self.item("One"), .paused, in: rooms.kitchen)
    let node = household.resolver.node
    #expect(await eventually(equals: [.paused]) { await node.snapshot(of: Playback.RoomState.self).map(\.value.state) })
    // That the resolver checks a later track shows that it has taken the pause in.
    await play(Self.item("Jingle", seconds: 29), in: rooms.den)
    #expect(await checked("One", "Jingle"))
    await play(Self.item("One"), in: rooms.kitchen)
    #expect(await checked("One", "Jingle", "One"))
    household.withheld.withLock { $0 = "private" }
    await play(Self.item("Secret"), in: rooms.den)
    #expect(await checked("One", "Jingle", "One", "Secret"))
    household.withheld.withLock { $0 = nil }
    await play(Self.item("Two"), in: rooms.den)
    #expect(await eventually(equals: 2) { household.told("/now").count })
    #expect(household.told("/now").map { $0.contains("One") } == [true, false])
    #expect(household.told("/now")[1].contains("Two"))
    for room in [rooms.kitchen, rooms.den] { await room.close() }
    await household.close()
  }
}

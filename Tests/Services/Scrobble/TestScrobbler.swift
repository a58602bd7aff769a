import Bus
import FoundationEssentials
import HTTP
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import TestSupport

@testable import lunara_scrobble

/// A bus with a room that has a journal, a client, and a scrobbler with a database of its own.
final class TestScrobbler: Sendable {
  /// A running scrobbler; every start uses the same database file.
  struct Running {
    let node: Node
    let database: Database
    let work: Scrobbler.Work

    func stop() async {
      await work.stop()
      await node.close()
      await database.close()
    }
  }

  let bus: TestBus
  let listener: Node
  private let folder = TemporaryDirectory()
  /// The folder of the scrobbler's database.
  private let database = Mutex("")
  private let room: Node
  private let roomDatabase: Database
  private let journal: Journal

  init() async throws {
    bus = try TestBus()
    listener = try await bus.node("web@main")
    roomDatabase = try bus.database("playback")
    journal = try await Journal(roomDatabase)
    room = try await Node.start(.playback(RoomName(from: "den")), in: bus.directory, journal: journal)
  }

  /// Starts a scrobbler with these servers and this token in its settings.
  func scrobbler(
    lastFM: FakeScrobbleServer? = nil, listenBrainz: FakeScrobbleServer? = nil, listenBrainzAddress: String? = nil,
    token: String? = nil
  ) async throws -> Running {
    let database = try bus.database("scrobble", migrations: Schema.migrations)
    self.database.withLock { $0 = database.path.split(separator: "/").dropLast().map { "/\($0)" }.joined() }
    let journal = try await Journal(database)
    let node = try await Node.start(.scrobble, in: bus.directory, journal: journal)
    let settings = [
      "LUNARA_LASTFM_KEY": try lastFM?.announced("key"), "LUNARA_LASTFM_SECRET": try lastFM?.announced("secret"),
      "LUNARA_LASTFM_URL": lastFM?.address, "LUNARA_LISTENBRAINZ_URL": listenBrainzAddress ?? listenBrainz?.address,
      "LUNARA_LISTENBRAINZ_TOKEN": token,
    ]
    let accounts = AccountContext(
      database: database, journal: journal,
      credentials: AccountCredentials(store: CredentialStore(home: folder.path)), http: HTTPClient(userAgent: "Test"),
      log: .quiet, setting: { settings[$0] ?? nil })
    let work = try await Scrobbler(node: node, accounts: accounts).start()
    return Running(node: node, database: database, work: work)
  }

  func report(_ facts: [any Fact]) async throws {
    try await roomDatabase.write { [journal] transaction in
      for fact in facts { try journal.append(fact, in: transaction) }
    }
  }

  /// Publishes the state of the room.
  func play(_ subject: Playback.ListenSubject?, state: PlaybackState = .playing) async {
    await room.publish(
      Playback.RoomState(
        room: RoomName(from: "den"), state: state, item: subject?.item,
        position: Position(offset: .zero, rate: 1, takenAt: .now()), duration: subject?.item.track.duration, volume: 50,
        queueRevision: 1,
        listen: subject.map { Playback.ListenMark(listen: $0.listen, startedAt: $0.startedAt, heard: .zero) }))
  }

  /// Sends a request to the scrobbler.
  func ask<R: Request>(_ request: R) async throws -> R.Answer { try await listener.request(request, to: .scrobble) }

  /// Returns the only account.
  func account() async throws -> Scrobble.Account? { try await ask(Scrobble.ListAccounts()).accounts.first }

  /// Returns the contents of a file beside the scrobbler's database.
  func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(database.withLock { $0 })/\(name)")))
  }

  /// Returns true once the list shows these listens with the time heard.
  func shows(_ expected: [(listen: String, heard: Int64)]) async throws -> Bool {
    try await eventually {
      let page = try await listener.request(Scrobble.ListScrobbles(), to: .scrobble)
      return page.items.map(\.listen.rawValue) == expected.map(\.listen)
        && page.items.map(\.heard.rawValue) == expected.map(\.heard)
    }
  }

  func close() async {
    await room.close()
    await listener.close()
    await roomDatabase.close()
  }
}

/// A listen to a track of a given length, the `number`th of an evening.
func subject(_ listen: String, _ number: Int = 0, duration: Milliseconds = Milliseconds(200_000))
  -> Playback.ListenSubject
{
  let track = Track(
    id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a1"),
    title: "Track \(number)", artist: "Ada", albumArtist: "Various", album: "First Light", number: number,
    duration: duration, recordingID: "b1a9c0e9-d987-4042-ae91-78d6a3267d69")
  return Playback.ListenSubject(
    listen: ListenID(rawValue: listen), room: RoomName(from: "den"),
    item: QueueItem(
      entry: EntryID(rawValue: "e\(number)"), track: track, path: LocalPath("/music/\(number).flac"), host: "host-1",
      origin: QueueItem.Origin(node: "web@main")),
    startedAt: Timestamp(seconds: 1_700_000_000 + Int64(number) * 240))
}

extension Scrobbler {
  /// The migrations of its database, with those of the bus.
  static let migrations = Journal.migrations + Schema.migrations
}

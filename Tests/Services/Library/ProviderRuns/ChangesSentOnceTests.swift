import HTTP
import Messages
import Model
import ServiceKit
import Sync
import Synchronization
import TestSupport
import Testing

@testable import People
@testable import Providers
@testable import Records
@testable import Sources

/// Each request that changes something at a service is sent once: to a server that carries it out, and then closes the
/// kept connection without a byte.
@Suite(.timeLimit(.minutes(2)))
struct ChangesSentOnceTests {
  /// A call, and its request whose answer is lost.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The method and the beginning of the path of the request.
    var request: String
    var call: @Sendable (_ address: String, HTTPClient) async throws -> Void

    init(
      _ name: String, _ request: String,
      _ call: @escaping @Sendable (_ address: String, HTTPClient) async throws -> Void
    ) {
      (testDescription, self.request, self.call) = (name, request, call)
    }

    func isIt(_ request: DroppingServer.Request) -> Bool {
      "\(request.method) \(request.path)".hasPrefix(self.request)
    }
  }

  private let http = HTTPClient(userAgent: "test/1")

  private func read(_ url: String) async throws -> Int {
    try await http.send(HTTPRequest(.reads, url: url)).status
  }

  /// The ids that answers name.
  private static let (one, two) = ("f32fab67-77dd-3937-addc-000000000001", "f32fab67-77dd-3937-addc-000000000002")
  private static let track = "4uLU6hMCjMI75M1A2tKUQC"

  /// Returns the answer to a request that is not lost.
  private static func answer(_ request: DroppingServer.Request) -> String {
    switch request.path {
    case "/identity": #"{"MediaContainer":{"machineIdentifier":"m"}}"#
    case "/playlists/5/items":
      #"{"MediaContainer":{"size":2,"totalSize":2,"Metadata":[{"ratingKey":"1","playlistItemID":11},{"ratingKey":"2","playlistItemID":12}]}}"#
    case "/playlists": #"{"MediaContainer":{"size":1,"Metadata":[{"ratingKey":"5","title":"List"}]}}"#
    case let path where path.hasPrefix("/rest/"):
      #"{"subsonic-response":{"status":"ok","version":"1.16.1","playlists":{},"album":{"id":"1"},"song":{"id":"1","playCount":2},"playlist":{"id":"5","name":"List"}}}"#
    case let path where path.hasPrefix("/1/playlist/"):
      #"{"status":"ok","playlist":{"title":"List","track":[{"identifier":"https://musicbrainz.org/recording/\#(one)","title":"A"},{"identifier":"https://musicbrainz.org/recording/\#(two)","title":"B"}]}}"#
    case let path where path.hasSuffix("/items"):
      #"{"items":[{"item":{"id":"\#(track)","uri":"spotify:track:\#(track)","name":"A"}}],"total":1,"snapshot_id":"s"}"#
    case let path where path.hasPrefix("/v1/"): #"{"id":"\#(track)","snapshot_id":"s"}"#
    default:
      #"{"status":"ok","MediaContainer":{"size":1,"Metadata":[{"ratingKey":"1","title":"List"}]}}"#
    }
  }

  @Test(arguments: plex + subsonic + spotify + listenBrainz)
  func aChangeWhoseAnswerIsLostIsNotSentAgain(_ change: Change) async throws {
    let server = try await DroppingServer.losing(change.isIt, answer: Self.answer, after: read)
    #expect(try await code { try await change.call(server.address, http) } != nil)
    let sent = server.requests
    #expect(sent.count(where: change.isIt) == 1, "\(sent.map { "\($0.method) \($0.target)" })")
  }

  @Test func aReadingWhoseAnswerIsLostIsSentAgain() async throws {
    let isLost = Mutex(false)
    let server = try DroppingServer { request in
      guard request.path == "/list" else { return "{}" }
      return isLost.withLock { isLost in
        defer { isLost = true }
        return isLost ? "{}" : nil
      }
    }
    #expect(try await read(server.address + "/before") == 200)
    #expect(try await read(server.address + "/list") == 200)
    #expect(server.requests.map(\.path) == ["/before", "/list", "/list"])
  }

  @Test func aTodoWhoseAnswerIsLostIsNotSentAgainAtOnce() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.make(folder: Array(catalogue.tree.beside("home").utf8))
    var contents = FakeServer.Contents()
    contents.album(100, "Blue", tracks: 3)
    try await catalogue.refresh(FakeServer(contents))
    let server = try await DroppingServer.losing({ $0.path == "/todo" }, after: read)
    let settings = TodoWebhookSettings(store: CredentialStore(home: catalogue.tree.beside("home")))
    try await settings.set(.init(address: server.address + "/todo", token: nil), catalogue.database)
    let id = try await catalogue.album("Blue").id.playable
    _ = try await catalogue.garden { try $0.todos.add(.init(id: id, text: "one")) }
    let isPausing = Mutex(false)
    let sender = TodoSender(
      database: catalogue.database, settings: settings, log: .quiet, send: { [http] in try await http.send($0) },
      sleep: { _ in
        isPausing.withLock { $0 = true }
        try await Task.sleep(for: .seconds(3600))
      })
    await sender.start()
    #expect(await eventually { isPausing.withLock { $0 } })
    #expect(server.requests.map(\.path) == ["/before", "/todo"])
    await sender.stop()
  }

  // MARK: - The calls

  private static func plexServer(_ address: String, _ http: HTTPClient) -> PlexServer {
    PlexServer(client: FakePlexServer.client(http, address, token: "t"))
  }

  private static let rows = ServerPlaylist(
    title: "List", summary: nil, rows: [.init(native: "1", id: "11"), .init(native: "2", id: "12")])

  private static let plex: [Change] = [
    Change("Plex: rate", "PUT /:/rate") { try await plexServer($0, $1).rate(.track("1"), Rating(rawValue: 8)) },
    Change("Plex: like", "PUT /:/rate") { try await plexServer($0, $1).like(album: "1") },
    Change("Plex: count a play", "PUT /:/scrobble") {
      try await plexServer($0, $1).countPlay(of: "1", at: Timestamp(seconds: 1_800_000_000))
    },
    Change("Plex: report", "POST /:/timeline") { try await plexServer($0, $1).report(report) },
    Change("Plex: make a playlist", "POST /playlists") {
      _ = try await plexServer($0, $1).createPlaylist(.init(title: "List", natives: ["1"]))
    },
    Change("Plex: delete a playlist", "DELETE /playlists/5") { try await plexServer($0, $1).deletePlaylist("5") },
    Change("Plex: describe a playlist", "PUT /playlists/5") {
      try await plexServer($0, $1).edit("5", from: rows, to: .init(title: "Other", natives: ["1", "2"]))
    },
    Change("Plex: remove from a playlist", "DELETE /playlists/5/items/11") {
      try await plexServer($0, $1).edit("5", from: rows, to: .init(natives: ["2"]))
    },
    Change("Plex: add to a playlist", "PUT /playlists/5/items") {
      try await plexServer($0, $1).edit("5", from: rows, to: .init(natives: ["1", "2", "3"]))
    },
    Change("Plex: move in a playlist", "PUT /playlists/5/items/") {
      try await plexServer($0, $1).edit("5", from: rows, to: .init(natives: ["2", "1"]))
    },
    Change("Plex: begin a sign-in", "POST /api/v2/pins") {
      _ = try await PlexCloud(http: $1, device: FakePlexServer.device, base: $0).pin(isStrong: true)
    },
  ]

  private static let report = NowPlayingReport(
    native: "1", state: .playing, position: .zero, duration: Milliseconds(180_000), room: RoomName(from: "kitchen"))

  private static func subsonicServer(_ address: String, _ http: HTTPClient) throws -> SubsonicServer {
    let client = SubsonicClient(
      try SubsonicAddress(address), .password(user: "u", password: "p"), hasConsent: true, http: http)
    return SubsonicServer(client: client, forwardsPlays: true)
  }

  private static let subsonic: [Change] = [
    Change("Subsonic: rate", "GET /rest/setRating") {
      try await subsonicServer($0, $1).rate(.track("1"), Rating(rawValue: 8))
    },
    Change("Subsonic: remove a rating", "GET /rest/unstar") { try await subsonicServer($0, $1).rate(.track("1"), nil) },
    Change("Subsonic: like", "GET /rest/star") { try await subsonicServer($0, $1).like(album: "1") },
    Change("Subsonic: count a play", "GET /rest/scrobble") {
      try await subsonicServer($0, $1).countPlay(of: "1", at: Timestamp(seconds: 1_800_000_000))
    },
    Change("Subsonic: report", "GET /rest/scrobble") { try await subsonicServer($0, $1).report(report) },
    Change("Subsonic: make a playlist", "GET /rest/createPlaylist") {
      _ = try await subsonicServer($0, $1).createPlaylist(.init(title: "List", natives: ["1"]))
    },
    Change("Subsonic: describe a new playlist", "GET /rest/updatePlaylist") {
      _ = try await subsonicServer($0, $1).createPlaylist(.init(title: "List", summary: "Slow", natives: ["1"]))
    },
    Change("Subsonic: delete a playlist", "GET /rest/deletePlaylist") {
      try await subsonicServer($0, $1).deletePlaylist("5")
    },
    Change("Subsonic: remove from a playlist", "GET /rest/updatePlaylist") {
      try await subsonicServer($0, $1).edit("5", from: rows, to: .init(natives: ["2"]))
    },
    Change("Subsonic: order a playlist", "GET /rest/createPlaylist") {
      try await subsonicServer($0, $1).edit("5", from: rows, to: .init(natives: ["2", "1"]))
    },
  ]

  private static func spotifyProvider(_ address: String, _ http: HTTPClient) -> SpotifyProvider {
    let provider = SpotifyProvider(
      user: "anna", address: address, caller: TakenPauses().caller(title: "Spotify", http: http, token: "t"))
    provider.rights.withLock {
      $0.editable.insert(track)
      $0.owned.insert(track)
    }
    return provider
  }

  private static func spotifyStep(_ name: String, _ request: String, _ step: RemoteStep, _ list: String = track)
    -> Change
  {
    Change("Spotify: \(name)", request) { try await spotifyProvider($0, $1).apply(step, to: list) }
  }

  private static let spotify: [Change] = [
    Change("Spotify: make a playlist", "POST /v1/me/playlists") {
      _ = try await spotifyProvider($0, $1).create(title: "List", summary: "")
    },
    Change("Spotify: describe a playlist", "PUT /v1/playlists/") {
      try await spotifyProvider($0, $1).describe(track, title: "List", summary: "Slow")
    },
    Change("Spotify: delete a playlist", "DELETE /v1/me/library") { try await spotifyProvider($0, $1).delete(track) },
    spotifyStep("add", "POST /v1/playlists/", .insert([track], at: nil)),
    spotifyStep("remove", "DELETE /v1/playlists/", .removeTracks([track])),
    spotifyStep("move", "PUT /v1/playlists/", .move(from: 0, to: 1, native: track, place: nil)),
    spotifyStep("replace", "PUT /v1/playlists/", .replace([], expecting: [track])),
    spotifyStep("like", "PUT /v1/me/library", .insert([track], at: nil), "liked"),
    spotifyStep("unlike", "DELETE /v1/me/library", .removeTracks([track]), "liked"),
    Change("Spotify: save an album", "PUT /v1/me/library") {
      try await spotifyProvider($0, $1).add([track], to: .albums)
    },
    Change("Spotify: unfollow", "DELETE /v1/me/library") {
      try await spotifyProvider($0, $1).remove([track], from: .artists)
    },
  ]

  private static func listenBrainzProvider(_ address: String, _ http: HTTPClient) -> ListenBrainzProvider {
    ListenBrainzProvider(user: "anna", address: address, caller: TakenPauses().caller(http: http, token: "t"))
  }

  private static func listenBrainzStep(
    _ name: String, _ request: String, _ step: RemoteStep, _ list: String = "L"
  ) -> Change {
    Change("ListenBrainz: \(name)", request) { try await listenBrainzProvider($0, $1).apply(step, to: list) }
  }

  private static let listenBrainz: [Change] = [
    Change("ListenBrainz: make a playlist", "POST /1/playlist/create") {
      _ = try await listenBrainzProvider($0, $1).create(title: "List", summary: "")
    },
    Change("ListenBrainz: describe a playlist", "POST /1/playlist/edit/") {
      try await listenBrainzProvider($0, $1).describe("L", title: "List", summary: "Slow")
    },
    Change("ListenBrainz: delete a playlist", "POST /1/playlist/L/delete") {
      try await listenBrainzProvider($0, $1).delete("L")
    },
    listenBrainzStep("add", "POST /1/playlist/L/item/add", .insert([one], at: nil)),
    listenBrainzStep("remove", "POST /1/playlist/L/item/delete", .removeAt(0, expecting: [one])),
    listenBrainzStep("move", "POST /1/playlist/L/item/move", .move(from: 0, to: 1, native: one, place: nil)),
    listenBrainzStep("love", "POST /1/feedback/", .insert([one], at: nil), "liked"),
    listenBrainzStep("end a love", "POST /1/feedback/", .removeTracks([one]), "liked"),
    Change("ListenBrainz: do not recommend", "POST /1/do-not-recommend/") {
      try await listenBrainzProvider($0, $1).post("/1/do-not-recommend/add", ["entity_mbid": one])
    },
  ]
}

import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  static let scrobbles: [Endpoint] = [
    Endpoint("GET", "/api/v1/scrobbles", "listScrobbles", of: .scrobble) { call in
      let name = call.parameters.text("filter") ?? "all"
      guard let filter = Scrobble.ListScrobbles.Filter(rawValue: name) else {
        throw LunaraError("web.badParameter", "filter is \(name). It must be all, pending or failed.")
      }
      return Scrobble.ListScrobbles(filter: filter, limit: try call.limit(50), after: call.after)
    },
    Endpoint("GET", "/api/v1/scrobbles/loves", "listFailedLoves", of: .scrobble) {
      Scrobble.ListFailedLoves(limit: try $0.limit(50))
    },
    Endpoint("POST", "/api/v1/scrobbles/retry", "retryScrobbles", of: .scrobble) {
      try $0.body(Scrobble.RetryDeliveries.self)
    },
    Endpoint("POST", "/api/v1/scrobbles/drop", "dropScrobbles", of: .scrobble) {
      try $0.body(Scrobble.DropDeliveries.self)
    },
    Endpoint("POST", "/api/v1/scrobbles/import", "importScrobbles") { api, call in
      let body = try call.body(ImportRequestBody.self)
      let request = try body.request()
      let answer = try await api.ask(request, of: .library)
      if body.send ?? false {
        _ = try await api.ask(Scrobble.ImportListens(listens: request.listens, sends: true), of: .scrobble)
      }
      return .json(answer.json)
    },
    Endpoint("POST", "/api/v1/scrobbles/import/undo", "undoScrobbleImport", of: .library) { _ in
      Library.UndoListenImport()
    },
    Endpoint("GET", "/api/v1/scrobbles/services", "listServices", of: .scrobble) { _ in
      Scrobble.ListServices()
    } shape: {
      JSON.items($0.services)
    },
    Endpoint("GET", "/api/v1/scrobbles/accounts", "listAccounts", of: .scrobble) { _ in Scrobble.ListAccounts() },
    Endpoint("POST", "/api/v1/scrobbles/accounts", "addAccount", of: .scrobble) { call in
      let request = try call.body(Scrobble.AddAccount.self)
      guard !request.secret.isEmpty else { throw LunaraError("web.badBody", "secret is empty.") }
      return request
    },
    Endpoint("PATCH", "/api/v1/scrobbles/accounts", "switchAccounts", of: .scrobble) {
      try $0.body(Scrobble.SwitchAccount.self)
    },
    Endpoint("PUT", "/api/v1/scrobbles/private", "setPrivate", of: .scrobble) {
      Scrobble.SetPrivate(for: try $0.body(PrivateRequestBody.self, nullable: "seconds").duration())
    } shape: {
      ["until": $0.until.orNull]
    },
    Endpoint("GET", "/api/v1/scrobbles/filters", "listFilters", of: .scrobble) { _ in Scrobble.ChangeFilters() },
    Endpoint("PATCH", "/api/v1/scrobbles/filters", "changeFilters", of: .scrobble) {
      try $0.body(Scrobble.ChangeFilters.self, usual: ["add": [String](), "remove": [String]()])
    },
  ]
}

/// The body of `PUT /api/v1/scrobbles/private`.
struct PrivateRequestBody: Decodable {
  private var seconds: Double?

  /// Returns the length of private listening; nil means to end it. Throws `web.badBody`.
  func duration() throws -> Milliseconds? {
    guard let seconds else { return nil }
    guard (1...31_536_000).contains(seconds) else {
      throw LunaraError("web.badBody", "seconds goes from 1 to 31536000, which is a year.")
    }
    return Milliseconds(seconds: seconds)
  }
}

/// The body of `POST /api/v1/scrobbles/import`.
struct ImportRequestBody: Decodable {
  private var listens: [Listen]
  /// True to send the listens to the accounts that are on, too.
  var send: Bool?
  private var name: String?
  private var isLast: Bool?

  private struct Listen: Decodable {
    var listen: ListenID?
    var startedAt: Timestamp
    var title: String
    var artist: String
    var album: String?
    var albumArtist: String?
    var number: Int?
    var durationSeconds: Double?
    var recordingID: String?
    var releaseID: String?
  }

  /// Returns the request to the library. Without a name the listens are an import of their own.
  func request() throws -> Library.ImportListens {
    guard listens.count <= 100 else { throw LunaraError("web.badBody", "listens may hold at most 100.") }
    guard listens.allSatisfy({ (0...1e7).contains($0.durationSeconds ?? 0) }) else {
      throw LunaraError("web.badBody", "durationSeconds goes from 0 to 10000000.")
    }
    return Library.ImportListens(
      name: name ?? "\(ListenID.random())",
      listens: listens.map { listen in
        Scrobble.ImportedListen(
          listen: listen.listen, startedAt: listen.startedAt, title: listen.title, artist: listen.artist,
          album: listen.album, albumArtist: listen.albumArtist, number: listen.number,
          duration: listen.durationSeconds.map { Milliseconds(seconds: $0) }, recordingID: listen.recordingID,
          releaseID: listen.releaseID)
      }, isLast: isLast ?? true)
  }
}

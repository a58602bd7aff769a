import Bus
import Client
import HTTP
import Messages
import Model

extension Endpoint {
  /// The endpoints for scrobbles and the accounts that receive them.
  static let scrobbles: [Endpoint] = [
    Endpoint("GET", "/api/v1/scrobbles", "listScrobbles") { api, call in
      let name = call.parameters.text("filter") ?? "all"
      guard let filter = Scrobble.ListScrobbles.Filter(rawValue: name) else {
        throw LunaraError("web.badParameter", "filter is \(name). It must be all, pending or failed.")
      }
      let request = Scrobble.ListScrobbles(filter: filter, limit: try call.limit(50), after: call.after)
      let page = try await api.ask(request, of: .scrobble)
      return .json(page)
    },
    Endpoint("GET", "/api/v1/scrobbles/loves", "listFailedLoves") { api, call in
      .json(try await api.ask(Scrobble.ListFailedLoves(limit: try call.limit(50)), of: .scrobble))
    },
    Endpoint("POST", "/api/v1/scrobbles/retry", "retryScrobbles") { api, call in
      let request = Scrobble.RetryDeliveries(listen: try call.body(ListenRequestBody.self).listen)
      return .json(try await api.ask(request, of: .scrobble, within: .seconds(20)))
    },
    Endpoint("POST", "/api/v1/scrobbles/drop", "dropScrobbles") { api, call in
      let request = Scrobble.DropDeliveries(listen: try call.body(ListenRequestBody.self).listen)
      return .json(try await api.ask(request, of: .scrobble, within: .seconds(20)))
    },
    Endpoint("POST", "/api/v1/scrobbles/import", "importScrobbles") { api, call in
      let request = try call.body(ImportRequestBody.self).request()
      return .json(try await api.ask(request, of: .scrobble, within: .seconds(30)))
    },
    Endpoint("GET", "/api/v1/scrobbles/services", "listServices") { api, _ in
      .json(JSON.items(try await api.ask(Scrobble.ListServices(), of: .scrobble).services))
    },
    Endpoint("GET", "/api/v1/scrobbles/accounts", "listAccounts") { api, _ in
      .json(JSON.items(try await api.ask(Scrobble.ListAccounts(), of: .scrobble).accounts))
    },
    Endpoint("POST", "/api/v1/scrobbles/accounts", "addAccount") { api, call in
      let request = try call.body(AccountRequestBody.self).request()
      return .json(try await api.ask(request, of: .scrobble, within: .seconds(40)))
    },
    Endpoint("PATCH", "/api/v1/scrobbles/accounts", "switchAccounts") { api, call in
      struct Body: Decodable {
        var service: String?
        var account: String?
        var on: Bool
      }
      let body = try call.body(Body.self)
      let request = Scrobble.SwitchAccount(service: body.service, account: body.account, isOn: body.on)
      return .json(JSON.items(try await api.ask(request, of: .scrobble, within: .seconds(20)).accounts))
    },
    Endpoint("PUT", "/api/v1/scrobbles/private", "setPrivate") { api, call in
      let request = Scrobble.SetPrivate(for: try call.body(PrivateRequestBody.self).duration())
      return .json(JSON.object(["until": .text(try await api.ask(request, of: .scrobble).until).orNull]))
    },
    Endpoint("GET", "/api/v1/scrobbles/filters", "listFilters") { api, _ in
      .json(JSON.items(try await api.ask(Scrobble.ChangeFilters(), of: .scrobble).filters))
    },
    Endpoint("PATCH", "/api/v1/scrobbles/filters", "changeFilters") { api, call in
      struct Body: Decodable {
        var add: [Scrobble.Filter]?
        var remove: [Scrobble.Filter]?
      }
      let body = try call.body(Body.self)
      let request = Scrobble.ChangeFilters(add: body.add ?? [], remove: body.remove ?? [])
      return .json(JSON.items(try await api.ask(request, of: .scrobble).filters))
    },
  ]
}

/// The body of `POST /api/v1/scrobbles/retry` and `…/drop`.
struct ListenRequestBody: Decodable {
  var listen: ListenID?
}

/// The body of `POST /api/v1/scrobbles/accounts`.
struct AccountRequestBody: Decodable {
  private var service: String
  private var secret: String
  private var address: String?
  private var user: String?

  /// Returns the request to the scrobbler.
  ///
  /// - Throws: `web.badBody`.
  func request() throws -> Scrobble.AddAccount {
    guard !secret.isEmpty else { throw LunaraError("web.badBody", "secret is empty.") }
    return Scrobble.AddAccount(service: service, address: address, user: user, secret: secret)
  }
}

/// The body of `PUT /api/v1/scrobbles/private`.
struct PrivateRequestBody: Decodable {
  private var seconds: OptionalField<Double>

  /// Returns the length of private listening; nil to end it.
  ///
  /// - Throws: `web.badBody`.
  func duration() throws -> Milliseconds? {
    guard case .value(let seconds) = seconds else {
      if case .null = seconds { return nil }
      throw LunaraError("web.badBody", "seconds is missing. It is the length of private listening, or null to end it.")
    }
    guard (1...31_536_000).contains(seconds) else {
      throw LunaraError("web.badBody", "seconds goes from 1 to 31536000, which is a year.")
    }
    return Milliseconds(seconds: seconds)
  }
}

/// The body of `POST /api/v1/scrobbles/import`.
struct ImportRequestBody: Decodable {
  private var listens: [Listen]
  private var send: Bool?

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

  /// Returns the request to the scrobbler.
  ///
  /// - Throws: `web.badBody`.
  func request() throws -> Scrobble.ImportListens {
    guard listens.count <= 100 else { throw LunaraError("web.badBody", "listens may hold at most 100.") }
    guard listens.allSatisfy({ (0...1e7).contains($0.durationSeconds ?? 0) }) else {
      throw LunaraError("web.badBody", "durationSeconds goes from 0 to 10000000.")
    }
    return Scrobble.ImportListens(
      listens: listens.map { listen in
        Scrobble.ImportedListen(
          listen: listen.listen, startedAt: listen.startedAt, title: listen.title, artist: listen.artist,
          album: listen.album, albumArtist: listen.albumArtist, number: listen.number,
          duration: listen.durationSeconds.map { Milliseconds(seconds: $0) }, recordingID: listen.recordingID,
          releaseID: listen.releaseID)
      }, sends: send ?? false)
  }
}

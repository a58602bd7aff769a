import HTTP
import Messages
import Model
import Sync
import Synchronization
import Text

/// Writing.
extension SpotifyProvider {
  private struct Texts: Encodable {
    var name: String
    /// The description; nil to leave it as it is. Spotify refuses an empty one, and one with breaks of lines.
    var description: String?
    var `public`: Bool?

    init(_ title: String, _ summary: String, isPublic: Bool? = nil) {
      name = Self.line(title)
      let summary = Self.line(summary)
      description = summary.isEmpty ? nil : summary
      `public` = isPublic
    }

    private static func line(_ text: String) -> String { text.split { $0.isNewline }.joined(separator: " ").trimmed }
  }

  private struct Items: Encodable {
    struct Item: Encodable { var uri: String }
    var uris: [String]?
    var position: Int?
    var items: [Item]?
    var range_start: Int?
    var insert_before: Int?
    var range_length: Int?
  }

  func create(title: String, summary: String) async throws -> String {
    let view = try await send("POST", "/v1/me/playlists", Texts(title, summary, isPublic: false))
    guard let id = view?["id"]?.string, Self.isID(id) else { throw unreadable() }
    rights.withLock {
      $0.editable.insert(id)
      $0.owned.insert(id)
    }
    return id
  }

  /// Sets the texts of a playlist of the account's own. Those of one that it edits with others are up to the owner.
  func describe(_ list: String, title: String, summary: String) async throws {
    guard rights.withLock({ $0.owned.contains(list) }) else { return }
    _ = try await send("PUT", "/v1/playlists/\(list)", Texts(title, summary))
  }

  /// Takes a list out of the account's library, which is all that Spotify has for deleting one.
  func delete(_ list: String) async throws { try await library("DELETE", ["spotify:playlist:\(list)"]) }

  func apply(_ step: RemoteStep, to list: String) async throws {
    let path = "/v1/playlists/\(list)/items"
    switch step {
    case .insert(let natives, _) where list == Self.liked: try await library("PUT", natives.map(Self.uri))
    case .removeTracks(let natives) where list == Self.liked: try await library("DELETE", Self.nameable(natives))
    case .insert(let natives, let place):
      _ = try await send("POST", path, Items(uris: natives.map(Self.uri), position: place))
    case .removeTracks(let natives):
      let uris = Self.nameable(natives)
      if !uris.isEmpty { _ = try await send("DELETE", path, Items(items: uris.map { .init(uri: $0) })) }
    case .move(let from, let to, let native, _):
      let rows = try await get("\(path)?limit=1&offset=\(from)")["items"]?.elements.first
      let entry = rows.map { Self.entry($0["item"] ?? $0["track"], isLocal: $0["is_local"]?.isTrue == true) }
      guard entry?.native == native else { throw ProviderError.changed(caller.title) }
      let move = Items(range_start: from, insert_before: to > from ? to + 1 : to, range_length: 1)
      _ = try await send("PUT", path, move)
    case .replace(let natives, let expected):
      guard try await reading(of: list)?.entries.map(\.native) == expected else {
        throw ProviderError.changed(caller.title)
      }
      let uris = natives.map(Self.uri)
      _ = try await send("PUT", path, Items(uris: Array(uris.prefix(Self.batch))))
      for start in stride(from: Self.batch, to: uris.count, by: Self.batch) {
        _ = try await send("POST", path, Items(uris: Array(uris[start..<min(start + Self.batch, uris.count)])))
      }
    case .removeAt, .removeEntries:
      throw LunaraError("library.providerRefused", "\(caller.title) has no such change of a playlist.")
    }
  }

  func add(_ natives: [String], to part: Library.SyncPart) async throws {
    try await library("PUT", natives.map { "spotify:\(part == .artists ? "artist" : "album"):\($0)" })
  }

  func remove(_ natives: [String], from part: Library.SyncPart) async throws {
    try await library("DELETE", natives.map { "spotify:\(part == .artists ? "artist" : "album"):\($0)" })
  }

  private func library(_ method: String, _ uris: [String]) async throws {
    for start in stride(from: 0, to: uris.count, by: Self.libraryBatch) {
      let some = uris[start..<min(start + Self.libraryBatch, uris.count)].joined(separator: ",")
      _ = try await send(method, "/v1/me/library?uris=\(PercentCoding.encode(some))", Items?.none)
    }
  }
}

/// Calls.
extension SpotifyProvider {
  private static let answerLimit = 8 << 20

  func get(_ path: String) async throws -> JSONView {
    let response = try await caller.send(
      HTTPRequest(.reads, url: address + path, responseLimit: Self.answerLimit, redirectLimit: 0))
    guard let view = JSONView(response.body), view.isObject else { throw unreadable() }
    return view
  }

  private func send(_ method: String, _ path: String, _ value: (some Encodable)?) async throws -> JSONView? {
    let request = HTTPRequest(
      .changes, method: method, url: address + path,
      headers: value == nil ? [] : [("Content-Type", "application/json")],
      body: try value.map { try MessageCoding.encode($0) }, responseLimit: Self.answerLimit, redirectLimit: 0)
    return JSONView(try await caller.send(request).body)
  }

  func unreadable() -> LunaraError { ProviderError.unreadable(caller.title) }
}

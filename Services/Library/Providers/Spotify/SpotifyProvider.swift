import HTTP
import ListFiles
import Messages
import Model
import Sync
import Synchronization

/// The playlists, liked songs, saved albums and followed artists of an account at Spotify, by the Web API as it is
/// since February 2026 (developer.spotify.com). It names tracks by their ids of 22 letters and digits.
final class SpotifyProvider: ListProvider {
  /// The id of the account.
  let user: String
  /// The base address of the API, without a final slash.
  let address: String
  let caller: ProviderCaller

  /// The largest numbers of rows of a page, of tracks in a change of a playlist, of addresses in a change of the
  /// library, and of hits of a search.
  static let (page, batch, libraryBatch, hits) = (50, 100, 40, 10)
  private static let answerLimit = 8 << 20

  /// The ids of playlists that the account may edit, as the last overview told.
  private let editable = Mutex<Set<String>>([])

  init(user: String, address: String, caller: ProviderCaller) {
    (self.user, self.address, self.caller) = (user, address, caller)
  }

  func capabilities(of list: String) -> ListCapabilities {
    if list == Self.liked {
      return ListCapabilities(removal: .track, insertion: .atEnd, canReorder: false, batch: Self.libraryBatch)
    }
    return editable.withLock { $0.contains(list) }
      ? ListCapabilities(
        removal: .track, insertion: .anywhere, canReorder: true, canReplace: true, batch: Self.batch) : .readOnly
  }

  func known(_ track: DescribedTrack) -> String? {
    guard let location = track.location else { return nil }
    for beginning in ["https://open.spotify.com/track/", "spotify:track:"] where location.hasPrefix(beginning) {
      let id = location.dropFirst(beginning.count).prefix { $0 != "?" }
      return Self.isID(id) ? String(id) : nil
    }
    return nil
  }

  static func isID(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 22 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  /// Returns the address by which Spotify names a track; other things have it as their id.
  static func uri(_ native: String) -> String { native.contains(":") ? native : "spotify:track:\(native)" }
}

/// Reading.
extension SpotifyProvider {
  /// Reads the lists that the account owns or edits with others; of the others Spotify gives no entries.
  func lists() async throws -> [RemoteList]? {
    let rows = try await rows("/v1/me/playlists") { view -> RemoteList in
      guard let id = view["id"]?.string, Self.isID(id), let owner = view["owner"]?["id"]?.string else {
        throw self.unreadable()
      }
      let info = RemoteListInfo(
        native: id, title: view["name"]?.string ?? "", summary: Self.plain(view["description"]?.string ?? ""),
        isEditable: owner == self.user || view["collaborative"]?.isTrue == true)
      return RemoteList(info: info, snapshot: view["snapshot_id"]?.string)
    }
    guard let lists = rows.complete(identity: { $0.info.native })?.filter(\.info.isEditable) else { return nil }
    editable.withLock { $0 = Set(lists.map(\.info.native)) }
    return lists
  }

  func reading(of list: String) async throws -> RemoteReading? {
    guard list != Self.liked else { return try await likedSongs() }
    let path = "/v1/playlists/\(PercentCoding.encode(list))"
    let before = try await get("\(path)?fields=snapshot_id")["snapshot_id"]?.string
    let rows = try await rows("\(path)/items") { view in
      Self.entry(view["item"] ?? view["track"], isLocal: view["is_local"]?.isTrue == true)
    }
    // Positions count all rows, so that one that cannot be read keeps its place.
    guard let entries = rows.complete() else { return nil }
    let after = try await get("\(path)?fields=snapshot_id")["snapshot_id"]?.string
    return before == after ? RemoteReading(entries: entries, snapshot: after) : nil
  }

  /// Reads the liked songs, the oldest first, as new ones are added to the end of a playlist.
  private func likedSongs() async throws -> RemoteReading? {
    let before = try await snapshot(of: Self.liked)
    let rows = try await rows("/v1/me/tracks") { Self.entry($0["track"], isLocal: false) }
    guard let entries = rows.complete(identity: { $0.native }), try await snapshot(of: Self.liked) == before else {
      return nil
    }
    return RemoteReading(entries: entries.reversed(), snapshot: before)
  }

  /// Returns the number of liked songs with the newest one, as a mark of their contents.
  func snapshot(of list: String) async throws -> String? {
    guard list == Self.liked else { return nil }
    let view = try await get("/v1/me/tracks?limit=1")
    guard let total = view["total"]?.integer, let rows = view["items"], rows.isArray else { throw unreadable() }
    return "\(total) \(rows.elements.first?["track"]?["id"]?.string ?? "")"
  }

  private static func entry(_ view: JSONView?, isLocal: Bool) -> RemoteEntry {
    let uri = view?["uri"]?.string ?? "spotify:unavailable"
    let artists = view?["artists"]?.elements.compactMap { $0["name"]?.string } ?? []
    var described = DescribedTrack(
      title: view?["name"]?.string ?? "Unavailable at Spotify",
      artist: artists.isEmpty ? view?["show"]?["name"]?.string ?? "" : artists.joined(separator: ", "),
      album: view?["album"]?["name"]?.string.flatMap { $0.isEmpty ? nil : $0 },
      duration: view?["duration_ms"]?.integer.flatMap { $0 > 0 && $0 < 1_000_000_000 ? Milliseconds($0) : nil },
      isrc: view?["external_ids"]?["isrc"]?.string.flatMap(RecordingCodes.isrc))
    guard let id = view?["id"]?.string, isID(id), !isLocal, uri == "spotify:track:\(id)" else {
      return RemoteEntry(native: uri, described: described, isFixed: true)
    }
    described.location = "https://open.spotify.com/track/\(id)"
    return RemoteEntry(native: id, described: described)
  }

  func items(of part: Library.SyncPart) async throws -> [RemoteItem]? {
    if part == .artists { return try await followedArtists() }
    let rows = try await rows("/v1/me/albums") { view -> RemoteItem in
      guard let item = Self.album(view["album"]) else { throw self.unreadable() }
      return RemoteItem(
        native: item.native, item: item.item, addedAt: view["added_at"]?.string.flatMap { Timestamp($0) })
    }
    return rows.complete { $0.native }
  }

  private static func album(_ view: JSONView?) -> (native: String, item: SyncItem)? {
    guard let id = view?["id"]?.string, isID(id), let title = view?["name"]?.string else { return nil }
    let artists = view?["artists"]?.elements.compactMap { $0["name"]?.string } ?? []
    return (id, SyncItem(artist: artists.joined(separator: ", "), album: title))
  }

  private func followedArtists() async throws -> [RemoteItem]? {
    var reading = PagedReading<RemoteItem>()
    var after = ""
    repeat {
      let cursor = after.isEmpty ? "" : "&after=\(PercentCoding.encode(after))"
      let view = try await get("/v1/me/following?type=artist&limit=\(Self.page)\(cursor)")["artists"]
      guard let rows = view?["items"], rows.isArray, let total = view?["total"]?.integer else { throw unreadable() }
      let page = try rows.elements.map { row in
        guard let id = row["id"]?.string, Self.isID(id), let name = row["name"]?.string else { throw unreadable() }
        return RemoteItem(native: id, item: SyncItem(artist: name))
      }
      // The number counts what is left behind the cursor at some servers, so only the first one is believed.
      reading.add(page, total: nil)
      after = view?["cursors"]?["after"]?.string ?? ""
      if page.isEmpty || after.isEmpty || Int64(reading.offset) > max(total, 100_000) { break }
    } while true
    return reading.complete { $0.native }
  }

  /// Reads all pages of a list.
  private func rows<Row: Sendable>(
    _ path: String, _ row: (JSONView) throws -> Row
  ) async throws -> PagedReading<Row> {
    var reading = PagedReading<Row>()
    repeat {
      let view = try await get("\(path)?limit=\(Self.page)&offset=\(reading.offset)")
      guard let rows = view["items"], rows.isArray, let total = view["total"]?.integer else { throw unreadable() }
      let page = try rows.elements.map(row)
      reading.add(page, total: Int(total))
      if page.isEmpty || reading.isSpoilt || reading.offset >= total { break }
    } while true
    return reading
  }

  /// Returns a description as people wrote it; Spotify escapes it.
  private static func plain(_ text: String) -> String {
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&#x2F;", "/")]
    return (names + [("&amp;", "&")]).reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}

/// Looking up.
extension SpotifyProvider {
  func track(_ track: DescribedTrack) async throws -> String? {
    if let isrc = track.isrc, let found = try await hit("track", "isrc:\(isrc)", { self.trackID($0, nil) }) {
      return found
    }
    let words = "track:\"\(Self.quoted(NormalForm.withoutRemaster(track.title)))\" artist:\"\(Self.quoted(track.artist))\""
    return try await hit("track", words) { self.trackID($0, track) }
  }

  func item(_ item: SyncItem, of part: Library.SyncPart) async throws -> String? {
    if part == .artists {
      return try await hit("artist", "artist:\"\(Self.quoted(item.artist))\"") { view in
        let isSame = NormalForm.of(view["name"]?.string ?? "") == NormalForm.of(item.artist)
        return isSame ? view["id"]?.string : nil
      }
    }
    let words = "album:\"\(Self.quoted(item.album))\" artist:\"\(Self.quoted(item.artist))\""
    return try await hit("album", words) { view in
      guard let found = Self.album(view), Self.form(found.item.album) == Self.form(item.album),
        Self.isBy(item.artist, view)
      else { return nil }
      return found.native
    }
  }

  /// Returns the id of a track; nil if its names are not those of `wanted`.
  private func trackID(_ view: JSONView, _ wanted: DescribedTrack?) -> String? {
    guard let id = view["id"]?.string, Self.isID(id) else { return nil }
    guard let wanted else { return id }
    return Self.form(view["name"]?.string ?? "") == Self.form(wanted.title) && Self.isBy(wanted.artist, view) ? id : nil
  }

  private static func form(_ title: String) -> String { NormalForm.of(NormalForm.withoutRemaster(title)) }

  /// Returns true if one artist of a hit, or all together, have this name.
  private static func isBy(_ artist: String, _ view: JSONView) -> Bool {
    let names = view["artists"]?.elements.compactMap { $0["name"]?.string } ?? []
    return (names + [names.joined(separator: ", ")]).contains { NormalForm.of($0) == NormalForm.of(artist) }
  }

  /// Returns the first hit that fits.
  private func hit(
    _ kind: StaticString, _ words: String, _ id: (JSONView) -> String?
  ) async throws -> String? {
    let view = try await get("/v1/search?type=\(kind)&limit=\(Self.hits)&q=\(PercentCoding.encode(words))")
    let found =
      kind.description == "track" ? view["tracks"] : kind.description == "album" ? view["albums"] : view["artists"]
    guard let rows = found?["items"], rows.isArray else { throw unreadable() }
    return rows.elements.lazy.compactMap(id).first
  }

  /// Returns a text without the marks that a search understands.
  private static func quoted(_ text: String) -> String { text.replacing("\"", with: " ") }
}

/// Writing.
extension SpotifyProvider {
  private struct Texts: Encodable {
    var name: String
    var description: String
    var `public`: Bool?
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
    let view = try await send("POST", "/v1/me/playlists", Texts(name: title, description: summary, public: false))
    guard let id = view?["id"]?.string, Self.isID(id) else { throw unreadable() }
    editable.withLock { _ = $0.insert(id) }
    return id
  }

  func describe(_ list: String, title: String, summary: String) async throws {
    _ = try await send("PUT", "/v1/playlists/\(list)", Texts(name: title, description: summary))
  }

  /// Takes a list out of the account's library, which is all that Spotify has for deleting one.
  func delete(_ list: String) async throws { try await library("DELETE", ["spotify:playlist:\(list)"]) }

  func apply(_ step: RemoteStep, to list: String) async throws {
    let path = "/v1/playlists/\(list)/items"
    switch step {
    case .insert(let natives, _) where list == Self.liked: try await library("PUT", natives.map(Self.uri))
    case .removeTracks(let natives) where list == Self.liked: try await library("DELETE", natives.map(Self.uri))
    case .insert(let natives, let place):
      _ = try await send("POST", path, Items(uris: natives.map(Self.uri), position: place))
    case .removeTracks(let natives):
      _ = try await send("DELETE", path, Items(items: natives.map { .init(uri: Self.uri($0)) }))
    case .move(let from, let to, let native, _):
      let rows = try await get("\(path)?limit=1&offset=\(from)")["items"]?.elements.first
      let entry = rows.map { Self.entry($0["item"] ?? $0["track"], isLocal: $0["is_local"]?.isTrue == true) }
      guard entry?.native == native else { throw ProviderCaller.changed(caller.title) }
      let move = Items(range_start: from, insert_before: to > from ? to + 1 : to, range_length: 1)
      _ = try await send("PUT", path, move)
    case .replace(let natives, let expected):
      guard try await reading(of: list)?.entries.map(\.native) == expected else {
        throw ProviderCaller.changed(caller.title)
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
  private func get(_ path: String) async throws -> JSONView {
    let response = try await caller.send(
      HTTPRequest(url: address + path, responseLimit: Self.answerLimit, redirectLimit: 0))
    guard let view = JSONView(response.body), view.isObject else { throw unreadable() }
    return view
  }

  private func send(_ method: String, _ path: String, _ value: (some Encodable)?) async throws -> JSONView? {
    let request = HTTPRequest(
      method: method, url: address + path, headers: value == nil ? [] : [("Content-Type", "application/json")],
      body: try value.map { try MessageCoding.encode($0) }, responseLimit: Self.answerLimit, redirectLimit: 0)
    return JSONView(try await caller.send(request, changes: true).body)
  }

  private func unreadable() -> LunaraError { ProviderCaller.unreadable(caller.title) }
}

import HTTP
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

  /// The most rows of a page.
  static let page = 50
  /// The most tracks in a change of a playlist.
  static let batch = 100
  /// The most addresses in a change of the library.
  static let libraryBatch = 40
  /// The most hits of a search.
  static let hits = 10
  /// The largest number of rows that are read of one list.
  private static let mostRows = 200_000
  /// The name of an entry of which Spotify says nothing.
  private static let unavailable = "spotify:unavailable"

  /// The playlists that the account may change, as the last overview told.
  let rights = Mutex(Rights())

  struct Rights {
    /// The ids of playlists whose entries the account may edit.
    var editable: Set<String> = []
    /// The ids of its own playlists, whose texts it may edit too.
    var owned: Set<String> = []
  }

  init(user: String, address: String, caller: ProviderCaller) {
    self.user = user
    self.address = address
    self.caller = caller
  }

  func capabilities(of list: String) -> ListCapabilities {
    if list == Self.liked {
      return ListCapabilities(removal: .track, insertion: .atEnd, canReorder: false, batch: Self.libraryBatch)
    }
    return rights.withLock { $0.editable.contains(list) }
      ? ListCapabilities(
        removal: .track, insertion: .anywhere, canReorder: true, canReplace: true, batch: Self.batch) : .readOnly
  }

  func known(_ track: DescribedTrack) -> String? { Library.ProviderKind.spotify.known(track) }

  static func isID(_ text: String) -> Bool { SpotifyID(text) != nil }

  /// Returns the address by which Spotify names a track; other things have it as their id.
  static func uri(_ native: String) -> String { native.contains(":") ? native : "spotify:track:\(native)" }

  /// Returns the addresses of those entries that a call may name. Files of the person's computer and entries of which
  /// Spotify says nothing have no such address, and one of them would fail the whole call. They stay there.
  static func nameable(_ natives: [String]) -> [String] {
    natives.map(uri).filter { $0 != unavailable && !$0.hasPrefix("spotify:local:") }
  }
}

/// Reading.
extension SpotifyProvider {
  /// Reads the lists that the account owns or edits with others; of the others Spotify gives no entries.
  func lists() async throws -> [RemoteList]? {
    var owned: Set<String> = []
    let rows = try await rows("/v1/me/playlists") { view -> RemoteList? in
      // The place of a playlist by Spotify itself is empty.
      guard try !self.isEmpty(view) else { return nil }
      guard let id = view["id"]?.string, Self.isID(id), let owner = view["owner"]?["id"]?.string else {
        throw self.unreadable()
      }
      if owner == self.user { owned.insert(id) }
      let info = RemoteListInfo(
        native: id, title: view["name"]?.string ?? "", summary: Self.plain(view["description"]?.string ?? ""),
        isEditable: owner == self.user || view["collaborative"]?.isTrue == true)
      return RemoteList(info: info, snapshot: view["snapshot_id"]?.string)
    }
    guard let all = rows.complete(identity: { $0?.info.native }) else { return nil }
    let lists = all.compactMap { $0 }.filter(\.info.isEditable)
    rights.withLock { [owned] in $0 = Rights(editable: Set(lists.map(\.info.native)), owned: owned) }
    return lists
  }

  func reading(of list: String) async throws -> RemoteReading? {
    guard list != Self.liked else { return try await likedSongs() }
    let path = "/v1/playlists/\(PercentCoding.encode(list))"
    let before = try await mark(path)
    let rows = try await rows("\(path)/items") { view in
      guard try !self.isEmpty(view) else { return Self.entry(nil, isLocal: false) }
      return Self.entry(view["item"] ?? view["track"], isLocal: view["is_local"]?.isTrue == true)
    }
    // Positions count all rows, so that one that cannot be read keeps its place.
    guard let entries = rows.complete() else { return nil }
    return try await mark(path) == before ? RemoteReading(entries: entries, snapshot: before) : nil
  }

  /// Returns the mark of a playlist's contents.
  private func mark(_ path: String) async throws -> String {
    guard let mark = try await get("\(path)?fields=snapshot_id")["snapshot_id"]?.string, !mark.isEmpty else {
      throw unreadable()
    }
    return mark
  }

  /// Reads the liked songs, the oldest first, as new ones are added to the end of a playlist.
  private func likedSongs() async throws -> RemoteReading? {
    let before = try await snapshot(of: Self.liked)
    let rows = try await rows("/v1/me/tracks") { view in
      Self.entry(try self.isEmpty(view) ? nil : view["track"], isLocal: false)
    }
    guard let entries = rows.complete(identity: { $0.isFixed ? nil : $0.native }),
      try await snapshot(of: Self.liked) == before
    else {
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

  static func entry(_ view: JSONView?, isLocal: Bool) -> RemoteEntry {
    let uri = view?["uri"]?.string ?? unavailable
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
    let rows = try await rows("/v1/me/albums") { view -> RemoteItem? in
      guard try !self.isEmpty(view), let album = view["album"] else { return nil }
      guard let item = Self.album(album) else { throw self.unreadable() }
      return RemoteItem(
        native: item.native, item: item.item, addedAt: view["added_at"]?.string.flatMap { Timestamp($0) })
    }
    return rows.complete { $0?.native }?.compactMap { $0 }
  }

  private static func album(_ view: JSONView?) -> (native: String, item: SyncItem)? {
    guard let id = view?["id"]?.string, isID(id), let title = view?["name"]?.string else { return nil }
    let artists = view?["artists"]?.elements.compactMap { $0["name"]?.string } ?? []
    return (id, SyncItem(artist: artists.joined(separator: ", "), album: title))
  }

  private func followedArtists() async throws -> [RemoteItem]? {
    var reading = PagedReading<RemoteItem>()
    var (after, first) = ("", 0)
    repeat {
      let cursor = after.isEmpty ? "" : "&after=\(PercentCoding.encode(after))"
      let view = try await get("/v1/me/following?type=artist&limit=\(Self.page)\(cursor)")["artists"]
      guard let rows = view?["items"], rows.isArray, let total = view?["total"]?.integer(in: 0...Self.mostRows)
      else { throw unreadable() }
      let page = try rows.elements.map { row in
        guard let id = row["id"]?.string, Self.isID(id), let name = row["name"]?.string else { throw unreadable() }
        return RemoteItem(native: id, item: SyncItem(artist: name))
      }
      // Some servers count what is left behind the cursor, so only the first number is believed.
      if reading.offset == 0 { first = total }
      reading.add(page, total: nil)
      after = view?["cursors"]?["after"]?.string ?? ""
      if page.isEmpty || after.isEmpty || reading.offset > first { break }
    } while true
    return reading.offset == first ? reading.complete { $0.native } : nil
  }

  /// Reads all pages of a list.
  private func rows<Row: Sendable>(
    _ path: String, _ row: (JSONView) throws -> Row
  ) async throws -> PagedReading<Row> {
    var reading = PagedReading<Row>()
    repeat {
      let view = try await get("\(path)?limit=\(Self.page)&offset=\(reading.offset)")
      guard let rows = view["items"], rows.isArray, let total = view["total"]?.integer(in: 0...Self.mostRows) else {
        throw unreadable()
      }
      let page = try rows.elements.map(row)
      reading.add(page, total: total)
      if page.isEmpty || reading.isSpoilt || reading.offset >= total { break }
    } while true
    return reading
  }

  /// Returns true for a row without anything, as Spotify has for what it does not tell. Throws for one that is
  /// something else than an object.
  private func isEmpty(_ row: JSONView) throws -> Bool {
    guard !row.isObject else { return false }
    guard row.string == nil, row.integer == nil, !row.isArray else { throw unreadable() }
    return true
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
    // A hit counts only with the code itself: a search may give what is merely near.
    if let isrc = track.isrc.flatMap(RecordingCodes.isrc),
      let found = try await hit(
        "track", "isrc:\(isrc)",
        { $0["external_ids"]?["isrc"]?.string.flatMap(RecordingCodes.isrc) == isrc ? self.trackID($0, nil) : nil })
    {
      return found
    }
    let words =
      "track:\"\(Self.quoted(NormalForm.withoutRemaster(track.title)))\" artist:\"\(Self.quoted(track.artist))\""
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
      guard let found = Self.album(view), Self.normalised(found.item.album) == Self.normalised(item.album),
        Self.isBy(item.artist, view)
      else { return nil }
      return found.native
    }
  }

  /// Returns the id of a track; nil if its names are not those of `wanted`.
  private func trackID(_ view: JSONView, _ wanted: DescribedTrack?) -> String? {
    guard let id = view["id"]?.string, Self.isID(id) else { return nil }
    guard let wanted else { return id }
    return Self.normalised(view["name"]?.string ?? "") == Self.normalised(wanted.title)
      && Self.isBy(wanted.artist, view) ? id : nil
  }

  private static func normalised(_ title: String) -> String { NormalForm.of(NormalForm.withoutRemaster(title)) }

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

import HTTP
import ListFiles
import Messages
import Model
import Sync

/// The playlists and the loved recordings of a user at ListenBrainz (listenbrainz.readthedocs.io, Playlists and
/// Feedback). It names recordings by their MusicBrainz ids, in small letters.
struct ListenBrainzProvider: ListProvider {
  /// The user's name there.
  let user: String
  /// The base address of the interface, without a final slash.
  let address: String
  let caller: ProviderCaller

  private static let pageOfLists = 25
  private static let pageOfLoves = 100
  private static let mostTracks = 100
  /// The largest answer that is read, in bytes: a playlist of ten thousand recordings with what is known of each.
  private static let answerLimit = 32 << 20
  /// The beginning of the ids of what has no recording id; it cannot be added again.
  private static let unnamed = "unnamed "
  /// The beginning of the ids of loved recordings that ListenBrainz knows by its own id only.
  private static let messyBrainz = "msid "
  private static let recording = "https://musicbrainz.org/recording/"
  /// The name of MusicBrainz' extension of JSPF.
  private static let jspf: StaticString = "https://musicbrainz.org/doc/jspf#playlist"
  private static var jspfName: String { "\(jspf)" }

  func capabilities(of list: String) -> ListCapabilities {
    list == Self.liked
      ? ListCapabilities(removal: .track, insertion: .atEnd, canReorder: false, batch: 25)
      : ListCapabilities(removal: .position, insertion: .anywhere, canReorder: true, batch: Self.mostTracks)
  }

  func known(_ track: DescribedTrack) -> String? { track.recordingID.flatMap(RecordingCodes.recordingID) }

  /// Looks a recording up by its names (Metadata, `lookup`), which finds similar ones as well.
  func track(_ track: DescribedTrack) async throws -> String? {
    let view = try await get(
      "/1/metadata/lookup/?artist_name=\(PercentCoding.encode(track.artist))&recording_name="
        + PercentCoding.encode(track.title))
    guard let id = view["recording_mbid"]?.string.flatMap(RecordingCodes.recordingID),
      let artist = view["artist_credit_name"]?.string, let title = view["recording_name"]?.string
    else { return nil }
    func form(_ artist: String, _ title: String) -> [String] {
      [NormalForm.of(artist), NormalForm.of(NormalForm.withoutRemaster(title))]
    }
    return form(artist, title) == form(track.artist, track.title) ? id : nil
  }
}

/// Reading.
extension ListenBrainzProvider {
  func lists() async throws -> [RemoteList]? {
    var reading = PagedReading<RemoteList>()
    repeat {
      let view = try await get(
        "/1/user/\(PercentCoding.encode(user))/playlists?count=\(Self.pageOfLists)&offset=\(reading.offset)")
      guard let rows = view["playlists"], rows.isArray, let total = view["playlist_count"]?.integer else {
        throw unreadable()
      }
      let page = try rows.elements.map { try list($0["playlist"] ?? $0) }
      reading.add(page, total: Int(total))
      if page.isEmpty || reading.isSpoilt || reading.offset >= total { break }
    } while true
    return reading.complete { $0.info.native }
  }

  private func list(_ view: JSONView) throws -> RemoteList {
    let id = view["identifier"]?.string?.split(separator: "/").last.flatMap { RecordingCodes.recordingID(String($0)) }
    guard let id else { throw unreadable() }
    let info = RemoteListInfo(
      native: id, title: view["title"]?.string ?? "", summary: Self.plain(view["annotation"]?.string ?? ""))
    return RemoteList(info: info, snapshot: snapshot(view))
  }

  private func snapshot(_ view: JSONView) -> String? {
    let parts = view["extension"]?[Self.jspf]
    return parts?["last_modified_at"]?.string ?? view["date"]?.string
  }

  func reading(of list: String) async throws -> RemoteReading? {
    if list == Self.liked { return try await loved() }
    let view = try await get("/1/playlist/\(PercentCoding.encode(list))")
    guard let playlist = view["playlist"], let tracks = playlist["track"], tracks.isArray else { throw unreadable() }
    return RemoteReading(entries: tracks.elements.map(entry), snapshot: snapshot(playlist))
  }

  private func entry(_ view: JSONView) -> RemoteEntry {
    let described = DescribedTrack(jspf: view)
    if let id = described.recordingID { return RemoteEntry(native: id, described: described) }
    return RemoteEntry(
      native: Self.unnamed + "\(described.artist)|\(described.title)", described: described, isFixed: true)
  }

  /// Reads the loved recordings, the oldest first, as new ones are added to the end of a playlist.
  private func loved() async throws -> RemoteReading? {
    var reading = PagedReading<RemoteEntry>()
    repeat {
      let view = try await get(
        "/1/feedback/user/\(PercentCoding.encode(user))/get-feedback?score=1&metadata=true&count=\(Self.pageOfLoves)"
          + "&offset=\(reading.offset)")
      guard let rows = view["feedback"], rows.isArray, let total = view["total_count"]?.integer else {
        throw unreadable()
      }
      let page = try rows.elements.map(love)
      reading.add(page, total: Int(total))
      if page.isEmpty || reading.isSpoilt || reading.offset >= total { break }
    } while true
    return reading.complete { $0.native }.map { RemoteReading(entries: $0.reversed()) }
  }

  private func love(_ view: JSONView) throws -> RemoteEntry {
    let data = view["track_metadata"]
    let id = view["recording_mbid"]?.string.flatMap(RecordingCodes.recordingID)
    let native = id ?? view["recording_msid"]?.string.map { Self.messyBrainz + $0 }
    guard let native else { throw unreadable() }
    let described = DescribedTrack(
      title: data?["track_name"]?.string ?? "", artist: data?["artist_name"]?.string ?? "",
      album: data?["release_name"]?.string, recordingID: id)
    return RemoteEntry(native: native, described: described, isFixed: id == nil)
  }

  /// Returns a description without markup, as people write it in the page's editor.
  private static func plain(_ text: String) -> String {
    var plain = ""
    var isTag = false
    for character in text {
      if character == "<" {
        isTag = true
      } else if character == ">", isTag {
        isTag = false
      } else if !isTag {
        plain.append(character)
      }
    }
    for (name, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
      plain = plain.replacing(name, with: character)
    }
    return plain.split(separator: "\n").joined(separator: "\n")
  }
}

/// Writing.
extension ListenBrainzProvider {
  private struct Playlist: Encodable {
    struct Contents: Encodable {
      var title: String?
      var annotation: String?
      var track: [Track]?
      var `extension`: [String: Visibility]?
    }

    struct Track: Encodable { var identifier: String }
    struct Visibility: Encodable {
      var `public`: Bool?
      var collaborators: [String]?
    }

    var playlist: Contents
  }

  private struct Feedback: Encodable {
    var recording_mbid: String?
    var recording_msid: String?
    var score: Int
  }

  func create(title: String, summary: String) async throws -> String {
    let isPrivate = [Self.jspfName: Playlist.Visibility(public: false)]
    let view = try await post(
      "/1/playlist/create", Playlist(playlist: .init(title: title, annotation: summary, extension: isPrivate)))
    guard let id = view["playlist_mbid"]?.string.flatMap(RecordingCodes.recordingID) else { throw unreadable() }
    return id
  }

  func describe(_ list: String, title: String, summary: String) async throws {
    // An edit without collaborators removes them.
    let present = try await get("/1/playlist/\(PercentCoding.encode(list))?fetch_metadata=false")["playlist"]
    let parts = present?["extension"]?[Self.jspf]
    let collaborators = parts?["collaborators"]?.elements.compactMap(\.string) ?? []
    let kept = [Self.jspfName: Playlist.Visibility(collaborators: collaborators)]
    _ = try await post(
      "/1/playlist/edit/\(list)", Playlist(playlist: .init(title: title, annotation: summary, extension: kept)))
  }

  func delete(_ list: String) async throws { _ = try await post("/1/playlist/\(list)/delete", [String: String]()) }

  func apply(_ step: RemoteStep, to list: String) async throws {
    switch step {
    case .insert(let natives, _) where list == Self.liked:
      for native in natives { try await love(native, score: 1) }
    case .removeTracks(let natives) where list == Self.liked:
      for native in natives { try await love(native, score: 0) }
    case .insert(let natives, let place):
      let tracks = natives.map { Playlist.Track(identifier: Self.recording + $0) }
      let offset = place.map { "/\($0)" } ?? ""
      _ = try await post("/1/playlist/\(list)/item/add\(offset)", Playlist(playlist: .init(track: tracks)))
    case .removeAt(let place, let expected):
      try await check(expected, at: place, in: list)
      _ = try await post("/1/playlist/\(list)/item/delete", ["index": place, "count": expected.count])
    case .move(let from, let to, let native, _):
      try await check([native], at: from, in: list)
      struct Move: Encodable {
        var mbid: String
        var from: Int
        var to: Int
        var count = 1
      }
      _ = try await post("/1/playlist/\(list)/item/move", Move(mbid: native, from: from, to: to))
    case .removeEntries, .removeTracks, .replace:
      throw LunaraError("library.providerRefused", "\(caller.title) has no such change of a playlist.")
    }
  }

  private func love(_ native: String, score: Int) async throws {
    var feedback = Feedback(recording_mbid: native, score: score)
    if native.hasPrefix(Self.messyBrainz) {
      feedback = Feedback(recording_msid: String(native.dropFirst(Self.messyBrainz.count)), score: score)
    }
    _ = try await post("/1/feedback/recording-feedback", feedback)
  }

  /// Reads the list again and throws `library.providerChanged` if others stand there.
  private func check(_ expected: [String], at place: Int, in list: String) async throws {
    let natives = try await reading(of: list)?.entries.map(\.native) ?? []
    guard place >= 0, place + expected.count <= natives.count,
      Array(natives[place..<place + expected.count]) == expected
    else { throw ProviderCaller.changed(caller.title) }
  }
}

/// Calls.
extension ListenBrainzProvider {
  private func get(_ path: String) async throws -> JSONView {
    let request = HTTPRequest(url: address + path, responseLimit: Self.answerLimit, redirectLimit: 0)
    return try view(try await caller.send(request))
  }

  private func post(_ path: String, _ value: some Encodable) async throws -> JSONView {
    let request = HTTPRequest(
      method: "POST", url: address + path, headers: [("Content-Type", "application/json")],
      body: try MessageCoding.encode(value), responseLimit: Self.answerLimit, redirectLimit: 0)
    return try view(try await caller.send(request, changes: true))
  }

  private func view(_ response: HTTPResponse) throws -> JSONView {
    guard let view = JSONView(response.body), view.isObject else { throw unreadable() }
    return view
  }

  private func unreadable() -> LunaraError { ProviderCaller.unreadable(caller.title) }
}

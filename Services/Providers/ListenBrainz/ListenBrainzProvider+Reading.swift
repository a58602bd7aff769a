import Messages
import Model
import Sync
import Text

/// Readings of lists and of loved tracks.
extension ListenBrainzProvider {
  /// The beginning of the addresses that name recordings.
  static let recordingPrefix = "https://musicbrainz.org/recording/"
  /// The beginning of the addresses that name playlists.
  private static let listsPerPage = 25
  private static let scoresPerPage = 100
  /// The most pages that are read, which a server with endless pages does not exceed.
  private static let mostPages = 2000

  func lists() async throws -> [RemoteList]? {
    let path = "/1/user/\(PercentCoding.encode(user))/playlists?count=\(Self.listsPerPage)"
    return try await pages(path, rows: { $0["playlists"] }, total: { $0["playlist_count"] }, of: list)
      .complete { $0.info.native }
  }

  func reading(of list: String) async throws -> RemoteReading? {
    if list == Self.liked { return try await likedReading() }
    let playlist = try await playlist(list)
    let snapshot = Self.options(of: playlist)?["last_modified_at"]?.string
    return RemoteReading(entries: try entries(of: playlist), snapshot: snapshot)
  }

  /// Returns the entries of a list as they are now.
  func entries(of list: String) async throws -> [RemoteEntry] { try entries(of: try await playlist(list)) }

  /// Reads a list as JSPF.
  func playlist(_ list: String) async throws -> JSONView {
    guard let playlist = try await get(Self.path(of: list), limit: Self.listLimit)["playlist"], playlist.isObject else {
      throw Self.notUnderstood(caller.title)
    }
    return playlist
  }

  /// Returns MusicBrainz' extension of a list.
  static func options(of playlist: JSONView) -> JSONView? {
    playlist["extension"]?["https://musicbrainz.org/doc/jspf#playlist"]?.elements.first
  }

  /// Reads the loved tracks, the first one that was loved first. ListenBrainz lists the newest first.
  ///
  /// All scores are read, those of hated tracks as well, since the total that some versions give counts them in any
  /// case. Tracks that are only known by the names of a listen, without a recording at MusicBrainz, are left out: they
  /// could not be told apart from others, or be loved again.
  private func likedReading() async throws -> RemoteReading? {
    let path =
      "/1/feedback/user/\(PercentCoding.encode(user))/get-feedback?metadata=true&count=\(Self.scoresPerPage)"
    let reading = try await pages(path, rows: { $0["feedback"] }, total: { $0["total_count"] }, of: score)
    guard let scores = reading.complete(identity: \.id) else { return nil }
    var seen: Set<String> = []
    let loved = scores.filter { $0.value == 1 }.compactMap(\.entry).filter { seen.insert($0.native).inserted }
    return RemoteReading(entries: loved.reversed())
  }

  /// Reads pages until the list is complete, has changed or a page is empty.
  private func pages<Element>(
    _ path: String, rows: (JSONView) -> JSONView?, total: (JSONView) -> JSONView?,
    of element: (JSONView) throws -> Element
  ) async throws -> PagedReading<Element> {
    var reading = PagedReading<Element>()
    for _ in 0..<Self.mostPages {
      let view = try await get("\(path)&offset=\(reading.offset)")
      guard let total = total(view)?.integer, total >= 0, let rows = rows(view).flatMap(Self.array) else {
        throw Self.notUnderstood(caller.title)
      }
      reading.add(try rows.map(element), total: Int(total))
      if rows.isEmpty || reading.isSpoilt || reading.offset >= total { break }
    }
    return reading
  }

  /// Returns the elements of an array; nil for other values.
  private static func array(_ view: JSONView) -> [JSONView]? {
    view.isObject || view.string != nil || view.integer != nil ? nil : view.elements
  }

  /// Reads a list of the overview.
  private func list(_ row: JSONView) throws -> RemoteList {
    guard let playlist = row["playlist"], let identifier = playlist["identifier"]?.string,
      let id = Self.id(String(identifier.split(separator: "/").last ?? "")), let title = playlist["title"]?.string
    else { throw Self.notUnderstood(caller.title) }
    let creator = playlist["creator"]?.string ?? user
    return RemoteList(
      info: RemoteListInfo(
        native: id, title: title, summary: playlist["annotation"]?.string.map(PlaylistAnnotation.text) ?? "",
        isEditable: creator.folded == user.folded), snapshot: Self.options(of: playlist)?["last_modified_at"]?.string)
  }

  private func entries(of playlist: JSONView) throws -> [RemoteEntry] {
    guard let rows = playlist["track"].flatMap(Self.array) else { throw Self.notUnderstood(caller.title) }
    return try rows.map(entry)
  }

  /// Reads a track. One that is no recording has its identifier as its id, and stays where it is.
  private func entry(_ row: JSONView) throws -> RemoteEntry {
    let identifiers = Self.texts(row["identifier"])
    guard row.isObject, let first = identifiers.first else { throw Self.notUnderstood(caller.title) }
    let recordings = identifiers.compactMap { text in
      text.hasPrefix(Self.recordingPrefix) ? Self.id(String(text.dropFirst(Self.recordingPrefix.count))) : nil
    }
    let track = DescribedTrack(
      title: row["title"]?.string?.trimmed ?? "", artist: Self.texts(row["creator"]).joined(separator: ", ").trimmed,
      album: row["album"]?.string.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed },
      duration: Self.duration(row["duration"]), recordingID: recordings.first)
    return RemoteEntry(native: recordings.first ?? first, described: track, isFixed: recordings.isEmpty)
  }

  private static func texts(_ view: JSONView?) -> [String] {
    guard let view else { return [] }
    return view.string.map { [$0] } ?? view.elements.compactMap(\.string)
  }

  private static func duration(_ view: JSONView?) -> Milliseconds? {
    view?.integer.flatMap { (1..<1_000_000_000).contains($0) ? Milliseconds($0) : nil }
  }

  /// A score that the person gave.
  private struct Score {
    var id: String
    var value: Int64
    /// The track; nil if it has no recording at MusicBrainz.
    var entry: RemoteEntry?
  }

  private func score(_ row: JSONView) throws -> Score {
    let recording = row["recording_mbid"]?.string.flatMap(Self.id)
    let msid = row["recording_msid"]?.string ?? ""
    guard let value = row["score"]?.integer, recording != nil || !msid.isEmpty else {
      throw Self.notUnderstood(caller.title)
    }
    let names = row["track_metadata"]
    let entry = recording.map { recording in
      let album = names?["release_name"]?.string?.trimmed ?? ""
      return RemoteEntry(
        native: recording,
        described: DescribedTrack(
          title: names?["track_name"]?.string?.trimmed ?? "", artist: names?["artist_name"]?.string?.trimmed ?? "",
          album: album.isEmpty ? nil : album, duration: Self.duration(names?["additional_info"]?["duration_ms"]),
          recordingID: recording))
    }
    return Score(id: "\(recording ?? "") \(msid)", value: value, entry: entry)
  }
}

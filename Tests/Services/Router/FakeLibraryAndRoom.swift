import Bus
import Messages
import Model
import Synchronization

@testable import lunara_router

/// A library and a room in memory. The room applies appends and partial loads as real rooms do.
final class FakeLibraryAndRoom: RequestSender {
  struct Contents: Sendable {
    /// The order of the albums in every list, each with its number of tracks.
    var albums: [(number: Int, tracks: Int)] = []
    var generation: Int64 = 1
    var gone: Set<TrackID> = []
    /// The titles that tracks have got since they were queued.
    var titles: [TrackID: String] = [:]
    var queue: [QueueItem] = []
    var revision: Int64 = 1
    var current: Int? = 0
    var continuation: Playback.Continuation?
    var wantsMore = true
    var moving: Playback.Moving?
    var staged: [String: [[QueueItem]]] = [:]
    var answers: [String: Playback.QueueSummary] = [:]
    /// The number of requests that are still answered before the simulated kill; nil for all.
    var life: Int?
    /// True where the last request still takes effect.
    var diesAfterwards = false
    /// The errors that are thrown instead of the next answers.
    var failures: [LunaraError] = []
    /// The errors that are thrown instead of the next answers to appends, and again when the same request is repeated,
    /// as nodes do.
    var appendFailures: [LunaraError] = []
    var refused: [RequestID: LunaraError] = [:]
    var asked: [String] = []
  }

  let contents: Mutex<Contents>
  let room = RoomName(from: "den")

  init(_ prepare: (inout Contents) -> Void = { _ in }) {
    var contents = Contents()
    prepare(&contents)
    self.contents = Mutex(contents)
  }

  static func album(_ number: Int) -> AlbumID { AlbumID(source: "files", native: "a\(number)") }
  static func track(_ album: Int, _ number: Int) -> TrackID {
    TrackID(source: "files", native: "t\(album * 100 + number)")
  }

  static func item(_ album: Int, _ number: Int, entry: String? = nil) -> QueueItem {
    QueueItem(
      entry: EntryID(rawValue: entry ?? "e\(album)-\(number)"), track: playable(album, number).track,
      origin: QueueItem.Origin(node: "web@main", place: "files:a\(album)"))
  }

  static func playable(_ album: Int, _ number: Int) -> Library.PlayableTrack {
    var found = anyTrack(album * 100 + number)
    found.track.albumID = self.album(album)
    return found
  }

  /// The room's queue as it would be published.
  var observed: Observed<Playback.QueueState> {
    let state = contents.withLock { $0.state }
    return Observed(
      node: .playback(room), value: state, age: .zero, saidAt: Timestamp(seconds: 1_800_000_000), away: false)
  }

  /// The catalogue as it would be published.
  var catalogue: Library.CatalogueState {
    let generation = contents.withLock { $0.generation }
    let source = Library.SourceStatus(
      name: "files", kind: "files", health: "ready", lastRefreshed: nil, albums: 1, tracks: 1, problemCount: 0,
      problems: [])
    return Library.CatalogueState(generation: generation, albums: 1, tracks: 1, sources: [source])
  }

  /// The tracks in the queue, as texts.
  var queued: [String] { contents.withLock { $0.queue.map(\.track.id.native) } }

  /// Returns the number of requests of a kind.
  func count(_ kind: String) -> Int { contents.withLock { $0.asked.count { $0 == kind } } }

  func request<R: Request>(
    _ request: R, to node: NodeID, within timeout: Duration, id requestID: RequestID?
  ) async throws -> R.Answer {
    try contents.withLock { contents in
      let isLast = contents.life == 1
      if let life = contents.life { contents.life = max(0, life - 1) }
      if contents.life == 0, !isLast || !contents.diesAfterwards { throw CancellationError() }
      contents.asked.append(R.kind)
      if !contents.failures.isEmpty { throw contents.failures.removeFirst() }
      if let requestID, let refusal = contents.refused[requestID] { throw refusal }
      if R.self == Playback.Append.self, !contents.appendFailures.isEmpty {
        let refusal = contents.appendFailures.removeFirst()
        if let requestID { contents.refused[requestID] = refusal }
        throw refusal
      }
      let answer = try contents.answer(request)
      if contents.life == 0 { throw CancellationError() }
      guard let fitting = answer as? R.Answer else {
        throw LunaraError("bus.unknownRequest", "Nobody here knows \(R.kind).")
      }
      return fitting
    }
  }
}

extension FakeLibraryAndRoom.Contents {
  fileprivate var state: Playback.QueueState {
    Playback.QueueState(
      revision: revision, count: queue.count, current: current, first: 0, items: Array(queue.prefix(50)),
      continuation: continuation, wantsMore: continuation != nil && wantsMore, moving: moving)
  }

  fileprivate mutating func answer(_ request: any Request) throws -> any Sendable {
    switch request {
    case let request as Library.ListNextAlbums:
      guard let index = albums.firstIndex(where: { FakeLibraryAndRoom.album($0.number) == request.after }) else {
        return Library.Page<Album>(items: [], next: nil)
      }
      let rest = albums.dropFirst(index + 1)
      let items = rest.prefix(request.limit).map { album in
        Album(
          id: FakeLibraryAndRoom.album(album.number), title: "Album \(album.number)", artist: "Ada",
          trackCount: album.tracks,
          duration: .zero, addedAt: Timestamp(seconds: 0))
      }
      return Library.Page(items: items, next: rest.count > items.count ? "more" : nil)
    case let request as Discovery.ListNextAlbums:
      // The wall has the albums in the opposite order.
      let ids = albums.reversed().map { FakeLibraryAndRoom.album($0.number) }
      guard let index = ids.firstIndex(of: request.after) else {
        return Discovery.NextAlbums(albums: [], hasMore: false)
      }
      let rest = ids.dropFirst(index + 1)
      return Discovery.NextAlbums(
        albums: Array(rest.prefix(request.limit)), hasMore: rest.count > request.limit)
    case let request as Library.ListPlayable:
      let named = queue.filter { request.ids.contains($0.track.id.playable) && !gone.contains($0.track.id) }
      if named.count == request.ids.count, !titles.isEmpty {
        return Library.PlayablePage(
          tracks: named.map { item in
            var found = anyTrack(1)
            found.track = item.track
            found.track.title = titles[item.track.id] ?? item.track.title
            return found
          }, next: nil)
      }
      let album = albums.first { request.ids == [PlayableID(source: "files", native: "a\($0.number)")] }
      guard let album else { throw LunaraError("library.unknownID", "gone") }
      let first = request.after.flatMap { Int($0) } ?? 0
      let end = min(album.tracks, first + 100)
      return Library.PlayablePage(
        tracks: (first..<end).map { FakeLibraryAndRoom.playable(album.number, $0) },
        next: end < album.tracks ? "\(end)" : nil)
    case let request as Library.ListRemovedTracks:
      return Library.RemovedTracks(tracks: request.tracks.filter(gone.contains), generation: generation)
    case let request as Playback.ReadQueue:
      var page = state
      page.first = request.first
      page.items = Array(queue.dropFirst(request.first).prefix(100))
      return page
    case let request as Playback.EditQueue:
      if case .renew(let tracks) = request.edit {
        for track in tracks {
          for index in queue.indices where queue[index].track.id == track.id { queue[index].track = track }
        }
        return summary
      }
      guard case .forget(let tracks) = request.edit else { throw LunaraError("test.no", "no") }
      let before = queue.count
      queue.removeAll { tracks.contains($0.track.id) }
      if queue.count != before { revision += 1 }
      return summary
    case let request as Playback.Append: return try append(request)
    default: throw LunaraError("bus.unknownRequest", "Nobody here knows that.")
    }
  }

  private var summary: Playback.QueueSummary {
    Playback.QueueSummary(revision: revision, count: queue.count, current: current)
  }

  private mutating func append(_ part: Playback.Append) throws -> Playback.QueueSummary {
    if let answer = answers[part.load] { return answer }
    guard part.revision == revision, part.position == continuation?.position else {
      throw LunaraError("playback.queueMoved", "The queue is another by now.")
    }
    var parts = staged[part.load] ?? []
    if part.part < parts.count { return summary }
    guard part.part == parts.count else { throw LunaraError("playback.loadIncomplete", "A part is missing.") }
    parts.append(part.items)
    staged[part.load] = parts
    guard part.isLast else { return summary }
    queue += parts.flatMap(\.self)
    revision += 1
    if let after = part.after {
      continuation?.after = after
      continuation?.position += 1
      wantsMore = false
    } else {
      continuation = nil
    }
    answers[part.load] = summary
    return summary
  }
}

/// A track and its file on the library's host.
func anyTrack(_ number: Int) -> Library.PlayableTrack {
  Library.PlayableTrack(
    track: Track(
      id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a1"),
      title: "Track \(number)", artist: "Ada", albumArtist: "Ada", album: "First Light", number: number,
      duration: Milliseconds(200_000)), path: LocalPath("/music/\(number).flac"), host: "host-1")
}

import Messages
import Model
import Synchronization
import TestSupport
import Testing

@testable import Bus

/// A room's name that is known to be valid.
let kitchen = RoomName(from: "kitchen")

func album(_ number: Int, art: Bool = true) -> Album {
  Album(
    id: AlbumID(source: "files", native: "a\(number)"), title: "Album \(number)", artist: "Ada", year: 1990 + number,
    genres: ["Folk"], trackCount: 2, duration: Milliseconds(400_500), addedAt: Timestamp(seconds: 1_700_000_000),
    art: art ? ArtID(source: "files", native: "p\(number)") : nil)
}

func track(_ number: Int, of album: Album = album(1)) -> Track {
  Track(
    id: TrackID(source: "files", native: "t\(number)"), albumID: album.id, title: "Track \(number)", artist: "Ada",
    albumArtist: "Ada", album: album.title, number: number, duration: Milliseconds(200_250), art: album.art)
}

func item(_ number: Int) -> QueueItem {
  QueueItem(
    entry: EntryID(rawValue: "e\(number)"), track: track(number), path: LocalPath("/music/\(number).flac"),
    host: "host-1", origin: QueueItem.Origin(node: "web@main"))
}

func roomState(
  _ state: PlaybackState = .playing, at offset: Int64 = 10_000, rate: Double = 1, volume: Int = 60,
  takenAt: Timestamp = .now(), item: QueueItem? = item(1), room: RoomName = kitchen
) -> Playback.RoomState {
  Playback.RoomState(
    room: room, state: state, item: item,
    position: Position(offset: Milliseconds(offset), rate: rate, takenAt: takenAt),
    duration: item.map { $0.track.duration }, volume: volume, queueRevision: 3)
}

func queueState(current: Int? = 0, count: Int = 3, revision: Int64 = 3) -> Playback.QueueState {
  Playback.QueueState(revision: revision, count: count, current: current, first: 0, items: (1...count).map(item))
}

let catalogueState = Library.CatalogueState(
  generation: 4, albums: 2, tracks: 4,
  sources: [
    Library.SourceStatus(
      name: "files", kind: "files", health: "ready", lastRefreshed: Timestamp(seconds: 1_700_000_000), albums: 2,
      tracks: 4, problemCount: 1, problems: [LunaraError("library.unreadable", "a.flac cannot be read.")])
  ])

/// A state as the bus delivers it.
func observed<S: State>(
  _ value: S, by node: String, age: Int64 = 0, said: Timestamp? = nil, away: Bool = false
) throws -> Observed<S> {
  let taken = (value as? Playback.RoomState)?.position.takenAt
  return Observed(
    node: try #require(NodeID(node)), value: value, age: Milliseconds(age), saidAt: said ?? taken ?? .now(), away: away)
}

/// The requests that the fake services got.
final class Asked: Sendable {
  private let kept = Mutex<[String]>([])
  func record(_ text: String) { kept.withLock { $0.append(text) } }
  var all: [String] { kept.withLock { $0 } }
}

private func unknownID(_ id: String) -> LunaraError {
  LunaraError("library.unknownID", "There is nothing called \(id).")
}

/// A library that has two albums and answers every read request.
func fakeLibrary(_ node: Node, art path: LocalPath, asked: Asked) async {
  await node.serve(Library.ListAlbums.self) { request, _ in
    asked.record("albums after \(request.after ?? "-") limit \(request.limit) sort \(request.sort.rawValue)")
    return Library.Page(items: [album(1), album(2, art: false)], next: request.after == nil ? "2" : nil)
  }
  await node.serve(Library.ReadAlbum.self) { request, _ in
    guard request.id == album(1).id else { throw unknownID(request.id.description) }
    return Library.AlbumPage(album: album(1), tracks: [track(1), track(2)])
  }
  await node.serve(Library.Search.self) { request, _ in
    asked.record("search \(request.words) limit \(request.limit)")
    return Library.SearchResults(
      artists: [Artist(id: ArtistID(source: "files", native: "r1"), name: "Ada", albumCount: 2)], albums: [album(1)],
      tracks: [track(1)])
  }
  await node.serve(Library.LocateArt.self) { request, _ in
    let size = request.size.map { " \($0)\(request.takesWebP == true ? " webp" : "")" } ?? ""
    asked.record("art for \(request.host)\(size)")
    guard request.id.native.hasPrefix("p") else { throw unknownID(request.id.description) }
    return .file(request.id.native == "p9" ? LocalPath("/nowhere/at/all") : path)
  }
  await node.serve(Library.ListSources.self) { _, _ in
    let kind = Library.SourceKind(
      kind: "shelf", title: "Shelves", signIn: [.link],
      settings: [.init(key: "address", title: "Shelf", meaning: "its place", isRequired: true)], capabilities: [.plays])
    return Library.SourceList(
      sources: catalogueState.sources.map { .init(status: $0, isFromSettings: true, account: nil, sections: []) },
      kinds: [kind])
  }
  await node.serve(Library.AddSource.self) { request, _ in
    let settings = (request.settings ?? []).map { "\($0.key)=\($0.value)" }
    asked.record("add \(request.type) \(request.address) \(settings.joined(separator: ","))")
    return Library.SourceAdded(name: request.type)
  }
  await node.serve(Library.BeginSignIn.self) { request, _ in
    asked.record("library sign-in \(request.service)")
    return Library.SignIn(
      id: "1", code: "C", page: "https://shelf.example", link: "https://shelf.example/C", expiresAt: .now())
  }
  await node.publish(catalogueState)
}

/// A scrobbler with one service.
func fakeScrobbler(_ node: Node, asked: Asked) async {
  await node.serve(Scrobble.ListServices.self) { _, _ in
    Scrobble.ServiceList(services: [
      .init(
        kind: "diary", title: "Diary", address: "https://diary.example", signIn: [.link], hint: "Bring a pen.",
        settings: [], capabilities: [.loves])
    ])
  }
  await node.serve(Scrobble.BeginSignIn.self) { request, _ in
    asked.record("scrobbler sign-in \(request.service)")
    return Scrobble.SignIn(id: "2", link: "https://diary.example", expiresAt: .now())
  }
}

/// A room that plays and obeys its commands.
func fakeRoom(_ node: Node, asked: Asked) async {
  await node.serve(Playback.Transport.self) { request, _ in
    asked.record("\(request.action)")
    if case .volume(let percent) = request.action {
      let state = roomState(volume: percent)
      await node.publish(state)
      return state
    }
    return roomState(.paused, rate: 0)
  }
  await node.serve(Playback.ReadQueue.self) { request, _ in
    asked.record("queue \(request.first) \(request.limit)")
    return queueState()
  }
  await node.serve(Playback.EditQueue.self) { request, _ in
    if case .remove(let index, let entry) = request.edit {
      asked.record("remove \(index) of \(entry?.rawValue ?? "-")")
    }
    return Playback.QueueSummary(revision: 4, count: 2, current: 0)
  }
  await node.publish(roomState())
  await node.publish(queueState())
}

/// A router that accepts every intent.
func fakeRouter(_ node: Node, asked: Asked) async {
  await node.serve(Router.Play.self) { intent, _ in
    let ids = intent.ids.map(\.description).joined(separator: ",")
    asked.record(
      "play \(ids) \(intent.mode.rawValue) from \(intent.startAt) in \(intent.room?.rawValue ?? "-")"
        + (intent.continues.map { " then \($0.sort.rawValue)" } ?? ""))
    return Router.Played(
      room: intent.room ?? kitchen, tracks: 2, queue: Playback.QueueSummary(revision: 4, count: 2, current: 0))
  }
}

import Bus
import Messages
import Model
import ServiceKit
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara_nowplaying

/// The now-playing service with its own bus and session bus, and with fake rooms and libraries.
final class NowPlayingFixture: Sendable {
  let bus: TestBus
  let desktop: PrivateBus
  /// The folder for covers.
  let covers: String
  /// The commands that the rooms got.
  let heard = Mutex<[Playback.Transport.Action]>([])
  private let files = TemporaryDirectory()
  private let node: Node
  private let work: Task<Void, Never>

  /// Starts the service on a bus and a session bus of its own, or beside another service on the same ones. `sleep`
  /// replaces the pauses before a cover is looked up again; by default they are short.
  init(
    beside other: NowPlayingFixture? = nil, sleep: (@Sendable (Duration) async throws -> Void)? = nil
  ) async throws {
    bus = try other?.bus ?? TestBus()
    if let other { desktop = other.desktop } else { desktop = try await PrivateBus.start() }
    covers = "\(files.path)/covers"
    node = try await bus.node(other == nil ? "nowplaying@main" : "nowplaying@other")
    var setup = NowPlayingService.Setup(host: "host-1", coverFolder: covers, busAddress: desktop.address)
    if let sleep {
      setup.sleep = sleep
    } else {
      setup.retryDelays = Array(repeating: .milliseconds(20), count: 2000)
    }
    let service = NowPlayingService(node: node, log: .quiet, setup: setup)
    work = Task { await service.run() }
  }

  /// A room that carries out its commands and publishes its state.
  func room(_ name: String) async throws -> Node {
    let node = try await bus.node("playback@\(name)")
    await node.serve(Playback.Transport.self) { [weak self, weak node] request, _ in
      self?.heard.withLock { $0.append(request.action) }
      let state = roomState(request.action == .toggle ? .paused : .playing, item: item(1))
      await node?.publish(state)
      return state
    }
    return node
  }

  /// A library that knows the covers' paths, and for each track twelve plays and four stars.
  func library(_ locate: @escaping @Sendable (Library.LocateArt) async throws -> Library.Locator) async throws -> Node {
    let node = try await bus.node("library@main")
    await node.serve(Library.LocateArt.self) { request, _ in try await locate(request) }
    await node.serve(Library.ReadTrack.self) { request, _ in
      var known = track(1)
      known.id = request.id
      known.rating = Rating(rawValue: 8)
      return Library.TrackDetail(track: known, copies: [])
    }
    await node.serve(Library.CountPlays.self) { request, _ in
      let row = Library.PlayCounts.Row(
        key: request.filter.track?.description ?? "", title: "", plays: 12, skips: 0,
        lastPlayedAt: Timestamp(seconds: 1_700_000_000))
      return Library.PlayCounts(rows: [row])
    }
    return node
  }

  /// Writes a file with this text in place of a picture, and returns its path.
  func picture(_ content: String) throws -> String {
    let path = "\(files.path)/\(content).jpg"
    try Files.replace(path, with: content)
    return path
  }

  func desktopShows(_ room: String, _ property: String, _ value: String) async throws {
    let shown = try await eventually(equals: value) { try await desktop.property(property, of: room) }
    #expect(shown, "\(property) of \(room) never became \(value)")
  }

  /// The address of the cover that is shown; nil for none.
  func coverURL(of room: String) async throws -> String? {
    let url = try await desktop.playerctl("lunara.\(room)", "metadata", "mpris:artUrl")
    return url.hasPrefix("file://") ? url : nil
  }

  /// Waits for a cover, and returns its file.
  func cover(of room: String) async throws -> String {
    var file: String?
    _ = try await eventually {
      file = try await coverURL(of: room).flatMap { LocalPath(url: $0)?.description }
      return file != nil
    }
    return try #require(file)
  }

  /// The names of the covers' files.
  func coverFiles() -> [String] {
    do { return try Files.names(in: covers) } catch { return [] }
  }

  func close() async {
    work.cancel()
    await work.value
    await node.close()
  }
}

/// Holds tasks until it is opened.
actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  var hasWaiting: Bool { !waiting.isEmpty }

  func wait() async { if !isOpen { await withCheckedContinuation { waiting.append($0) } } }

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

/// A track of a small album, by its number.
func track(_ number: Int, title: String? = nil, duration: Milliseconds = Milliseconds(200_000)) -> Track {
  Track(
    id: TrackID(source: "files", native: "t\(number)"), albumID: AlbumID(source: "files", native: "a1"),
    title: title ?? "Track \(number)", artist: "Ada", albumArtist: "Ada & Band", album: "First Light", disc: 1,
    number: number, genres: ["Folk", "Jazz"], duration: duration, art: ArtID(source: "files", native: "c1"))
}

func item(_ number: Int, entry: String? = nil, title: String? = nil) -> QueueItem {
  QueueItem(
    entry: EntryID(rawValue: entry ?? "e\(number)"), track: track(number, title: title),
    origin: QueueItem.Origin(node: "web@main"))
}

func room(_ text: String) -> RoomName { RoomName(from: text) }

func roomState(
  _ state: PlaybackState, item: QueueItem?, at offset: Milliseconds = .zero, volume: Int = 80,
  duration: Milliseconds? = nil
) -> Playback.RoomState {
  Playback.RoomState(
    room: room("kitchen"), state: state, item: item,
    position: Position(offset: offset, rate: state == .playing ? 1 : 0, takenAt: Timestamp(seconds: 1_700_000_000)),
    duration: duration ?? item?.track.duration, volume: volume, queueRevision: 1)
}

func queueState(current: Int?, count: Int) -> Playback.QueueState {
  Playback.QueueState(
    revision: 1, count: count, current: current, first: 0, items: (0..<min(count, 50)).map { item($0) })
}

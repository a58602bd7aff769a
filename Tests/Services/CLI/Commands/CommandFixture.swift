import System
import Bus
import Messages
import Model
import Synchronization
import TestSupport

@testable import lunara

/// Real nodes with prepared answers, and the program's commands run against them.
final class CommandFixture: Sendable {
  /// The bus of the nodes.
  let bus: TestBus
  /// The requests to the rooms and the router, as text.
  let asked = Mutex<[String]>([])
  private let nodes = Mutex<[Node]>([])

  init() throws { bus = try TestBus() }

  /// A library with three albums.
  func library() async throws -> Node {
    let node = try await add("library@main")
    let albums = (1...3).map { Sample.album("a\($0)", "Album \($0)") } + [Sample.album("a4", "Night Lines")]
    await node.serve(Library.ListAlbums.self) { request, _ in
      let start = request.after.flatMap { Int($0) } ?? 0
      let end = min(albums.count, start + min(2, request.limit))
      return Library.Page(items: Array(albums[start..<end]), next: end < albums.count ? "\(end)" : nil)
    }
    await node.serve(Library.DrawAlbum.self) { _, _ in
      Library.ExplainedAlbum(album: albums[0], reason: "Drawn by chance. Never heard.")
    }
    await node.serve(Library.ListArtists.self) { _, _ in
      Library.Page(items: [Artist(id: ArtistID(source: "files", native: "r1"), name: "Nova", albumCount: 4)], next: nil)
    }
    await node.serve(Library.ReadAlbum.self) { request, _ in
      guard let album = albums.first(where: { $0.id == request.id }) else {
        throw LunaraError("library.unknownID", "There is no album \(request.id).")
      }
      let first = request.after == nil
      return Library.AlbumPage(
        album: album, tracks: [Sample.track(first ? "t1" : "t2", first ? "One" : "Two", number: first ? 1 : 2)],
        next: first ? "1" : nil)
    }
    await node.serve(Library.Search.self) { request, _ in
      let words = request.words.lowercased()
      return Library.SearchResults(
        artists: [], albums: albums.filter { $0.title.lowercased().hasPrefix(words) }, tracks: [])
    }
    await node.publish(
      Library.CatalogueState(
        generation: 2, albums: 4, tracks: 20,
        sources: [
          .init(
            name: "files", kind: "files", health: "ready", lastRefreshed: Sample.moment, albums: 4, tracks: 20,
            problemCount: 1,
            problems: [LunaraError("library.unreadable", "/m/x.flac cannot be read. Check it.", cause: "cut short")])
        ]))
    return node
  }

  /// A router that records its requests.
  func router() async throws {
    let node = try await add("router@main")
    await node.serve(Router.Play.self) { request, _ in
      self.record(
        "play \(request.ids.map(\.description).joined(separator: " ")) in \(request.room?.rawValue ?? "-") \(request.mode.rawValue) from \(request.startAt) shuffled \(request.shuffle ? request.order?.rawValue ?? "?" : "-") seeded \(request.seed != nil) goes on \(request.continues.map { $0.sort.rawValue + ($0.seed == nil ? "" : " seeded") } ?? "-")"
      )
      return Router.Played(
        room: request.room ?? RoomName(from: "x"), tracks: 5, queue: .init(revision: 4, count: 5, current: 0))
    }
    await node.serve(Router.Move.self) { request, _ in
      self.record("move \(request.from) to \(request.to)\(request.keepsQueue == true ? " keeping its queue" : "")")
      return Sample.room(request.to.rawValue, .playing, item: Sample.item("e0", "One"), offset: 5000)
    }
  }

  /// A room with three tracks in its queue; `seconds` is the time since it was used.
  func room(_ name: String, _ state: PlaybackState = .paused, usedSecondsAgo seconds: Double = 0) async throws {
    let node = try await add("playback@\(name)")
    let items = ["One", "Two", "Three"].enumerated().map { Sample.item("e\($0)", $1) }
    var shown = Sample.room(name, state, item: items[0], offset: 5000)
    shown.position.takenAt = .now() - Milliseconds(seconds: seconds)
    let now = shown
    await node.publish(now)
    await output(of: name, on: node)
    await node.serve(Playback.Transport.self) { request, _ in
      self.record("\(name) \(request.action)")
      return now
    }
    await node.serve(Playback.ReadQueue.self) { request, _ in
      Playback.QueueState(
        revision: 1, count: 3, current: 0, first: request.first, items: Array(items.dropFirst(request.first).prefix(2)))
    }
    await node.serve(Playback.EditQueue.self) { request, _ in
      switch request.edit {
      case .remove(let index, let entry): self.record("\(name) remove \(index) of \(entry?.rawValue ?? "-")")
      case .removeAll(let ranges, let revision):
        self.record("\(name) remove \(ranges.map { "\($0.from)-\($0.to)" }.joined(separator: " ")) at \(revision)")
      case .move(let from, let to, let entry): self.record("\(name) move \(from) to \(to) of \(entry?.rawValue ?? "-")")
      case .order(let order, _): self.record("\(name) order \(order.rawValue)")
      default: self.record("\(name) \(request.edit)")
      }
      return Playback.QueueSummary(revision: 2, count: 2, current: 0)
    }
  }

  /// Answers for a room's output and its history.
  private func output(of name: String, on node: Node) async {
    let state = Playback.OutputState(used: "alsa/dac")
    var found = state
    found.devices = [.init(name: "alsa/hdmi", title: "Television"), .init(name: "alsa/dac", title: "The DAC")]
    let listed = found
    await node.publish(state)
    await node.serve(Playback.ReadOutput.self) { _, _ in listed }
    await node.serve(Playback.SetOutput.self) { request, _ in
      func text(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "-" }
      self.record(
        "\(name) output \(text(request.device)) \(text(request.levelling?.rawValue)) \(text(request.preamp)) "
          + "\(text(request.startVolume)) \(text(request.maximumVolume)) \(text(request.resumesAfterCrash)) "
          + text(request.resumesLongTracks))
      return listed
    }
    await node.serve(Playback.ReadPlayed.self) { request, _ in
      Playback.PlayedItems(
        items: (1...3).prefix(request.limit).map {
          Playback.PlayedItem(
            item: Sample.item("e9", "Song \($0)"), startedAt: Sample.moment, heard: Milliseconds(12_000),
            reason: .skipped)
        })
    }
  }

  /// A scrobbler that gives one scrobble a page.
  func scrobbler() async throws {
    let node = try await add("scrobble@main")
    await node.serve(Scrobble.ListScrobbles.self) { request, _ in
      let number = request.after == nil ? 1 : 2
      return Library.Page(
        items: [
          Scrobble.Entry(
            listen: ListenID(rawValue: "l\(number)"), room: RoomName(from: "den"),
            track: Sample.track("t\(number)", "Track \(number)"), startedAt: Sample.moment, heard: Milliseconds(31_000),
            destinations: [])
        ], next: number == 1 ? "2" : nil)
    }
    await node.publish(Scrobble.OutboxState(counted: 2, pending: 1, failed: 0))
  }

  /// Runs a command line against the nodes.
  func run(_ words: String..., environment: [String: String] = [:]) async -> (lunara.ExitStatus, Printed) {
    await run(words, environment: environment)
  }

  /// Runs a command line, given as a list of words.
  func run(_ words: [String], environment: [String: String] = [:]) async -> (lunara.ExitStatus, Printed) {
    let printed = Printed()
    do {
      let invocation = try Parser(root: .lunara).parse(words + ["--run", bus.directory.path])
      let console = printed.console(isJSON: invocation.arguments.has(.json))
      let context = Context(
        arguments: invocation.arguments, console: console, environment: Environment(environment))
      guard case .asynchronous(let action) = invocation.command.action else { return (.wrongUsage, printed) }
      do {
        try await action(context)
        return (.done, printed)
      } catch let error as UsageError {
        console.report(error, hint: "")
        return (.wrongUsage, printed)
      } catch {
        console.report(LunaraError(error))
        return (lunara.ExitStatus(error), printed)
      }
    } catch {
      return (lunara.ExitStatus(error), printed)
    }
  }

  /// Stops all nodes.
  func close() async {
    for node in nodes.withLock({ $0 }) { await node.close() }
  }

  func record(_ text: String) { asked.withLock { $0.append(text) } }

  func add(_ name: String) async throws -> Node {
    let node = try await bus.node(name)
    nodes.withLock { $0.append(node) }
    return node
  }
}

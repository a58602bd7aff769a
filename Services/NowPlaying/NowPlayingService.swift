import Bus
import Messages
import Model
import ServiceKit

/// Shows on the desktop what plays in each room, and hands the desktop's commands to the rooms.
actor NowPlayingService {
  /// How a service is set up.
  struct Setup: Sendable {
    /// This host's id, by which the library knows whether a file can be read here.
    var host: String
    /// Where covers are kept.
    var coverFolder: String
    /// The name of this machine's page on the bus.
    var webName = "main"
    /// The session bus; nil for the person's own.
    var busAddress: String?
    /// How long to wait before each further try to find a cover.
    var coverPauses: [Duration] = [.seconds(2), .seconds(4), .seconds(6)]
    /// How long one answer of the library is waited for.
    var patience: Duration = .seconds(5)
    /// The rooms whose new tracks are told of by notifications.
    var notified = NotifiedRooms.none
    /// Opens the page; nil where there is no way to.
    var page: PageOpener?
    /// Waits before a further try.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  }

  private let node: Node
  private let log: Log
  private let setup: Setup
  private let desktop: MPRISPlayers
  private let folder: CoverFolder
  private var model: DesktopModel
  private var searches: [Int: Task<Void, Never>] = [:]
  /// Removes the files of covers that are not shown any more, after those before. Nobody waits for it but the end: the disk
  /// may be slow.
  private var removal: Task<Void, Never>?
  private var isEnding = false

  /// Makes the service.
  init(node: Node, log: Log, setup: Setup) {
    self.node = node
    self.log = log
    self.setup = setup
    model = DesktopModel(host: setup.host)
    folder = CoverFolder(setup.coverFolder)
    let page: (@Sendable () -> Void)? = if let page = setup.page { { _ = page.open() } } else { nil }
    desktop = MPRISPlayers(
      address: setup.busAddress, notified: setup.notified, page: page,
      monotonic: MonotonicClock.microseconds,
      perform: { room, command in
        switch command {
        case .transport(let action): _ = try await node.request(Playback.Transport(action), to: .playback(room))
        case .mix(let isMixed):
          let order = Playback.EditQueue.Edit.order(
            isMixed ? .tracks : .queued, seed: isMixed ? .random(in: 0 ... .max) : 0)
          _ = try await node.request(Playback.EditQueue(order), to: .playback(room), within: .seconds(20))
        }
      },
      notify: { notice in
        switch notice {
        case .busMissing(let error): log.warning(error)
        case .appeared(let room, let name): log.info("on the session bus", ["room": room.rawValue, "name": name])
        case .commandFailed(let room, let error):
          log.warning(error.message, ["room": room.rawValue, "code": error.code])
        }
      })
  }

  /// Follows all rooms until the node closes or the task is cancelled; then takes the players and covers away.
  func run() async {
    await folder.clear()
    await withTaskGroup { group in
      group.addTask {
        for await states in await self.node.states(Playback.RoomState.self) { await self.update(states) }
      }
      group.addTask {
        for await states in await self.node.states(Playback.QueueState.self) { await self.update(states) }
      }
      group.addTask {
        for await states in await self.node.states(Library.CatalogueState.self) { await self.update(states) }
      }
      if setup.page != nil {
        group.addTask {
          for await presences in await self.node.presences() { await self.update(presences) }
        }
      }
      await group.waitForAll()
    }
    isEnding = true
    for search in searches.values { search.cancel() }
    for search in searches.values { await search.value }
    await desktop.show([:])
    await removal?.value
    await folder.clear()
  }

  /// Returns once it has had its turn.
  func checkResponsive() {}

  private func update(_ states: [Observed<Playback.RoomState>]) async {
    // They may have lain waiting for their turn.
    let moment = ContinuousClock.now
    model.update(states.map { $0.aged(to: moment) }, at: MonotonicClock.microseconds())
    await refresh()
  }

  private func update(_ states: [Observed<Playback.QueueState>]) async {
    model.update(states)
    await refresh()
  }

  private func update(_ states: [Observed<Library.CatalogueState>]) async {
    model.update(states)
    await refresh()
  }

  /// The page is there as long as its service runs on this machine.
  private func update(_ presences: [NodePresence]) async {
    let isThere = presences.contains { $0.id.role == "web" && $0.id.name == setup.webName && !$0.away }
    await desktop.show(hasPage: isThere)
  }

  private func refresh() async {
    if isEnding { return }
    let wanted = model.wanted
    let covers = model.covers.update(wanted: wanted.covers)
    let details = model.details.update(wanted: wanted.tracks)
    for search in covers.begin { begin(search.number) { await self.find(search) } }
    for search in details.begin { begin(-search.number) { await self.read(search) } }
    // First what is shown, then the files of what is not any more.
    await desktop.show(model.snapshots)
    remove(covers.forget)
  }

  private func remove(_ files: [LocalPath]) {
    guard !files.isEmpty else { return }
    removal = Task { [removal, folder] in
      await removal?.value
      for file in files { await folder.remove(file) }
    }
  }

  private func begin(_ number: Int, _ search: @escaping @Sendable () async -> Void) {
    searches[number] = Task {
      await search()
      self.ended(number)
    }
  }

  private func ended(_ number: Int) { searches[number] = nil }

  // MARK: - Covers

  /// Has a cover made a file, after a while again where the library has it not yet, as long as it is wanted.
  private func find(_ search: LookupCache<ArtID, LocalPath>.Search) async {
    for pause in [.zero] + setup.coverPauses {
      do {
        if pause > .zero { try await setup.sleep(pause) }
        guard model.covers.isPending(search) else { return }
        // Large enough for a lock screen: the picture as it is may be of any size, and would be taken out of the music.
        let wanted = Library.LocateArt(id: search.key, host: setup.host, size: 1024)
        let place = try await node.request(wanted, to: .library, within: setup.patience)
        let bytes = try await folder.read(place)
        guard model.covers.isPending(search) else { return }
        let file = try await folder.keep(bytes, for: search.key, search: search.number)
        // It may not be wanted any more; where it is wanted again, another search brings it again.
        guard model.covers.store(file, for: search) else { return remove([file]) }
        return await refresh()
      } catch is CancellationError {
        return
      } catch {
        let error = LunaraError(error)
        log.debug(error.message, ["cover": search.key.description, "code": error.code])
      }
    }
    if model.covers.store(nil, for: search) { await refresh() }
  }

  // MARK: - Details

  /// Asks the library what the queue item of a track does not say; after a while again where it does not answer.
  private func read(_ search: LookupCache<TrackID, TrackDetails>.Search) async {
    var details: TrackDetails?
    for pause in [.zero] + setup.coverPauses {
      do {
        if pause > .zero { try await setup.sleep(pause) }
        guard model.details.isPending(search) else { return }
        let filter = Library.PlayFilter(track: search.key)
        async let track = node.request(Library.ReadTrack(id: search.key), to: .library, within: setup.patience)
        async let plays = node.request(
          Library.CountPlays(filter: filter, by: .track, limit: 1), to: .library, within: setup.patience)
        let (known, row) = try await (track.track, plays.rows.first)
        details = TrackDetails(
          genres: known.genres, uses: row?.plays ?? 0, lastUsed: row?.lastPlayedAt, rating: known.rating)
        break
      } catch is CancellationError {
        return
      } catch {
        let error = LunaraError(error)
        log.debug(error.message, ["track": search.key.description, "code": error.code])
        guard error.code.hasPrefix("bus.") else { break }
      }
    }
    if model.details.store(details, for: search) { await refresh() }
  }
}

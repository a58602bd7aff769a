import Bus
import Messages
import Model
import ServiceKit
import System

/// Shows on the desktop what plays in each room, and sends the desktop's commands to the rooms.
actor NowPlayingService {
  struct Setup: Sendable {
    /// The id of this host, by which the library knows which files can be read here.
    var host: String
    var coverFolder: String
    /// The bus name of this machine's web service.
    var webName = "main"
    /// The address of the session bus; nil for the user's own one.
    var busAddress: String?
    /// The delays before each further lookup of a cover or of details.
    var retryDelays: [Duration] = [.seconds(2), .seconds(4), .seconds(6)]
    /// The longest wait for one answer of the library.
    var timeout: Duration = .seconds(5)
    /// The rooms whose new tracks and errors are shown as notifications.
    var notified = NotifiedRooms.none
    /// Opens the web page; nil if that is impossible.
    var page: PageOpener?
    /// Waits before a further lookup.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  }

  private let node: Node
  private let log: Log
  private let setup: Setup
  private let players: MPRISPlayers
  private let folder: CoverFolder
  private var model: DesktopModel
  private var lookups: [Int: Task<Void, Never>] = [:]
  /// Removes the files of covers that are no longer shown, one batch after the other. Only the end of the service waits
  /// for it, as the disk may be slow.
  private var removal: Task<Void, Never>?
  private var isEnding = false

  init(node: Node, log: Log, setup: Setup) {
    self.node = node
    self.log = log
    self.setup = setup
    model = DesktopModel(host: setup.host)
    folder = CoverFolder(setup.coverFolder)
    let openPage: (@Sendable () -> Void)? = if let page = setup.page { { _ = page.open() } } else { nil }
    players = MPRISPlayers(
      address: setup.busAddress, notified: setup.notified, openPage: openPage,
      monotonic: MonotonicClock.microseconds,
      perform: { try await Self.perform($1, in: $0, node) },
      report: { event in
        switch event {
        case .busMissing(let error): log.warning(error)
        case .appeared(let room, let name):
          log.info("the room's player is on the session bus", ["room": room.rawValue, "name": name])
        case .commandFailed(let room, let error):
          log.warning(error.message, ["room": room.rawValue, "code": error.code])
        }
      })
  }

  /// Sends a command to a room and returns when the room has carried it out.
  private static func perform(_ command: RoomCommand, in room: RoomName, _ node: Node) async throws {
    switch command {
    case .transport(let action): _ = try await node.request(Playback.Transport(action), to: .playback(room))
    case .shuffle(let isOn):
      let order = Playback.EditQueue.Edit.order(isOn ? .tracks : .queued, seed: isOn ? .random(in: 0 ... .max) : 0)
      _ = try await node.request(Playback.EditQueue(order), to: .playback(room), within: .seconds(20))
    }
  }

  /// Follows all rooms until the node closes or the task is cancelled; then removes the players and the covers.
  func run() async {
    await folder.clear()
    await withTaskGroup { group in
      group.addTask {
        for await states in await self.node.states(Playback.RoomState.self) {
          // A state may have waited for this actor, so its age is corrected.
          await self.refresh { model in
            let moment = ContinuousClock.now
            model.update(states.map { $0.aged(to: moment) }, at: MonotonicClock.microseconds())
          }
        }
      }
      group.addTask {
        for await states in await self.node.states(Playback.QueueState.self) {
          await self.refresh { $0.update(states) }
        }
      }
      group.addTask {
        for await states in await self.node.states(Library.CatalogueState.self) {
          await self.refresh { $0.update(states) }
        }
      }
      if setup.page != nil {
        group.addTask {
          for await presences in await self.node.presences() { await self.update(presences) }
        }
      }
      await group.waitForAll()
    }
    isEnding = true
    for lookup in lookups.values { lookup.cancel() }
    for lookup in lookups.values { await lookup.value }
    await players.show([:])
    await removal?.value
    await folder.clear()
  }

  /// Returns once this actor is free: the watchdog calls it to check that the actor is not blocked.
  func checkResponsive() {}

  /// Allows the players to open the web page while its service runs on this machine.
  private func update(_ presences: [NodePresence]) async {
    await players.show(
      hasPage: presences.contains { $0.id.role == "web" && $0.id.name == setup.webName && !$0.away })
  }

  /// Applies a change to the model, shows the new state, and starts the lookups that it needs.
  private func refresh(_ change: @Sendable (inout DesktopModel) -> Void = { _ in }) async {
    change(&model)
    if isEnding { return }
    let wanted = model.wanted
    let covers = model.covers.update(wanted: wanted.covers)
    let details = model.details.update(wanted: wanted.tracks)
    for lookup in covers.started { start(lookup.number) { await self.findCover(lookup) } }
    for lookup in details.started { start(-lookup.number) { await self.readDetails(lookup) } }
    // The players must change before the files of covers that they no longer show are removed.
    await players.show(model.snapshots)
    remove(covers.removed)
  }

  private func remove(_ files: [LocalPath]) {
    guard !files.isEmpty else { return }
    removal = Task { [removal, folder] in
      await removal?.value
      for file in files { await folder.remove(file) }
    }
  }

  // MARK: - Lookups

  private func start(_ number: Int, _ lookup: @escaping @Sendable () async -> Void) {
    lookups[number] = Task {
      await lookup()
      self.forget(number)
    }
  }

  private func forget(_ number: Int) { lookups[number] = nil }

  /// Writes a cover to a file. If the library cannot provide it, asks again later, as long as the cover is wanted.
  private func findCover(_ lookup: LookupCache<ArtID, LocalPath>.Lookup) async {
    for delay in [.zero] + setup.retryDelays {
      do {
        if delay > .zero { try await setup.sleep(delay) }
        guard model.covers.isPending(lookup) else { return }
        // 1024 pixels are enough for a lock screen. The original may have any size, and must be extracted from the
        // audio file.
        let request = Library.LocateArt(id: lookup.key, host: setup.host, size: 1024)
        let locator = try await node.request(request, to: .library, within: setup.timeout)
        let bytes = try await folder.read(locator)
        guard model.covers.isPending(lookup) else { return }
        let file = try await folder.write(bytes, for: lookup.key, lookup: lookup.number)
        // The cover may no longer be wanted. If it is wanted again, another lookup writes another file.
        guard model.covers.store(file, for: lookup) else { return remove([file]) }
        return await refresh()
      } catch is CancellationError {
        return
      } catch {
        let error = LunaraError(error)
        log.debug(error.message, ["cover": lookup.key.description, "code": error.code])
      }
    }
    if model.covers.store(nil, for: lookup) { await refresh() }
  }

  /// Asks the library for the details of a track that its queue item does not contain. If the library does not answer,
  /// asks again later.
  private func readDetails(_ lookup: LookupCache<RatedTrack, TrackDetails>.Lookup) async {
    var details: TrackDetails?
    for delay in [.zero] + setup.retryDelays {
      do {
        if delay > .zero { try await setup.sleep(delay) }
        guard model.details.isPending(lookup) else { return }
        let filter = Library.PlayFilter(track: lookup.key.id)
        async let track = node.request(Library.ReadTrack(id: lookup.key.id), to: .library, within: setup.timeout)
        async let plays = node.request(
          Library.CountPlays(filter: filter, by: .track, limit: 1), to: .library, within: setup.timeout)
        let (known, row) = try await (track.track, plays.rows.first)
        details = TrackDetails(
          genres: known.genres, uses: row?.plays ?? 0, lastUsed: row?.lastPlayedAt, rating: known.rating)
        break
      } catch is CancellationError {
        return
      } catch {
        let error = LunaraError(error)
        log.debug(error.message, ["track": lookup.key.id.description, "code": error.code])
        guard error.code.hasPrefix("bus.") else { break }
      }
    }
    if model.details.store(details, for: lookup) { await refresh() }
  }
}

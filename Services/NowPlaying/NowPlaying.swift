import Bus
import Messages
import Model
import ServiceKit

/// Shows on the desktop what plays in each room, and hands the desktop's commands to the rooms.
actor NowPlaying {
  private let node: Node
  private let host: String
  private let log: Log
  private let desktop: Desktop
  private let pauses: [Duration]
  private var household = Household()
  /// The entries whose covers were asked for.
  private var asked: Set<EntryID> = []

  /// Makes the service.
  ///
  /// - Parameters:
  ///   - host: this host's id, by which the library knows whether a file can be read here.
  ///   - busAddress: the session bus; nil for the person's own.
  ///   - coverPauses: how long to wait before each further try to find a cover.
  init(
    node: Node, host: String, log: Log, busAddress: String? = nil,
    coverPauses: [Duration] = [.seconds(2), .seconds(4), .seconds(6)]
  ) {
    self.node = node
    self.host = host
    self.log = log
    pauses = coverPauses
    desktop = Desktop(
      address: busAddress, monotonic: MonotonicClock.microseconds,
      perform: { room, action in _ = try await node.request(Playback.Transport(action), to: .playback(room)) },
      notify: { notice in
        switch notice {
        case .busMissing(let error): log.warning(error)
        case .appeared(let room, let name): log.info("on the session bus", ["room": room.rawValue, "name": name])
        case .commandFailed(let room, let error):
          log.warning(error.message, ["room": room.rawValue, "code": error.code])
        }
      })
  }

  /// Follows all rooms until the node closes or the task is cancelled; then takes the players away.
  func run() async {
    await withTaskGroup { group in
      group.addTask {
        for await states in await self.node.states(Playback.RoomState.self) { await self.observe(states) }
      }
      group.addTask {
        for await states in await self.node.states(Playback.QueueState.self) { await self.observe(states) }
      }
      await group.waitForAll()
    }
    await desktop.show([:])
  }

  private func observe(_ states: [Observed<Playback.RoomState>]) async {
    household.observe(states, at: MonotonicClock.microseconds())
    let wanted = household.wantedCovers
    asked.formIntersection(wanted.keys)
    for (entry, cover) in wanted where asked.insert(entry).inserted {
      Task { await self.find(cover, for: entry) }
    }
    await desktop.show(household.scenes)
  }

  private func observe(_ states: [Observed<Playback.QueueState>]) async {
    household.observe(states)
    await desktop.show(household.scenes)
  }

  /// Asks the library where a cover lies, again after a while where it does not know, as long as the entry plays.
  private func find(_ cover: ArtID, for entry: EntryID) async {
    for pause in [.zero] + pauses {
      do {
        if pause > .zero { try await Task.sleep(for: pause) }
        guard asked.contains(entry) else { return }
        // A URL is of no use here: it may carry a secret, and what the desktop is shown is open to every program.
        // Large enough for a lock screen: the picture as it is may be of any size, and would be taken out of the music.
        let wanted = Library.LocateArt(id: cover, host: host, size: 1024)
        guard case .file(let path) = try await node.request(wanted, to: .library) else { return }
        household.found(cover, at: path.url)
        return await desktop.show(household.scenes)
      } catch is CancellationError {
        return
      } catch {
        let error = LunaraError(error)
        log.debug(error.message, ["cover": cover.description, "code": error.code])
      }
    }
  }
}

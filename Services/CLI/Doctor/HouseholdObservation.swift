import Bus
import Client
import Glibc
import Messages
import Model
import ServiceKit
import System

/// The answers of a household's services that the checks need; empty if no service answers.
struct HouseholdObservation: Sendable {
  var nodes = NodeCheck()
  var sources = SourceCheck()
  var scrobbles = ScrobbleCheck()
  /// The rooms that answer, on all machines, as `lunara status` shows them.
  var rooms: [RoomStatus] = []
  /// True if one of them is on this machine.
  var hasRoomHere = false
  /// The outputs that the rooms on this machine have open, by room.
  var outputs: [String: String] = [:]
  var refused: [String: Int] = [:]
  var hosts: Set<String> = []

  init() {}

  init(of household: Client) async {
    async let status = household.status()
    async let metrics = household.metrics(of: household.nodes())
    let looks = await withTaskGroup(of: (NodeCheck.Node, String?).self) { group in
      for id in household.nodes() where Client.isService(id) {
        group.addTask { await Self.observe(id, in: household) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    nodes.nodes = looks.map(\.0).sorted { $0.name < $1.name }
    hosts = Set(looks.compactMap(\.1))
    let view = await status
    rooms = view.rooms.filter { !$0.isAway }
    let here = rooms.map(\.name).filter { household.pid(of: .playback($0)) != nil }
    hasRoomHere = !here.isEmpty
    for room in here {
      do {
        let output = try await household.state(Playback.OutputState.self, of: .playback(room), within: .seconds(2))
        outputs[room.rawValue] = output?.value.used
      } catch {
        // `NodeCheck` reports a room that does not answer.
      }
    }
    if let catalogue = view.catalogue {
      sources.isKnown = true
      sources.sources = catalogue.sources.map {
        .init(
          name: $0.name, kind: $0.kind, health: $0.health, tracks: $0.tracks, problemCount: $0.problemCount,
          problem: $0.problems.first)
      }
      do { sources.kinds = try await household.ask(Library.ListSources(), of: .library).kinds ?? [] } catch {
        // `NodeCheck` reports a library that does not answer. Without the kinds, remedies are less exact.
      }
      do {
        let problems = try await household.ask(
          Library.ListProblems(only: .folder, limit: 50), of: .library, within: .seconds(5))
        sources.counts = problems.counts
        sources.ofFolders = problems.items.map(\.problem)
      } catch {
        // Without the kinds of problems, those of each source are counted together.
      }
    }
    scrobbles.accounts = view.outbox?.accounts
    scrobbles.failed = view.outbox?.failed ?? 0
    for node in await metrics.nodes {
      let count = node.metrics?.first { $0.name == "lunara_bus_foreign_frames_total" }?.value ?? 0
      if count > 0 { refused[node.id.description] = Int(count) }
    }
  }

  private static func observe(_ id: NodeID, in household: Client) async -> (NodeCheck.Node, String?) {
    let asked = Timestamp.now()
    do {
      let presence = try await household.ask(ReadPresence(), of: id, within: .seconds(2))
      let offset = ClockOffset(askedAt: asked, saidAt: presence.saidAt, heardAt: .now())
      // The clocks differ by at least this time. Nodes of this machine have the same clock.
      let sure = max(0, abs(offset.milliseconds) - offset.uncertainty) / 1000
      let isHere = household.pid(of: id) != nil
      return (
        NodeCheck.Node(
          name: id.description, version: presence.version, skew: isHere ? 0 : offset.milliseconds < 0 ? -sure : sure,
          isAway: presence.away, problem: presence.problem),
        presence.endpoints.flatMap { Network.place($0.requests)?.host }
      )
    } catch {
      // `NodeCheck` reports that the node does not answer.
      return (NodeCheck.Node(name: id.description), nil)
    }
  }
}

extension SoundCheck.Room {
  /// Creates the check of a room; nil if the room reports neither an error nor a notice.
  init?(_ view: RoomStatus) {
    guard let error = view.error ?? view.notice else { return nil }
    self.init(name: view.name.rawValue, error: error, goesOn: view.error == nil)
  }
}

extension SourceCheck {
  /// Returns the folders of `LUNARA_MUSIC`, as this user can read them.
  static func folders(_ settings: Settings) -> [String: Folder] {
    settings.music.reduce(into: [:]) { found, folder in
      let path = String(decoding: folder.bytes, as: UTF8.self)
      do throws(Errno) {
        found[path] = try FolderReader(path).next() == nil ? .empty : Files.allows(X_OK, path) ? .there : .unreadable
      } catch {
        found[path] = error.isMissingFile ? .missing : .unreadable
      }
    }
  }
}

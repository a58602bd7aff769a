public import Bus
public import Messages
public import Model
import Text

/// The access to the household for a program that shows or controls it: requests to services and rooms, and their
/// states.
public struct Client: Sendable {
  /// The program's own node, which sends the requests.
  public let node: Node
  private let isClientOnly: Bool

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - node: the program's node.
  ///   - isClientOnly: true for a client node, such as that of a command, which receives no published messages. It
  ///     waits less for services that are not running.
  public init(node: Node, isClientOnly: Bool = false) {
    self.node = node
    self.isClientOnly = isClientOnly
  }

  /// Returns the nodes that are alive, as far as this program knows.
  public func nodes() -> [NodeID] { node.nodes() }

  /// Returns the process that holds a node's name on this machine; nil if there is none.
  public func pid(of node: NodeID) -> Int32? { NodeLock.holder(self.node.directory.lock(of: node)) }

  /// Returns the rooms that are alive, by name.
  public func rooms() -> [RoomName] {
    nodes().filter { $0.role == "playback" && !$0.isRetired }.compactMap { RoomName($0.name) }.sorted()
  }

  /// Sends a request to a node and returns its answer.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - node: the node.
  ///   - patience: the time limit; nil for the default of this request.
  /// - Throws: the error of the service; `bus.unreachable`, `bus.timeout`, `bus.outcomeUnknown`.
  public func ask<R: Request>(
    _ request: R, of node: NodeID, within patience: Duration? = nil
  ) async throws -> R.Answer {
    try await self.node.request(request, to: node, within: limited(patience ?? Self.patience(for: request), node))
  }

  /// Sends a request to a room and returns its answer.
  ///
  /// - Throws: the error of the room; `bus.unreachable`, `bus.timeout`, `bus.outcomeUnknown`.
  public func ask<R: Request>(_ request: R, in room: RoomName) async throws -> R.Answer {
    try await ask(request, of: .playback(room))
  }

  /// Reads the newest value of a node's state; nil if it has not published it yet.
  ///
  /// - Throws: `bus.unreachable`, `bus.timeout`, `bus.badPayload`.
  public func state<S: State>(
    _ type: S.Type, of node: NodeID, within patience: Duration = .seconds(5)
  ) async throws -> Observed<S>? {
    try await self.node.state(type, of: node, within: limited(patience, node))
  }

  /// Returns the default time limit of a request, which suffices on a slow machine and for a slow server.
  private static func patience(for request: some Request) -> Duration {
    switch request {
    // Some hundred thousand tracks may have to be removed on a busy machine.
    case is Library.RemoveSource, is Library.ImportRatings, is Library.ImportPlays, is Library.UndoImport,
      is Library.UndoListenImport, is Library.ImportGarden:
      .seconds(180)
    case is Router.Play, is Router.Move, is Playback.AddOffline: .seconds(60)
    // The process that talks to providers may have to start.
    case is Scrobble.AddAccount, is Scrobble.BeginSignIn, is Library.LinkProvider, is Library.UnlinkProvider:
      .seconds(40)
    // These may wait for a server or a disk.
    case is Library.Rate, is Library.Pin, is Library.AddSource, is Library.OrderSources, is Library.SwitchSection,
      is Library.BeginSignIn, is Library.LocateArt, is Library.ReadLyrics, is Library.ReadTrackTags,
      is Library.CreatePlaylist, is Library.AddToPlaylist, is Library.ImportToPlaylist,
      is Library.ReadListFile, is Playback.EditQueue, is Scrobble.ImportListens, is Library.ImportListens:
      .seconds(30)
    case is Library.SignOut, is Playback.PlayTestSound, is Scrobble.SignOut, is Scrobble.SwitchAccount,
      is Scrobble.RetryDeliveries, is Scrobble.DropDeliveries:
      .seconds(20)
    default: .seconds(10)
    }
  }

  /// Returns the time limit for a node. A client node waits 200 ms for a node that is known to be away, in case it has
  /// just returned, and at most 5 s, in which a restart ends, for a node that is not running.
  private func limited(_ patience: Duration, _ node: NodeID) -> Duration {
    guard isClientOnly else { return patience }
    if self.node.isMissing(node) { return min(patience, .milliseconds(200)) }
    return pid(of: node) != nil || nodes().contains(node) ? patience : min(patience, .seconds(5))
  }
}

extension Client {
  /// Returns the room of a request, by the rule of `RoomChoice`.
  ///
  /// - Parameters:
  ///   - name: the name that a person gave; nil if they named none.
  ///   - usual: the name of the room to use if none is named and there are several; nil for none.
  /// - Throws: `client.noRoom`, `client.roomNeeded`, `client.roomUnknown`, `client.roomAway`.
  public func room(named name: String?, usual: String? = nil) async throws -> RoomName {
    let choice = RoomChoice(
      live: Set(rooms()), isHouseholdUp: [.library, .router].contains { nodes().contains($0) && !node.isMissing($0) })
    guard !choice.live.isEmpty else { return try choice.room(for: nil) }
    if let name { return try choice.room(for: await roomName(name)) }
    if choice.live.count == 1 { return try choice.room(for: nil) }
    if let usual { return try choice.room(for: RoomName(from: usual)) }
    let here = choice.live.filter { pid(of: .playback($0)) != nil }
    return try RoomChoice(await roomStatuses(), here: here).room(for: nil)
  }

  /// Returns the name of the room that a person calls by a text: its name, or else its title.
  public func roomName(_ text: String) async -> RoomName {
    let name = RoomName(from: text)
    guard !rooms().contains(name) else { return name }
    return await roomStatuses().first { $0.title?.caseFolded == text.caseFolded }?.name ?? name
  }

  /// Tells all services of the household to forget a room that is away. Services that are away themselves or do not
  /// answer learn it from the others when they return.
  ///
  /// - Returns: the services that did not answer.
  /// - Throws: `bus.nodeAlive` if the room is running, `client.roomUnknown` if no service that answered knows it,
  ///   `client.forgetUnheard` if none answered.
  @discardableResult
  public func forget(_ room: RoomName) async throws -> [NodeID] {
    let asked = nodes().filter { $0 != .playback(room) && !node.isMissing($0) }
    let answers = await asked.concurrentMap { node -> Result<Bool, FailedRequest> in
      do {
        return .success(try await ask(ForgetNode(node: .playback(room)), of: node, within: .seconds(5)).wasKnown)
      } catch {
        return .failure(FailedRequest(node: node, error: LunaraError(error)))
      }
    }
    let failures = answers.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
      .sorted { $0.node < $1.node }
    if let running = failures.first(where: { $0.error.code == "bus.nodeAlive" }) { throw running.error }
    let silent = failures.map(\.node.description).joined(separator: ", ")
    if let first = failures.first, failures.count == answers.count {
      throw LunaraError(
        "client.forgetUnheard",
        "\(room) is still listed, as no service answered: \(silent). Look at `lunara status`, then try again.",
        cause: first.error.description)
    }
    guard answers.contains(where: { if case .success(true) = $0 { true } else { false } }) else {
      throw LunaraError(
        "client.roomUnknown",
        "No service \(failures.isEmpty ? "" : "that answered ")knows a room \(room). `lunara rooms` shows the rooms."
          + (failures.isEmpty ? "" : " These did not answer: \(silent)."))
    }
    return failures.map(\.node)
  }

  private struct FailedRequest: Error {
    let node: NodeID
    let error: LunaraError
  }

  /// Returns the status of every room, by name. A room that does not answer within 2 s is away.
  public func roomStatuses() async -> [RoomStatus] {
    let statuses = await rooms().concurrentMap { room in
      if node.hasLeft(.playback(room)) { return RoomStatus(stopped: room) }
      do {
        let state = try await state(Playback.RoomState.self, of: .playback(room), within: .seconds(2))
        return state.map { RoomStatus($0) } ?? RoomStatus(silent: room)
      } catch {
        return RoomStatus(unreachable: room, LunaraError(error))
      }
    }
    return statuses.sorted { $0.name < $1.name }
  }
}

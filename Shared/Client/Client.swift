public import Bus
public import Messages
public import Model

/// The household as seen by a program that shows or controls it: services that answer requests, and rooms.
public struct Client: Sendable {
  /// The program's own node, which the services are asked through.
  public let node: Node
  private let isClientOnly: Bool

  /// Makes a client.
  ///
  /// - Parameters:
  ///   - node: the program's node.
  ///   - isClientOnly: true if the node receives nothing, as a command's. Then it waits less for services that do not
  ///     answer.
  public init(node: Node, isClientOnly: Bool = false) {
    self.node = node
    self.isClientOnly = isClientOnly
  }

  /// The nodes that are alive, as far as this program knows.
  public func nodes() -> [NodeID] { node.nodes() }

  /// Returns the process that holds a node's name on this machine; nil where none does.
  public func pid(of node: NodeID) -> Int32? { NodeLock.holder(self.node.directory.lock(of: node)) }

  /// The rooms that are alive, by name.
  public func rooms() -> [RoomName] {
    nodes().filter { $0.role == "playback" && !$0.isRetired }.compactMap { RoomName($0.name) }.sorted()
  }

  /// Asks a node.
  ///
  /// - Parameter patience: the time to wait for the answer; nil for as long as this request may take.
  /// - Throws: what the service refused; `bus.unreachable`, `bus.timeout`, `bus.outcomeUnknown`.
  public func ask<R: Request>(
    _ request: R, of node: NodeID, within patience: Duration? = nil
  ) async throws -> R.Answer {
    try await self.node.request(request, to: node, within: limited(patience ?? Self.patience(for: request), node))
  }

  /// Asks a room. Throws what the room refused; `bus.unreachable`, `bus.timeout`, `bus.outcomeUnknown`.
  public func ask<R: Request>(_ request: R, in room: RoomName) async throws -> R.Answer {
    try await ask(request, of: .playback(room))
  }

  /// Reads the newest value of a state of a node; nil where it has said none.
  /// Throws `bus.unreachable`, `bus.timeout`, `bus.badPayload`.
  public func state<S: State>(
    _ type: S.Type, of node: NodeID, within patience: Duration = .seconds(5)
  ) async throws -> Observed<S>? {
    try await self.node.state(type, of: node, within: limited(patience, node))
  }

  /// Returns how long a request is waited for: as long as it takes on a slow machine or at a slow server.
  private static func patience(for request: some Request) -> Duration {
    switch request {
    // Some hundred thousand tracks may have to go, on a machine that is busy with other things.
    case is Library.RemoveSource: .seconds(180)
    case is Router.Play, is Router.Move: .seconds(60)
    case is Scrobble.AddAccount, is Scrobble.BeginSignIn: .seconds(40)
    // These may wait for a server or a disk.
    case is Library.Rate, is Library.Pin, is Library.AddSource, is Library.OrderSources, is Library.SwitchSection,
      is Library.BeginSignIn, is Library.LocateArt, is Playback.EditQueue, is Scrobble.ImportListens:
      .seconds(30)
    case is Library.SignOut, is Playback.PlayTestSound, is Scrobble.SignOut, is Scrobble.SwitchAccount,
      is Scrobble.RetryDeliveries, is Scrobble.DropDeliveries:
      .seconds(20)
    default: .seconds(10)
    }
  }

  /// Returns the time to wait for a node. A client node waits 200 ms for one that is known to be away, in case it has
  /// just come back, and at most 5 s, as long as a restart takes, for one that is not running.
  private func limited(_ patience: Duration, _ node: NodeID) -> Duration {
    guard isClientOnly else { return patience }
    if self.node.isMissing(node) { return min(patience, .milliseconds(200)) }
    return pid(of: node) != nil || nodes().contains(node) ? patience : min(patience, .seconds(5))
  }
}

extension Client {
  /// Returns the room that is meant: the one of a name, else the only one, else the usual one, else the one that plays.
  ///
  /// - Parameters:
  ///   - name: what a person said; nil where they named none.
  ///   - usual: the room for where none is named and several are there.
  /// - Throws: `client.noRoom`, `client.roomNeeded`, `client.roomUnknown`.
  public func room(named name: String?, usual: String? = nil) async throws -> RoomName {
    let choice = RoomChoice(live: Set(rooms()))
    guard !choice.live.isEmpty else { return try choice.room(for: nil) }
    if let name { return try choice.room(for: RoomName(from: name)) }
    if choice.live.count == 1 { return try choice.room(for: nil) }
    if let usual { return try choice.room(for: RoomName(from: usual)) }
    return try choice.room(for: nil, playing: await roomStatuses().filter(\.isPlaying).map(\.name))
  }

  /// Returns the status of every room, by name. One that does not answer within 2 s is away.
  public func roomStatuses() async -> [RoomStatus] {
    let statuses = await rooms().concurrentMap { room in
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

import Messages
import Model
import ServiceKit
import Synchronization

@testable import lunara_nowplaying

/// A desktop with rooms that only record their commands.
final class PlayersFixture: Sendable {
  let desktop: MPRISPlayers
  let room: RecordingRoom
  let clock: ManualClock
  let notices: AsyncStream<MPRISPlayers.Event>
  private let snapshots = Mutex<[RoomName: PlayerSnapshot]>([:])

  /// A desktop on a bus of its own.
  static func onABus(
    notified: NotifiedRooms = .none, page: (@Sendable () -> Void)? = nil
  ) async throws -> (PrivateBus, PlayersFixture) {
    let bus = try await PrivateBus.start()
    return (bus, PlayersFixture(bus: bus.address, notified: notified, page: page))
  }

  init(bus address: String, notified: NotifiedRooms = .none, page: (@Sendable () -> Void)? = nil) {
    let room = RecordingRoom()
    let clock = ManualClock()
    let (notices, continuation) = AsyncStream.makeStream(of: MPRISPlayers.Event.self)
    self.room = room
    self.clock = clock
    self.notices = notices
    desktop = MPRISPlayers(
      address: address, retries: RetryPolicy(first: .milliseconds(20), longest: .milliseconds(20)), notified: notified,
      openPage: page, monotonic: { clock.now },
      perform: { try await room.perform($1, in: $0) }, report: { continuation.yield($0) })
  }

  /// Shows a room, and waits until its player is on the bus when it is new.
  @discardableResult
  func show(_ name: String, _ state: Playback.RoomState, current: Int?, of count: Int) async throws -> String? {
    let isNew = snapshots.withLock { $0[RoomName(from: name)] == nil }
    await put(name, state, current: current, of: count)
    return isNew ? await notice { if case .appeared(_, let name) = $0 { name } else { nil } } : nil
  }

  /// Shows a room.
  func put(
    _ name: String, _ state: Playback.RoomState, current: Int?, of count: Int, queue: Playback.QueueState? = nil,
    cover: String? = nil, isComplete: Bool = true
  ) async {
    let queue = queue ?? queueState(current: current, count: count)
    let properties = PlayerProperties(
      state: state, queue: queue, extras: MPRISMetadata.Extras(cover: cover))
    let anchor = PositionAnchor(offset: state.position.offset.microseconds, rate: state.position.rate, at: clock.now)
    var snapshot = PlayerSnapshot(
      properties: properties, anchor: anchor, isComplete: isComplete, item: state.item, cover: cover)
    if case .error(let error) = state.state { snapshot.problem = error }
    let snapshots = snapshots.withLock { [snapshot] in
      $0[RoomName(from: name)] = snapshot
      return $0
    }
    await desktop.show(snapshots)
  }

  /// Removes a room.
  func hide(_ name: String) async {
    await desktop.show(
      snapshots.withLock {
        $0[RoomName(from: name)] = nil
        return $0
      })
  }

  /// Waits for a message of one kind.
  func notice<Found>(_ find: (MPRISPlayers.Event) -> Found?) async -> Found? {
    for await notice in notices { if let found = find(notice) { return found } }
    return nil
  }
}

/// A monotonic clock that moves only when a test advances it.
final class ManualClock: Sendable {
  private let microseconds = Mutex<Int64>(1_000_000_000)

  var now: Int64 { microseconds.withLock(\.self) }

  func advance(by length: Milliseconds) { microseconds.withLock { $0 += length.microseconds } }
}

/// Records the commands of the rooms; can refuse them or hold them back.
actor RecordingRoom {
  private(set) var actions: [Playback.Transport.Action] = []
  /// The shuffle commands that the rooms got.
  private(set) var shuffles: [Bool] = []
  private(set) var rooms: Set<RoomName> = []
  private var refusal: LunaraError?
  private var isHeld = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func perform(_ command: RoomCommand, in room: RoomName) async throws {
    switch command {
    case .transport(let action): actions.append(action)
    case .shuffle(let isShuffled): shuffles.append(isShuffled)
    }
    rooms.insert(room)
    if isHeld { await withCheckedContinuation { waiting.append($0) } }
    if let refusal { throw refusal }
  }

  func refuse(with error: LunaraError) { refusal = error }
  func hold() { isHeld = true }

  func release() {
    isHeld = false
    for continuation in waiting { continuation.resume() }
    waiting = []
  }
}

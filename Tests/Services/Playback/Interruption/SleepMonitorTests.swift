import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

/// A monitor with the logind of dbusmock, and a room that only records what is done to it.
@Suite(.timeLimit(.minutes(3)))
struct SleepMonitorTests {
  @Test func aRoomWithoutSoundHoldsNothing() async throws {
    let mock = try await MockLogind.start()
    let room = WatchedRoom(mock.address)
    await room.begin()
    for state in [PlaybackState.idle, .paused, .error(LunaraError("playback.noOutput", "A test."))] {
      await room.monitor.watch(.kitchen(state))
    }
    #expect(await !room.monitor.isConnected)
    #expect(try await mock.locks().isEmpty)
    await room.monitor.stop()
    mock.end()
  }

  @Test func whileThereIsSoundTheHostIsNotIdleAndItsSleepWaits() async throws {
    let mock = try await MockLogind.start()
    let room = WatchedRoom(mock.address)
    await room.begin()
    await room.monitor.watch(.kitchen(.buffering))
    try await mock.hold("idle block", "sleep delay")
    await room.monitor.watch(.kitchen(.playing))
    #expect(try await mock.locks() == ["idle block", "sleep delay"])
    await room.monitor.watch(.kitchen(.paused))
    try await mock.hold()
    await room.monitor.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    // A room that is about to retry can be paused for the sleep, but makes no sound that would keep the host from being
    // idle.
    await room.monitor.watch(.kitchen(.error(LunaraError("playback.noSound", "A test.")), retriesAt: .now()))
    try await mock.hold("sleep delay")
    await room.monitor.stop()
    try await mock.hold()
    mock.end()
  }

  @Test func theHostSleepsOnceTheRoomIsQuiet() async throws {
    let mock = try await MockLogind.start()
    let room = WatchedRoom(mock.address)
    await room.begin()
    await room.monitor.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    room.isSlow.withLock { $0 = true }
    try await mock.prepareForSleep(true)
    await room.expectCall("interrupt")
    // The room is paused, and has not stored its position yet.
    await room.monitor.watch(.kitchen(.paused, interruption: "sleep"))
    try await mock.hold("sleep delay")
    room.isSlow.withLock { $0 = false }
    try await mock.hold()
    #expect(room.calls.last == "interrupt")
    try await mock.prepareForSleep(false)
    await room.expectCall("resume")
    try await mock.hold("sleep delay")
    await room.monitor.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    await room.monitor.stop()
    mock.end()
  }

  @Test func aBusThatComesBackIsFoundAndSaysThatTheHostIsAwake() async throws {
    let folder = TemporaryDirectory()
    let mock = try await MockLogind.start(in: folder)
    let room = WatchedRoom(mock.address)
    await room.begin()
    await room.monitor.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    try await mock.prepareForSleep(true)
    await room.expectCall("interrupt")
    await room.monitor.watch(.kitchen(.paused, interruption: "sleep"))
    room.forget()
    mock.end()
    let next = try await MockLogind.start(in: folder)
    await room.expectCall("resume")
    await room.monitor.watch(.kitchen(.playing))
    try await next.hold("idle block", "sleep delay")
    await room.monitor.stop()
    next.end()
  }

  @Test func withoutLogindTheRoomIsLeftAloneAndItIsLookedForAgain() async throws {
    let folder = TemporaryDirectory()
    let room = WatchedRoom("unix:path=\(folder.path)/system")
    await room.begin()
    await room.monitor.watch(.kitchen(.playing))
    let mock = try await MockLogind.start(in: folder)
    try await mock.hold("idle block", "sleep delay")
    #expect(!room.calls.contains("interrupt"))
    await room.monitor.stop()
    mock.end()
  }

  @Test func aWhileAfterTheSoundTheConnectionEnds() async throws {
    let mock = try await MockLogind.start()
    let room = WatchedRoom(mock.address, linger: .milliseconds(50))
    await room.begin()
    await room.monitor.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    await room.monitor.watch(.kitchen(.paused))
    #expect(await eventually { await !room.monitor.isConnected })
    await room.monitor.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    await room.monitor.stop()
    mock.end()
  }
}

/// A monitor, and the calls that it makes to its room.
private final class WatchedRoom: Sendable {
  let monitor: SleepMonitor
  /// True if pausing the room takes a while.
  let isSlow = Mutex(false)
  private let done = Mutex<[String]>([])

  init(_ address: String, linger: Duration = .seconds(60)) {
    let soon = Duration.milliseconds(20)
    monitor = SleepMonitor(
      room: .kitchen, busAddress: address,
      delays: SleepMonitor.Delays(afterLoss: [soon], withoutLogind: soon, linger: linger), log: .quiet)
  }

  func begin() async {
    await monitor.start(
      RoomInterrupter(
        interrupt: { [self] in
          record("interrupt")
          while isSlow.withLock({ $0 }) {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
          }
        }, resume: { [self] in record("resume") }))
  }

  /// The calls that the room received, in order.
  var calls: [String] { done.withLock { $0 } }

  func forget() { done.withLock { $0 = [] } }

  func expectCall(_ call: String) async {
    #expect(await eventually(equals: call) { self.calls.last })
  }

  private func record(_ call: String) { done.withLock { $0.append(call) } }
}

extension MockLogind {
  /// Waits until exactly these locks are held.
  fileprivate func hold(_ wanted: String...) async throws {
    var held: [String] = []
    let isHeld = try await eventually {
      held = try await locks()
      return held == wanted
    }
    #expect(isHeld, "held: \(held)")
  }
}

extension Playback.RoomState {
  fileprivate static func kitchen(
    _ state: PlaybackState, retriesAt: Timestamp? = nil, interruption: String? = nil
  ) -> Self {
    Playback.RoomState(
      room: .kitchen, state: state, item: nil, position: Position(offset: .zero, rate: 0, takenAt: .now()),
      duration: nil, volume: 100, queueRevision: 1, retriesAt: retriesAt, interruption: interruption)
  }
}

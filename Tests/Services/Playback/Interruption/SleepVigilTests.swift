import Messages
import Model
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import lunara_playback

/// A vigil with the logind of dbusmock, and a room that only takes note of what is done to it.
@Suite(.timeLimit(.minutes(3)))
struct SleepVigilTests {
  @Test func aRoomWithoutSoundHoldsNothing() async throws {
    let mock = try await MockLogind.start()
    let room = WatchedRoom(mock.address)
    await room.begin()
    for state in [PlaybackState.idle, .paused, .error(LunaraError("playback.noOutput", "A test."))] {
      await room.vigil.watch(.kitchen(state))
    }
    #expect(await !room.vigil.isConnected)
    #expect(try await mock.locks().isEmpty)
    await room.vigil.stop()
    mock.end()
  }

  @Test func whileThereIsSoundTheHostIsNotIdleAndItsSleepWaits() async throws {
    let mock = try await MockLogind.start()
    let room = WatchedRoom(mock.address)
    await room.begin()
    await room.vigil.watch(.kitchen(.buffering))
    try await mock.hold("idle block", "sleep delay")
    await room.vigil.watch(.kitchen(.playing))
    #expect(try await mock.locks() == ["idle block", "sleep delay"])
    await room.vigil.watch(.kitchen(.paused))
    try await mock.hold()
    await room.vigil.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    // A room that tries again by itself has something to pause, but nobody hears it.
    await room.vigil.watch(.kitchen(.error(LunaraError("playback.noSound", "A test.")), retriesAt: .now()))
    try await mock.hold("sleep delay")
    await room.vigil.stop()
    try await mock.hold()
    mock.end()
  }

  @Test func theHostSleepsOnceTheRoomIsQuiet() async throws {
    let mock = try await MockLogind.start()
    let room = WatchedRoom(mock.address)
    await room.begin()
    await room.vigil.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    room.isSlow.withLock { $0 = true }
    try await mock.prepareForSleep(true)
    await room.did("interrupt")
    // The room is paused, and has not stored yet where it is.
    await room.vigil.watch(.kitchen(.paused, interruption: "sleep"))
    try await mock.hold("sleep delay")
    room.isSlow.withLock { $0 = false }
    try await mock.hold()
    #expect(room.deeds.last == "interrupt")
    try await mock.prepareForSleep(false)
    await room.did("resume")
    try await mock.hold("sleep delay")
    await room.vigil.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    await room.vigil.stop()
    mock.end()
  }

  @Test func aBusThatComesBackIsFoundAndSaysThatTheHostIsAwake() async throws {
    let folder = TemporaryDirectory()
    let mock = try await MockLogind.start(in: folder)
    let room = WatchedRoom(mock.address)
    await room.begin()
    await room.vigil.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    try await mock.prepareForSleep(true)
    await room.did("interrupt")
    await room.vigil.watch(.kitchen(.paused, interruption: "sleep"))
    room.forget()
    mock.end()
    let next = try await MockLogind.start(in: folder)
    await room.did("resume")
    await room.vigil.watch(.kitchen(.playing))
    try await next.hold("idle block", "sleep delay")
    await room.vigil.stop()
    next.end()
  }

  @Test func withoutLogindTheRoomIsLeftAloneAndItIsLookedForAgain() async throws {
    let folder = TemporaryDirectory()
    let room = WatchedRoom("unix:path=\(folder.path)/system")
    await room.begin()
    await room.vigil.watch(.kitchen(.playing))
    let mock = try await MockLogind.start(in: folder)
    try await mock.hold("idle block", "sleep delay")
    #expect(!room.deeds.contains("interrupt"))
    await room.vigil.stop()
    mock.end()
  }

  @Test func aWhileAfterTheSoundTheConnectionEnds() async throws {
    let mock = try await MockLogind.start()
    let room = WatchedRoom(mock.address, linger: .milliseconds(50))
    await room.begin()
    await room.vigil.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    await room.vigil.watch(.kitchen(.paused))
    #expect(await eventually(within: .seconds(40)) { await !room.vigil.isConnected })
    await room.vigil.watch(.kitchen(.playing))
    try await mock.hold("idle block", "sleep delay")
    await room.vigil.stop()
    mock.end()
  }
}

/// A vigil, and what it does to its room.
private final class WatchedRoom: Sendable {
  let vigil: SleepMonitor
  /// Whether the room takes its time to be quiet.
  let isSlow = Mutex(false)
  private let done = Mutex<[String]>([])

  init(_ address: String, linger: Duration = .seconds(60)) {
    let soon = Duration.milliseconds(20)
    vigil = SleepMonitor(
      room: .kitchen, busAddress: address,
      pace: SleepMonitor.Pace(afterLoss: [soon], withoutLogind: soon, linger: linger), log: .quiet)
  }

  func begin() async {
    await vigil.begin(
      RoomInterrupter(
        interrupt: { [self] in
          note("interrupt")
          while isSlow.withLock({ $0 }) {
            do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
          }
        }, resume: { [self] in note("resume") }))
  }

  /// What was done to the room; that a host that has not slept is awake changes nothing.
  var deeds: [String] { done.withLock { $0 } }

  func forget() { done.withLock { $0 = [] } }

  func did(_ deed: String) async {
    #expect(await eventually(within: .seconds(40)) { self.deeds.last == deed })
  }

  private func note(_ deed: String) { done.withLock { $0.append(deed) } }
}

extension MockLogind {
  /// Waits until these locks are held, and no others.
  fileprivate func hold(_ wanted: String...) async throws {
    var held: [String] = []
    let isHeld = try await eventually(within: .seconds(40)) {
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

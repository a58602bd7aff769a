import Bus
import Messages
import Model
import Programs

/// Controls a room of a running household. Measures the time from before a request is sent until a node that subscribes
/// to the room's state receives the state that shows its effect.
///
///     lunara-bus-bench steer run=FOLDER node=bench@steer room=ROOM album=ID count=300 pause=120
///
/// `shown` is the first state that shows the command's effect, `sounds` the first one in which sound flows after it.
struct ControlBench {
  let options: Options

  func run() async throws {
    let node = try await Start.node(options, journal: nil)
    let room = RoomName(from: try options.text("room"))
    guard let album = PlayableID(try options.text("album")) else {
      throw LunaraError("bench.badAlbum", "album=… is no id.")
    }
    let pause = options.number("pause", else: 120)
    var watcher = EffectWatcher(states: await node.states(Playback.RoomState.self).makeAsyncIterator(), room: room)
    var times: [String: [Int64]] = [:]
    // The first three rounds establish the connection and are not measured.
    for turn in -3..<options.number("count", else: 300) {
      for step in Step.allCases {
        // Waits until the room has prepared, published and stored what follows a command, so that it does not delay the
        // next.
        try await Task.sleep(for: .milliseconds(pause + .random(in: 0..<40)))
        let seen = try await perform(step, of: album, in: room, through: node, watcher: &watcher)
        guard turn >= 0 else { continue }
        times["\(step) shown", default: []].append(seen.shown)
        if let sounds = seen.sounds { times["\(step) sounds", default: []].append(sounds) }
      }
    }
    let parts = times.sorted { $0.key < $1.key }.map { name, values in
      let sorted = values.sorted()
      func part(_ share: Double) -> Double { Double(sorted[Int(Double(sorted.count - 1) * share)]) / 1e6 }
      return #""\#(name)":{"p50":\#(part(0.5)),"p99":\#(part(0.99)),"most":\#(part(1)),"count":\#(sorted.count)}"#
    }
    say("{\(parts.joined(separator: ","))}")
    await node.close()
  }

  /// The commands that each round sends.
  enum Step: CaseIterable { case play, next, pause, resume }

  /// Times in nanoseconds from the request to the states that show its effect.
  struct Delay {
    var shown: Int64
    var sounds: Int64?
  }

  private func perform(
    _ step: Step, of album: PlayableID, in room: RoomName, through node: Node, watcher: inout EffectWatcher
  ) async throws -> Delay {
    let before = watcher.last?.item?.entry
    let began = monotonicNanoseconds()
    let request = Task {
      switch step {
      case .play: _ = try await node.request(Router.Play(ids: [album], room: room), to: .router)
      case .next: _ = try await node.request(Playback.Transport(.next), to: .playback(room))
      case .pause: _ = try await node.request(Playback.Transport(.pause), to: .playback(room))
      case .resume: _ = try await node.request(Playback.Transport(.resume), to: .playback(room))
      }
    }
    var delay = Delay(
      shown: try await watcher.see { state in
        switch step {
        case .play, .next: state.item.map { $0.entry != before } ?? false
        case .pause: state.state == .paused
        case .resume: state.state == .playing
        }
      } - began)
    if step != .pause {
      delay.sounds = try await watcher.see { $0.state == .playing && $0.position.rate > 0 } - began
    }
    try await request.value
    return delay
  }
}

/// Receives the states of a room.
private struct EffectWatcher {
  var states: AsyncStream<[Observed<Playback.RoomState>]>.Iterator
  let room: RoomName
  /// The newest state of the room.
  private(set) var last: Playback.RoomState?

  init(states: AsyncStream<[Observed<Playback.RoomState>]>.Iterator, room: RoomName) {
    self.states = states
    self.room = room
  }

  /// Returns the time (`monotonicNanoseconds`) at which a matching state arrives; now where the newest one matches.
  mutating func see(_ isSo: (Playback.RoomState) -> Bool) async throws -> Int64 {
    if let last, isSo(last) { return monotonicNanoseconds() }
    while let snapshot = await states.next() {
      let now = monotonicNanoseconds()
      guard let state = snapshot.first(where: { $0.value.room == room })?.value else { continue }
      last = state
      if case .error(let error) = state.state { throw error }
      if isSo(state) { return now }
    }
    throw LunaraError("bench.notSeen", "The room \(room) no longer says what it does.")
  }
}

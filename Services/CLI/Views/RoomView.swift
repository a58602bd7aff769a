import Bus
import Messages
import Model

/// A room with what it plays.
struct RoomView: Sendable {
  /// Its name.
  var name: String
  /// What people call it; nil where that is its name.
  var title: String?
  /// `idle`, `buffering`, `playing`, `paused` or `error`.
  var state = "idle"
  /// What is wrong, in state `error`.
  var error: LunaraError?
  /// Whether its node does not answer.
  var away = false
  /// What it plays.
  var track: Track?
  /// The audible position.
  var position = Milliseconds.zero
  /// The length of what it plays.
  var duration = Milliseconds.zero
  /// In percent; nil where it is not known.
  var volume: Int?
  /// What it does by itself; nil where it is not known.
  var modes: Playback.Modes?
  /// What is not as it should be though it goes on.
  var notice: LunaraError?
  /// When it tries again by itself, by its own clock, and how long that is from now.
  var retry: (at: Timestamp, left: Milliseconds)?
  /// How long until it falls asleep.
  var sleepsIn: Milliseconds?
  /// Why it paused itself: `sleep` or `output`.
  var interruption: String?

  /// A room that has said nothing about itself yet.
  init(silent room: RoomName) { name = room.rawValue }

  /// A room that does not answer.
  init(away room: RoomName, _ error: LunaraError) {
    name = room.rawValue
    state = "error"
    self.error = error
    away = true
  }

  /// A room as it said itself, its position moved on by what has passed since.
  init(_ observed: Observed<Playback.RoomState>) {
    let value = observed.value
    self.init(
      value, age: observed.age + (observed.saidAt - value.position.takenAt),
      now: observed.saidAt - (.zero - observed.age))
    away = observed.away
  }

  /// A room whose position was taken so long ago; `now` is by its clock.
  init(_ value: Playback.RoomState, age: Milliseconds, now: Timestamp) {
    name = value.room.rawValue
    title = value.title
    // A state of a newer version is shown as the nearest one that readers know.
    if case .unknown = value.state { state = "buffering" } else { state = value.state.name }
    if case .error(let error) = value.state { self.error = error }
    track = value.item?.track
    duration = value.duration ?? value.item?.track.duration ?? .zero
    position = value.position.after(max(age, .zero), upTo: duration)
    volume = value.volume
    (modes, notice, interruption) = (value.modes, value.notice, value.interruption)
    retry = value.retriesAt.map { ($0, max($0 - now, .zero)) }
    sleepsIn = value.modes?.sleepsAt.map { max($0 - now, .zero) }
  }

  /// Whether sound is to be heard.
  var isPlaying: Bool { state == "playing" || state == "buffering" }

  /// The shape of `rooms`.
  var json: JSON {
    let json = JSON.object([
      "name": .text(name), "state": .text(state), "away": .bool(away), "track": track?.json ?? .null,
      "positionSeconds": .seconds(position), "durationSeconds": .seconds(duration), "volume": .count(volume),
      "modes": modes?.json ?? .null, "notice": notice?.plainJSON ?? .null, "retriesAt": .text(retry?.at),
      "interruption": .text(interruption), "title": .text(title),
    ])
    guard let error else { return json }
    return json.with("message", .text(error.message)).with("code", .text(error.code))
  }

  /// The row of a table.
  func add(to table: inout Table) {
    let look: Style.Look =
      switch state {
      case "playing": .good
      case "error": .bad
      case "buffering": .notable
      default: .faint
      }
    table.add(
      .strong(title.map { "\($0) (\(name))" } ?? name), Table.Cell(state, look),
      Table.Cell(track?.title ?? error?.message ?? ""),
      Table.Cell(track?.artist ?? ""), .faint(track == nil ? "" : "\(position) / \(duration)"),
      .faint(volume.map { "volume \($0)" } ?? ""), .faint(remarks.joined(separator: "; ")))
  }

  /// What else there is to say of it, in words.
  var remarks: [String] {
    var remarks: [String] = []
    // Without a track the message stands in its place.
    if let error, track != nil { remarks.append(error.message) }
    if let retry { remarks.append("tries again in \((retry.left + Milliseconds(999)).spoken)") }
    if let notice { remarks.append(notice.message) }
    switch interruption {
    case "sleep": remarks.append("paused as the machine went to sleep")
    case "output": remarks.append("paused as its output went away")
    default: break
    }
    if let modes { remarks += modes.remarks }
    if let sleepsIn { remarks.append("sleeps in \(sleepsIn.roundedToMinutes.spoken)") }
    return remarks
  }
}

extension Playback.Modes {
  /// What `rooms` says of them.
  var json: JSON {
    .object([
      "repeat": .text(repeats.rawValue), "order": .text(order.rawValue), "stopsAfterCurrent": .bool(stopsAfterCurrent),
      "sleepsAt": .text(sleepsAt), "muted": .bool(isMuted), "maxVolume": .count(maximumVolume),
    ])
  }

  /// What differs from how a room usually is.
  fileprivate var remarks: [String] {
    var remarks: [String] = []
    if isMuted { remarks.append("muted") }
    if maximumVolume < 100 { remarks.append("at most \(maximumVolume)") }
    switch order {
    case .tracks: remarks.append("tracks mixed")
    case .albums: remarks.append("albums mixed")
    case .queued, .unknown: break
    }
    switch repeats {
    case .one: remarks.append("repeats this one")
    case .all: remarks.append("repeats all")
    case .off, .unknown: break
    }
    if stopsAfterCurrent { remarks.append("stops after this one") }
    return remarks
  }
}

import Bus
import Messages
import Model

/// A room with what it plays.
struct RoomView: Sendable, Equatable {
  /// Its name.
  var name: String
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
    self.init(value, age: observed.age + (observed.saidAt - value.position.takenAt))
    away = observed.away
  }

  /// A room whose position was taken so long ago.
  init(_ value: Playback.RoomState, age: Milliseconds) {
    name = value.room.rawValue
    // A state of a newer version is shown as the nearest one that readers know.
    if case .unknown = value.state { state = "buffering" } else { state = value.state.name }
    if case .error(let error) = value.state { self.error = error }
    track = value.item?.track
    duration = value.duration ?? value.item?.track.duration ?? .zero
    position = value.position.after(max(age, .zero), upTo: duration)
    volume = value.volume
  }

  /// Whether sound is to be heard.
  var isPlaying: Bool { state == "playing" || state == "buffering" }

  /// The shape of `rooms`.
  var json: JSON {
    let json = JSON.object([
      "name": .text(name), "state": .text(state), "away": .bool(away), "track": track?.json ?? .null,
      "positionSeconds": .seconds(position), "durationSeconds": .seconds(duration), "volume": .count(volume),
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
      .strong(name), Table.Cell(state, look), Table.Cell(track?.title ?? error?.message ?? ""),
      Table.Cell(track?.artist ?? ""), .faint(track == nil ? "" : "\(position) / \(duration)"),
      .faint(volume.map { "volume \($0)" } ?? ""))
  }
}

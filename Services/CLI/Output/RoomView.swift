import Client
import Messages
import Model

extension RoomStatus {
  /// Prints it as JSON for programs, or as one row for people.
  func print(to console: Console) {
    if console.isJSON { return console.print(json) }
    var table = Table()
    add(to: &table)
    console.print(table)
  }

  /// Adds a row to a table.
  func add(to table: inout Table) {
    let look: Style.Look =
      switch state {
      case "playing": .good
      case "error": .bad
      case "buffering": .notable
      default: .faint
      }
    table.add(
      .strong(title.map { "\($0) (\(name))" } ?? name.rawValue), Table.Cell(state, look),
      Table.Cell(track?.title ?? error?.message ?? ""), Table.Cell(track?.artist ?? ""),
      .faint(track == nil ? "" : "\(position) / \(duration ?? .zero)"),
      .faint(volume.map { "volume \($0)" } ?? ""), .faint(remarks.joined(separator: "; ")))
  }

  /// Remarks for people: what is wrong, and what the room does by itself.
  var remarks: [String] {
    var remarks: [String] = []
    // Without a track the message stands in its place.
    if let error, track != nil { remarks.append(error.message) }
    if let retriesIn { remarks.append("tries again in \((retriesIn + Milliseconds(999)).spoken)") }
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
  /// Remarks for people on what differs from how a room usually is.
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

extension RoomQueue {
  /// A table with a row for each item, the current one marked.
  var table: Table {
    var table = Table()
    for (index, item) in items.enumerated() {
      let isCurrent = first + index == current
      table.add(
        Table.Cell(isCurrent ? "▶" : "", .good), .number("\(first + index + 1)"),
        Table.Cell(item.track.title, isCurrent ? .strong : .plain), Table.Cell(item.track.artist),
        .faint(item.track.album),
        .faint(isCurrent ? "\(position ?? .zero) / \(item.track.duration)" : item.track.duration.description))
    }
    return table
  }

  /// Returns the index that a place or an entry id stands for.
  ///
  /// - Throws: `cli.noSuchPlace`, or a `UsageError` for what is neither.
  func index(of word: String) throws -> Int {
    if let index = items.firstIndex(where: { $0.entry.rawValue == word }) { return index }
    guard let place = Int(word) else {
      guard word.utf8.count >= 20 else { throw UsageError("N is a place from 1 or an entry id, not “\(word)”.") }
      throw LunaraError("cli.noSuchPlace", "The entry \(word) is not in the queue of \(room) any more.")
    }
    guard items.indices.contains(place - 1) else { throw Self.noPlace(place, of: items.count, in: room) }
    return place - 1
  }

  /// Returns the error for a place that a queue does not have.
  static func noPlace(_ place: Int, of count: Int, in room: RoomName) -> LunaraError {
    LunaraError(
      "cli.noSuchPlace",
      count == 0
        ? "The queue of \(room) is empty." : "The queue of \(room) has the places 1 to \(count), not \(place).")
  }
}

extension Playback.PlayedItem {
  /// Adds a row to a table.
  func add(to table: inout Table) {
    let end =
      switch reason {
      case .skipped: "skipped"
      case .failed: "could not be played"
      case .finished, .unknown: ""
      }
    table.add(
      .faint(startedAt.local), .strong(item.track.title), Table.Cell(item.track.artist), .faint(item.track.album),
      .number("\(heard)"), .faint(end))
  }
}

import Client
import Messages
import Model

extension RoomStatus: TableRow {
  func print(to console: Console) {
    if console.isJSON { return console.print(json) }
    console.print(Table([row]))
  }

  var row: [Table.Cell] {
    let look: Style.Look =
      switch state {
      case "playing": .good
      case "error": .bad
      case "buffering": .notable
      default: .faint
      }
    return [
      .strong(title.map { "\($0) (\(name))" } ?? name.rawValue), .init(state, look),
      .init(track?.title ?? error?.message ?? ""), .init(track?.artist ?? ""),
      .faint(track == nil ? "" : position.of(duration ?? .zero)),
      .faint(volume.map { "volume \($0)" } ?? ""), .faint(remarks.joined(separator: "; ")),
    ]
  }

  var remarks: [String] {
    var remarks: [String] = []
    if isAway, error == nil { remarks.append("stopped; `lunara rooms forget \(name)` removes it from this list") }
    // Without a track the message is shown in the track's column.
    if let error, track != nil { remarks.append(error.message) }
    if let retriesIn { remarks.append("tries again in \((retriesIn + Milliseconds(999)).text)") }
    if let plugin { remarks.append(isPreview ? "Preview, from \(plugin)" : "from \(plugin)") }
    if let notice { remarks.append(notice.message) }
    if interruption == "sleep" { remarks.append("paused as the machine went to sleep") }
    if interruption == "output" { remarks.append("paused as its output went away") }
    if let modes { remarks += modes.remarks }
    if let sleepsIn { remarks.append("sleeps in \(sleepsIn.roundedToMinutes.text)") }
    return remarks
  }
}

extension Playback.Modes {
  /// The remarks for people on modes that differ from the defaults.
  fileprivate var remarks: [String] {
    var remarks: [String] = []
    if isMuted { remarks.append("muted") }
    if maximumVolume < 100 { remarks.append("at most \(maximumVolume)") }
    if let order = [.tracks: "tracks mixed", .albums: "albums mixed"][order] { remarks.append(order) }
    if let repeats = [.one: "repeats this one", .all: "repeats all"][repeats] { remarks.append(repeats) }
    if stopsAfterCurrent { remarks.append("stops after this one") }
    if stopsAfterAlbum == true { remarks.append("stops after this album") }
    return remarks
  }
}

extension RoomQueue {
  var table: Table {
    Table(
      items.enumerated().map { index, item in
        let isCurrent = first + index == current
        return [
          .init(isCurrent ? "▶" : "", .good), .number(first + index + 1),
          .init(item.track.title, isCurrent ? .strong : .plain), .init(item.track.artist), .faint(item.track.album),
          .faint(isCurrent ? (position ?? .zero).of(item.track.duration) : item.track.duration.ofTrack),
        ]
      })
  }

  /// Returns the index of a place, counted from 1, or of an entry id.
  ///
  /// - Throws: `cli.noSuchPlace`; a `UsageError` for a word that is neither a place nor an entry id.
  func index(of word: String) throws -> Int {
    if let index = items.firstIndex(where: { $0.entry.rawValue == word }) { return index }
    guard let place = Int(word) else {
      guard word.utf8.count >= 20 else { throw UsageError("N is a place from 1 or an entry id, not “\(word)”.") }
      throw LunaraError("cli.noSuchPlace", "The entry \(word) is not in the queue of \(room) any more.")
    }
    guard items.indices.contains(place - 1) else { throw Self.noPlace(place, of: items.count, in: room) }
    return place - 1
  }

  static func noPlace(_ place: Int, of count: Int, in room: RoomName) -> LunaraError {
    LunaraError(
      "cli.noSuchPlace",
      count == 0
        ? "The queue of \(room) is empty." : "The queue of \(room) has the places 1 to \(count), not \(place).")
  }
}

extension Playback.PlayedItem: TableRow {
  var row: [Table.Cell] {
    let end =
      switch reason {
      case .skipped: isSkipped ? "skipped" : ""
      case .failed: "could not be played"
      case .finished, .unknown: ""
      }
    return [
      .faint(startedAt.local), .strong(item.track.title), .init(item.track.artist), .faint(item.track.album),
      .number("\(heard)"), .faint(end),
    ]
  }
}

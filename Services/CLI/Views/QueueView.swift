import Messages
import Model

/// A room's whole queue.
struct QueueView: Sendable, Equatable {
  /// The room.
  var room: RoomName
  /// The index of the current item, from 0; nil where none is.
  var current: Int?
  /// All items.
  var items: [QueueItem]
  /// The position in the current item.
  var position: Milliseconds
  /// What the room does by itself; nil where it is not known.
  var modes: Playback.Modes?
  /// Whether more albums follow after the last item.
  var continues = false

  /// The shape of `queue`. `place` is the number that `queue remove` and `queue move` take.
  var json: JSON {
    .object([
      "room": .text(room), "current": .count(current),
      "items": .list(Array(items.enumerated())) { index, item in
        .object([
          "entry": .text(item.entry), "place": .count(index + 1), "id": .text(item.track.id),
          "title": .text(item.track.title), "artist": .text(item.track.artist), "album": .text(item.track.album),
          "albumID": .text(item.track.albumID), "durationSeconds": .seconds(item.track.duration),
        ])
      }, "positionSeconds": .seconds(position), "order": .text(modes?.order.rawValue),
      "repeat": .text(modes?.repeats.rawValue), "continues": .bool(continues),
    ])
  }

  /// A row an item, the current one marked.
  var table: Table {
    var table = Table()
    for (index, item) in items.enumerated() {
      let isCurrent = index == current
      table.add(
        Table.Cell(isCurrent ? "▶" : "", .good), .number("\(index + 1)"),
        Table.Cell(item.track.title, isCurrent ? .strong : .plain), Table.Cell(item.track.artist),
        .faint(item.track.album),
        .faint(isCurrent ? "\(position) / \(item.track.duration)" : item.track.duration.description))
    }
    return table
  }
}

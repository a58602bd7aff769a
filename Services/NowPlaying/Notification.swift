import Model
import Text

/// A notification of the desktop (Desktop Notifications Specification 1.2).
struct DesktopNotification: Hashable, Sendable {
  var room: RoomName
  var title: String
  /// The body as markup, in which `&`, `<` and `>` are written as entities.
  var body: String
  /// The `file:` URL of a picture.
  var image: String?
  var isProblem = false

  init(_ item: QueueItem, in room: RoomName, cover: String?) {
    self.room = room
    title = item.track.title.withoutUnsafeScalars.dbusText
    let parts = [item.track.artist, item.track.album].filter { !$0.isEmpty }
    body = Self.escaped(parts.joined(separator: " – "))
    image = cover
  }

  init(_ problem: LunaraError, in room: RoomName) {
    self.room = room
    title = PlayerName.identity(of: room)
    body = Self.escaped(problem.message)
    isProblem = true
  }

  /// Returns text as markup. A markup character with a combining mark is one `Character` with it, but not for the
  /// desktop's parser, so the scalars are looked at one by one.
  private static func escaped(_ text: String) -> String {
    text.withoutUnsafeScalars.dbusText.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

/// The rooms whose new tracks and errors are shown as notifications.
enum NotifiedRooms: Hashable, Sendable {
  case none
  case all
  case only(Set<RoomName>)

  /// Reads the setting `LUNARA_NOTIFY`: on, off, or names of rooms, separated by commas.
  init(_ text: String?) {
    switch (text ?? "").lowercased() {
    case "", "0", "false", "no", "off": self = .none
    case "1", "true", "yes", "on", "all": self = .all
    case let names: self = .only(Set(names.split(separator: ",").map { RoomName(from: String($0)) }))
    }
  }

  func contains(_ room: RoomName) -> Bool {
    switch self {
    case .none: false
    case .all: true
    case .only(let rooms): rooms.contains(room)
    }
  }
}

/// Decides which notifications are due: one for each track that starts to play, and one for each error that stops a
/// room. Times are in microseconds of a monotonic clock.
struct NotificationPolicy {
  /// The longest time for which a notification waits for its cover and details.
  static let patience: Int64 = 1_000_000

  private struct RoomRecord {
    var entry: EntryID?
    var problem: String?
    /// The time since which a track waits to be shown; nil if none waits.
    var waitsSince: Int64?
  }

  let rooms: NotifiedRooms
  private var records: [RoomName: RoomRecord] = [:]

  init(_ rooms: NotifiedRooms) { self.rooms = rooms }

  /// Sets the states of all rooms, and returns the notifications that are due. The track or error of a room in its
  /// first state is not shown.
  mutating func update(_ snapshots: [RoomName: PlayerSnapshot], at now: Int64) -> [DesktopNotification] {
    records = records.filter { snapshots[$0.key] != nil }
    var due: [DesktopNotification] = []
    for (room, snapshot) in snapshots.sorted(by: { $0.key < $1.key }) where rooms.contains(room) {
      guard var record = records[room] else {
        records[room] = RoomRecord(entry: snapshot.item?.entry, problem: snapshot.problem?.code)
        continue
      }
      if let problem = snapshot.problem, problem.code != record.problem {
        due.append(DesktopNotification(problem, in: room))
      }
      record.problem = snapshot.problem?.code
      if let item = snapshot.item, item.entry != record.entry, snapshot.properties.status == .playing {
        let since = record.waitsSince ?? now
        record.waitsSince = since
        if snapshot.isComplete || now - since >= Self.patience {
          due.append(DesktopNotification(item, in: room, cover: snapshot.cover))
          record.entry = item.entry
          record.waitsSince = nil
        }
      } else {
        record.waitsSince = nil
      }
      records[room] = record
    }
    return due
  }

  /// The time when a waiting notification is shown even without its cover; nil if none waits.
  var due: Int64? { records.values.compactMap(\.waitsSince).min().map { $0 + Self.patience } }
}

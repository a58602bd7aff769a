import CSystemd
import Model

/// The tables of methods, signals and properties by which sd-bus offers the MPRIS interfaces of a room's player.
enum MPRISInterfaces {
  static let objectPath = "/org/mpris/MediaPlayer2"
  static let rootInterface = "org.mpris.MediaPlayer2"
  static let playerInterface = "org.mpris.MediaPlayer2.Player"

  /// The tables by the names of their interfaces. Safe because (1) nothing changes the tables after their creation; (2)
  /// they are never freed, as sd-bus keeps pointers to their entries.
  nonisolated(unsafe) static let tables = [
    rootInterface: table([
      method("Raise"), method("Quit"),
      property("CanQuit", "b"), property("CanRaise", "b"), property("HasTrackList", "b"), property("Identity", "s"),
      property("SupportedUriSchemes", "as"), property("SupportedMimeTypes", "as"),
    ]),
    playerInterface: table([
      method("Next"), method("Previous"), method("Pause"), method("PlayPause"), method("Stop"), method("Play"),
      method("Seek", "x", "Offset\0\0"), method("SetPosition", "ox", "TrackId\0Position\0\0"),
      method("OpenUri", "s", "Uri\0\0"), signal("Seeked", "x", "Position\0\0"),
      property("PlaybackStatus", "s"), property("LoopStatus", "s", isWritable: true),
      property("Shuffle", "b", isWritable: true), property("Rate", "d", isWritable: true),
      property("Metadata", "a{sv}"), property("Volume", "d", isWritable: true),
      property("Position", "x", isAnnounced: false), property("MinimumRate", "d"), property("MaximumRate", "d"),
      property("CanGoNext", "b"), property("CanGoPrevious", "b"), property("CanPlay", "b"), property("CanPause", "b"),
      property("CanSeek", "b"), property("CanControl", "b", isAnnounced: false),
    ]),
  ]

  private static func method(
    _ name: StaticString, _ signature: StaticString = "", _ names: StaticString = "\0\0"
  ) -> sd_bus_vtable {
    lunara_vtable_method(name.cString, signature.cString, names.cString, RoomPlayer.call)
  }

  private static func signal(_ name: StaticString, _ signature: StaticString, _ names: StaticString) -> sd_bus_vtable {
    lunara_vtable_signal(name.cString, signature.cString, names.cString)
  }

  private static func property(
    _ name: StaticString, _ signature: StaticString, isWritable: Bool = false, isAnnounced: Bool = true
  ) -> sd_bus_vtable {
    lunara_vtable_property(
      name.cString, signature.cString, RoomPlayer.get, isWritable ? RoomPlayer.set : nil,
      isAnnounced ? UInt64(SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE) : 0)
  }

  private static func table(_ entries: [sd_bus_vtable]) -> UnsafePointer<sd_bus_vtable> {
    let entries = [lunara_vtable_start()] + entries + [lunara_vtable_end()]
    let table = UnsafeMutablePointer<sd_bus_vtable>.allocate(capacity: entries.count)
    table.initialize(from: entries, count: entries.count)
    return UnsafePointer(table)
  }
}

extension StaticString {
  /// The text as a C string. The pointer may be kept: literals end with NUL and exist as long as the program runs.
  fileprivate var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

/// The names of rooms' players on the session bus.
enum PlayerName {
  static let prefix = "org.mpris.MediaPlayer2.lunara."

  /// Returns the bus name of a room's player: `org.mpris.MediaPlayer2.lunara.living_room`.
  ///
  /// D-Bus discourages dashes in names and allows no part that begins with a digit. If the plain name belongs to
  /// another program, for example to a second instance on the same desktop, later attempts, from 1 on, add a suffix in
  /// the form that MPRIS recommends.
  static func of(_ room: RoomName, attempt: Int = 0, process: Int32) -> String {
    var part = String(room.rawValue.map { $0 == "-" ? "_" : $0 })
    if let first = part.utf8.first, (48...57).contains(first) { part = "_" + part }
    switch attempt {
    case 0: return prefix + part
    case 1: return "\(prefix)\(part).instance\(process)"
    default: return "\(prefix)\(part).instance\(process)_\(attempt)"
    }
  }

  /// Returns the name that the desktop shows: `Lunara (living-room)`.
  static func identity(of room: RoomName) -> String { "Lunara (\(room))" }
}

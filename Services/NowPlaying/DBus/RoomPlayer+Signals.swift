import CSystemd
import Glibc

/// What the desktop is told by signals.
extension RoomPlayer {
  func emitPropertiesChanged(_ names: [String], of interface: String) throws {
    var list = names.map { strdup($0) } + [nil]
    defer { for name in list { free(name) } }
    try check(sd_bus_emit_properties_changed_strv(bus, PlayerTables.objectPath, interface, &list))
  }

  func emitSeeked(_ position: Int64) throws {
    try emit("Seeked", of: PlayerTables.playerInterface, [.int64(position)])
  }

  /// Tells what changed of the track list, and that who keeps a copy of it has to read it again.
  func tell(_ changes: [TrackListChange]) throws {
    guard !changes.isEmpty else { return }
    for change in changes {
      switch change {
      case .replaced:
        let current =
          scene.tracks.index(of: scene.properties.trackPath) == nil ? TrackPath.none : scene.properties.trackPath
        try emitTrackList("TrackListReplaced", [.objectPaths(scene.tracks.paths), .objectPath(current)])
      case .added(let item, let path):
        try emitTrackList("TrackAdded", [.dictionary(scene.tracks.metadata(of: item)), .objectPath(path)])
      case .removed(let path): try emitTrackList("TrackRemoved", [.objectPath(path)])
      }
    }
    try emitPropertiesChanged(["Tracks"], of: PlayerTables.trackListInterface)
  }

  func tellMetadata(of path: String) throws {
    try emitTrackList("TrackMetadataChanged", [.objectPath(path), .dictionary(scene.properties.metadata)])
  }

  private func emitTrackList(_ signal: String, _ values: [DBusValue]) throws {
    try emit(signal, of: PlayerTables.trackListInterface, values)
  }

  private func emit(_ signal: String, of interface: String, _ values: [DBusValue]) throws {
    var message: OpaquePointer?
    try check(sd_bus_message_new_signal(bus, &message, PlayerTables.objectPath, interface, signal))
    defer { sd_bus_message_unref(message) }
    guard let message else { return }
    for value in values { try value.append(to: message) }
    try check(sd_bus_send(bus, message, nil))
  }
}

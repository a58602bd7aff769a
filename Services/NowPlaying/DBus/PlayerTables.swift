import CSystemd

/// The two MPRIS interfaces as sd-bus wants them: tables of methods, signals and properties.
///
/// They live on the heap, because sd-bus keeps pointers to the entries as long as an object uses them, and belong to
/// the one that holds this object.
final class PlayerTables {
  static let objectPath = "/org/mpris/MediaPlayer2"
  static let rootInterface = "org.mpris.MediaPlayer2"
  static let playerInterface = "org.mpris.MediaPlayer2.Player"

  let root: UnsafeMutableBufferPointer<sd_bus_vtable>
  let player: UnsafeMutableBufferPointer<sd_bus_vtable>

  /// Makes both tables; every method, getter and setter goes through the three functions given.
  init(
    call: @escaping sd_bus_message_handler_t, get: @escaping sd_bus_property_get_t, set: @escaping sd_bus_property_set_t
  ) {
    let announced = UInt64(SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE)
    let constant = UInt64(SD_BUS_VTABLE_PROPERTY_CONST)
    func method(_ name: StaticString, _ signature: StaticString = "", _ names: StaticString = "\0\0") -> sd_bus_vtable {
      lunara_vtable_method(name.cString, signature.cString, names.cString, call)
    }
    func property(
      _ name: StaticString, _ signature: StaticString, isWritable: Bool = false, flags: UInt64? = nil
    ) -> sd_bus_vtable {
      lunara_vtable_property(name.cString, signature.cString, get, isWritable ? set : nil, flags ?? announced)
    }
    root = Self.table([
      method("Raise"), method("Quit"),
      property("CanQuit", "b"), property("CanRaise", "b"), property("HasTrackList", "b"), property("Identity", "s"),
      property("SupportedUriSchemes", "as"), property("SupportedMimeTypes", "as"),
    ])
    player = Self.table([
      method("Next"), method("Previous"), method("Pause"), method("PlayPause"), method("Stop"), method("Play"),
      method("Seek", "x", "Offset\0\0"), method("SetPosition", "ox", "TrackId\0Position\0\0"),
      method("OpenUri", "s", "Uri\0\0"),
      lunara_vtable_signal(
        StaticString("Seeked").cString, StaticString("x").cString, StaticString("Position\0\0").cString),
      property("PlaybackStatus", "s"), property("Rate", "d", isWritable: true), property("Metadata", "a{sv}"),
      property("Volume", "d", isWritable: true), property("Position", "x", flags: 0),
      property("MinimumRate", "d"), property("MaximumRate", "d"), property("CanGoNext", "b"),
      property("CanGoPrevious", "b"), property("CanPlay", "b"), property("CanPause", "b"), property("CanSeek", "b"),
      property("CanControl", "b", flags: constant),
    ])
  }

  deinit {
    root.deallocate()
    player.deallocate()
  }

  private static func table(_ entries: [sd_bus_vtable]) -> UnsafeMutableBufferPointer<sd_bus_vtable> {
    let entries = [lunara_vtable_start()] + entries + [lunara_vtable_end()]
    let table = UnsafeMutableBufferPointer<sd_bus_vtable>.allocate(capacity: entries.count)
    _ = table.initialize(from: entries)
    return table
  }
}

extension StaticString {
  /// The text for C, which may keep it: literals end with NUL and live as long as the program.
  fileprivate var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

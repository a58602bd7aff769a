import Model

/// The D-Bus object path that names a queue entry in `mpris:trackid`.
enum TrackPath {
  /// Stands for no track (MPRIS, `Track_Id`).
  static let none = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  /// The path of an entry: unique, since every byte that a path cannot hold is written as `_` and two hex digits, and
  /// so is `_` itself.
  static func of(_ entry: EntryID) -> String {
    let hex = Array("0123456789abcdef".utf8)
    var path = Array("/org/lunara/entry/".utf8)
    for byte in entry.rawValue.utf8 {
      switch byte {
      case 48...57, 65...90, 97...122: path.append(byte)
      default: path += [UInt8(ascii: "_"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    if entry.rawValue.isEmpty { path.append(UInt8(ascii: "_")) }
    return String(decoding: path, as: UTF8.self)
  }
}

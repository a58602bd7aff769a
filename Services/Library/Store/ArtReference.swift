import Model

/// Where a picture is, and which one: its text changes when the picture does.
enum ArtReference: Hashable, Sendable {
  /// The cover file of a folder.
  case folder(Int64, mark: String)
  /// The picture of an artist in a folder.
  case artist(Int64, mark: String)
  /// The picture in a track's file.
  case track(Int64, mark: String)

  /// Reads the native part of a picture's id.
  init?(_ native: String) {
    let parts = native.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let kind = parts[0].first, let number = Int64(parts[0].dropFirst()) else { return nil }
    switch kind {
    case "a": self = .artist(number, mark: String(parts[1]))
    case "c": self = .folder(number, mark: String(parts[1]))
    case "e": self = .track(number, mark: String(parts[1]))
    default: return nil
    }
  }

  /// The native part of the picture's id.
  var native: String {
    switch self {
    case .artist(let number, let mark): "a\(number).\(mark)"
    case .folder(let number, let mark): "c\(number).\(mark)"
    case .track(let number, let mark): "e\(number).\(mark)"
    }
  }
}

/// The migrations that this version knows, by the database that has them: what a restored file may have at most.
///
/// A service's tests compare them with its own.
public enum Schemas {
  private static let bus = ["bus-1", "bus-2", "bus-3", "bus-4", "bus-5"]

  /// The names for a database, in no order; nil for one that is no service's.
  ///
  /// - Parameter database: the file's name without its ending, such as `playback-kitchen`.
  public static func migrations(of database: String) -> [String]? {
    switch database {
    case "library": bus + library
    case "scrobble": bus + scrobble
    case let name where name.hasPrefix("playback-"): bus + playback
    default: nil
    }
  }

  private static let library = [
    "catalogue-1", "catalogue-2", "catalogue-files-3", "plex-outbox-1", "artwork-2", "catalogue-3", "history-2",
    "plex-outbox-2", "catalogue-folders-4", "artwork-3", "catalogue-leaving-5", "catalogue-music-ids-6",
    "catalogue-server-releases-7", "plex-outbox-3",
  ]
  private static let playback = ["playback-1", "playback-2", "playback-moves", "playback-title"]
  private static let scrobble = ["scrobble-1", "scrobble-2", "scrobble-3"]
}

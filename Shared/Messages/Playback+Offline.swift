public import Model

/// Albums that are kept whole on the disk of a room's machine.
extension Playback {
  /// The state of the albums that a room keeps. Published on every change, and every few seconds while an album is
  /// fetched; a room that keeps none publishes nothing. Since 0.3.
  public struct OfflineState: State, Hashable {
    public static let kind = "playback.offline"
    /// The number of albums, also of those that are not whole yet.
    public var albums: Int
    /// The number of whole albums.
    public var whole: Int
    /// The bytes of all files, those that are being fetched included.
    public var bytes: Int64
    /// The largest number of bytes that all files may have.
    public var limit: Int64
    /// True if a person chose the limit; nil for the default.
    public var isLimitChosen: Bool? = nil
    /// The bytes that are free on the disk.
    public var free: Int64
    /// The album that is being fetched; nil if there is none.
    public var loading: AlbumID? = nil
    /// The reason why nothing is fetched although an album waits: `metered` for a connection that costs by volume,
    /// `mobile` for one that is neither Wi-Fi nor a cable; nil if there is none.
    public var pause: String? = nil
    /// The connections over which albums are fetched; nil for those that do not cost by volume.
    public var connection: OfflineConnection? = nil
  }

  /// The connections of a machine over which a room fetches the albums that it keeps.
  public enum OfflineConnection: String, TolerantName {
    /// All that do not cost by volume.
    case unmetered
    /// Wi-Fi and cables that do not cost by volume: no mobile broadband, no Bluetooth.
    case wifi
    /// All, also those that cost by volume.
    case any
    case unknown
  }

  /// The progress of an album that must be kept.
  public enum OfflineProgress: String, TolerantName {
    /// It has not been begun, or continues after others.
    case waiting
    /// Its files are being fetched.
    case loading
    /// All of its files are there, complete.
    case whole
    /// The last attempt failed; `problem` says why. It is tried again.
    case failed
    case unknown
  }

  /// An album that a room keeps, or is to keep.
  public struct OfflineAlbum: Codable, Hashable, Sendable {
    /// The album.
    public var id: AlbumID
    /// The title.
    public var title: String
    /// The album artist.
    public var artist: String
    /// The cover; nil if it has none.
    public var art: ArtID? = nil
    /// The progress. Only a whole album plays from its copies.
    public var state: OfflineProgress
    /// The number of its tracks.
    public var tracks: Int
    /// The number of tracks that are on the disk, complete.
    public var kept: Int
    /// The bytes on the disk, also of a file that is not complete.
    public var bytes: Int64
    /// The bytes of all its files; nil while not all sizes are known.
    public var size: Int64? = nil
    /// True if it is not removed to make room for others.
    public var isPinned: Bool = false
    /// The time when it was added.
    public var addedAt: Timestamp
    /// The time when it was last played from its copies; nil for never.
    public var playedAt: Timestamp? = nil
    /// The reason why the last attempt failed; nil if it did not.
    public var problem: LunaraError? = nil
  }

  /// Lists the albums that a room keeps, in the order in which they were added. Since 0.3.
  public struct ListOffline: ReadRequest {
    public static let kind = "playback.list-offline"
    /// A page of at most 100 albums; refused with `playback.badSetting`.
    public typealias Answer = OfflinePage
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
  }

  /// A page of the albums that a room keeps.
  public struct OfflinePage: Codable, Hashable, Sendable {
    /// The albums in the order in which they were added, at most 100.
    public var albums: [OfflineAlbum]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
    /// The space that they need, and what is being done.
    public var state: OfflineState
  }

  /// Keeps albums in a room. Albums that it keeps already are only compared with their source again. Since 0.3.
  public struct AddOffline: CommandRequest {
    public static let kind = "playback.add-offline"
    /// The number of albums that were added; refused with `playback.loadTooLarge`, `playback.offlineUnusable`. It is
    /// refused as `Library.ListPlayable` is, too.
    public typealias Answer = OfflineChange
    /// At most 500 albums, or artists, collections, playlists and tracks, which stand for the albums of their tracks.
    public var ids: [PlayableID]
    /// True to pin the albums, false to unpin them; nil leaves albums that are there as they are.
    public var isPinned: Bool? = nil
  }

  /// Stops keeping albums in a room, and deletes their copies. Since 0.3.
  public struct RemoveOffline: CommandRequest {
    public static let kind = "playback.remove-offline"
    /// The number of albums that were removed.
    public typealias Answer = OfflineChange
    /// The albums; nil for all.
    public var ids: [AlbumID]?
  }

  /// The result of a change of the albums that a room keeps.
  public struct OfflineChange: Codable, Hashable, Sendable {
    /// The number of albums that were added or removed.
    public var changed: Int
    /// The number of other albums that the request named: those that were there already, or that were not there.
    public var unchanged: Int
  }

  /// Changes the limit of the space. Albums that exceed it are removed. Since 0.3.
  public struct SetOffline: CommandRequest {
    public static let kind = "playback.set-offline"
    /// The state afterwards; refused with `playback.badSetting`, `playback.offlineUnusable`.
    public typealias Answer = OfflineState
    /// The largest number of bytes of all files; nil for the default.
    public var limit: Int64?
  }

  /// Chooses the connections over which a room fetches the albums that it keeps. Since 0.3.
  public struct SetOfflineConnection: CommandRequest {
    public static let kind = "playback.set-offline-connection"
    /// The state afterwards; refused with `playback.badSetting`, `playback.offlineUnusable`.
    public typealias Answer = OfflineState
    /// The connections.
    public var connection: OfflineConnection
  }

  /// Plays albums or tracks that a room keeps, without any other service. Since 0.3.
  public struct PlayOffline: CommandRequest {
    public static let kind = "playback.play-offline"
    /// The room and the number of tracks; refused with `playback.notKept`, `playback.noSuchItem`. It is refused as
    /// `Load` is, too.
    public typealias Answer = Router.Played
    /// Ids or titles of whole albums, or ids of their tracks, in playing order.
    public var names: [String]
    /// The place in the queue.
    public var mode: LoadMode = .now
    /// The index of the first track to play, from 0.
    public var startAt: Int = 0
  }
}

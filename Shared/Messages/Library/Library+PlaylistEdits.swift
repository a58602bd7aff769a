public import Model

/// Making and editing playlists: those of the library itself, and those of servers whose kind has the capability
/// `playlistEdits`. A change of a server's playlist is shown at once, and sent as soon as the server answers.
///
/// Entries are named by their ids, never by their places, so that edits of two people do not disturb each other: what
/// one removed meanwhile is left out, and entries that are to stand behind a removed one are put at the end.
extension Library {
  /// Makes a playlist. Since 0.2.
  public struct CreatePlaylist: CommandRequest {
    public static let kind = "library.create-playlist"
    /// The new playlist, after it is stored; refused with `library.badRules`, `library.unknownID`,
    /// `library.tooManyIDs`, `library.badPlaylist`, `library.playlistFull`, `library.notOnServer`.
    public typealias Answer = Playlist
    /// The title: 1 to 500 bytes.
    public var title: String
    /// The description, at most 4000 bytes; nil for none.
    public var summary: String? = nil
    /// The albums, tracks, artists, collections, playlists, works and folders whose tracks are added, at most 2000.
    public var ids: [PlayableID] = []
    /// Tracks that are not in the library, which are added behind the others; nil for none.
    public var described: [DescribedTrack]? = nil
    /// A playlist whose entries are copied first, before anything is added; nil for none.
    public var copyOf: PlaylistID? = nil
    /// The source of the server that is to keep it; nil for the library itself.
    public var source: String? = nil
    /// The rules of a smart playlist, as JSON in the form of `.nsp` files; nil for a list of entries. A smart playlist
    /// takes no ids, described tracks or copies, and is never on a server.
    public var rules: String? = nil
  }

  /// Adds tracks to a playlist. Since 0.2.
  public struct AddToPlaylist: CommandRequest {
    public static let kind = "library.add-to-playlist"
    /// The playlist after the change; refused with `library.unknownID`, `library.notEditable`, `library.tooManyIDs`,
    /// `library.badPlaylist`, `library.playlistFull`, `library.notOnServer`.
    public typealias Answer = Playlist
    /// The playlist.
    public var id: PlaylistID
    /// The albums, tracks, artists, collections, playlists, works and folders whose tracks are added, at most 2000.
    public var ids: [PlayableID]
    /// Tracks that are not in the library, which are added behind the others; nil for none.
    public var described: [DescribedTrack]? = nil
    /// The entry behind which they are put; 0 for the beginning, nil for the end.
    public var after: Int64? = nil
  }

  /// Removes entries from a playlist. Since 0.2.
  public struct RemoveFromPlaylist: CommandRequest {
    public static let kind = "library.remove-from-playlist"
    /// The playlist after the change; refused with `library.unknownID`, `library.notEditable`,
    /// `library.unknownEntry` if none of the entries is there.
    public typealias Answer = Playlist
    /// The playlist.
    public var id: PlaylistID
    /// The entries; those that are not there are left out.
    public var entries: [Int64]
  }

  /// Moves entries of a playlist, which then stand one behind the other. Since 0.2.
  public struct MoveInPlaylist: CommandRequest {
    public static let kind = "library.move-in-playlist"
    /// The playlist after the change; refused with `library.unknownID`, `library.notEditable`,
    /// `library.unknownEntry` if none of the entries is there.
    public typealias Answer = Playlist
    /// The playlist.
    public var id: PlaylistID
    /// The entries in the order in which they are to stand; those that are not there are left out.
    public var entries: [Int64]
    /// The entry behind which they are put; 0 for the beginning, nil for the end.
    public var after: Int64? = nil
  }

  /// Gives a playlist another title or description, or a smart playlist other rules. Since 0.2.
  public struct DescribePlaylist: CommandRequest {
    public static let kind = "library.describe-playlist"
    /// The playlist after the change; refused with `library.unknownID`, `library.notEditable`, `library.badPlaylist`.
    public typealias Answer = Playlist
    /// The playlist.
    public var id: PlaylistID
    /// The new title; nil to keep it.
    public var title: String? = nil
    /// The new description, empty for none; nil to keep it.
    public var summary: String? = nil
    /// The new rules of a smart playlist; nil to keep them.
    public var rules: String? = nil
    /// The revision that the person saw; another one refuses new rules with `library.changedMeanwhile`. Nil to replace
    /// whatever is there.
    public var revision: Int64? = nil
  }

  /// Deletes a playlist. For 30 days `UndoPlaylist` brings it back. Since 0.2.
  public struct DeletePlaylist: CommandRequest {
    public static let kind = "library.delete-playlist"
    /// Answers after the playlist is deleted; refused with `library.unknownID`, `library.notEditable`.
    public typealias Answer = Done
    /// The playlist.
    public var id: PlaylistID
  }

  /// Takes back the last change of a playlist, up to ten one after the other, or brings back a deleted playlist. Since
  /// 0.2.
  public struct UndoPlaylist: CommandRequest {
    public static let kind = "library.undo-playlist"
    /// The playlist after the change; refused with `library.unknownID`, `library.notEditable`,
    /// `library.nothingToUndo`.
    public typealias Answer = Playlist
    /// The playlist.
    public var id: PlaylistID
  }
}

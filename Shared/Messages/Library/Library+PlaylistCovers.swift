public import Model

/// The covers that people give to playlists.
extension Library {
  /// Sends a part of a picture that becomes the cover of a playlist once all parts are there, or removes the cover.
  /// Since 0.2.
  public struct SetPlaylistCover: CommandRequest {
    public static let kind = "library.set-playlist-cover"
    /// The largest number of bytes of a picture.
    public static let mostBytes = 8 << 20
    /// The largest number of bytes of a part.
    public static let partBytes = 96 << 10
    /// The playlist, with its new cover after the last part; refused with `library.unknownID`, `library.notEditable`,
    /// `library.badPicture`.
    public typealias Answer = Playlist
    /// The playlist.
    public var id: PlaylistID
    /// The bytes of the part, at most 96 KiB, in base64; nil to remove the cover.
    public var part: String?
    /// The place of the part in the picture, in bytes. Parts are sent in order; the first one begins again.
    public var offset: Int = 0
    /// The number of bytes of the whole picture: JPEG, PNG or WebP, at most 8 MiB.
    public var size: Int = 0
  }
}

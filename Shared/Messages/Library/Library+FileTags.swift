public import Model

/// The tags in music files, as they stand there.
extension Library {
  /// Reads all tags of the file of a track. Since 0.2.
  public struct ReadTrackTags: ReadRequest {
    public static let kind = "library.read-track-tags"
    /// The tags; refused with `library.fileMissing`, `library.noTagReader`, `library.unknownID`, with
    /// `library.noFileTags` for a track that only servers have, and with the errors of reading the file.
    public typealias Answer = TrackTags
    /// The id of the track, whose best copy that is a file is read, or of one such copy.
    public var id: TrackID
  }

  /// All tags of a file.
  public struct TrackTags: Codable, Hashable, Sendable {
    /// The copy that was read.
    public var id: TrackID
    /// Its file on the library's host, as a `file:` URL.
    public var path: LocalPath
    /// The tags in the order of the file; a name with several values comes several times.
    public var tags: [FileTag]
    /// The number of values that were left out, as all together are limited to 64 KiB; nil if none was.
    public var omitted: Int? = nil
  }

  /// One value of a tag in a file.
  public struct FileTag: Codable, Hashable, Sendable {
    /// The kind of tags, such as `ID3v2.4`, `ID3v1`, `APE`, `Vorbis` or `MP4`.
    public var kind: String
    /// The name as it stands in the file, with the description or the owner after a colon, such as `TIT2` or
    /// `COMM:Notes`.
    public var name: String
    /// The value; of binary data a description, such as the type of a picture.
    public var value: String
    /// The bytes of the whole value, if it is cut here or is no text; nil for a text that is whole.
    public var length: Int? = nil
  }
}

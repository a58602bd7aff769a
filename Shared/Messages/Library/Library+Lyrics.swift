public import Model

/// The lyrics of tracks.
extension Library {
  /// Reads the lyrics of a track, from the tags of its files, from an LRC file beside them, or from its server. Since
  /// 0.2.
  public struct ReadLyrics: ReadRequest {
    public static let kind = "library.lyrics"
    /// The lyrics; refused with `library.fileMissing`, `library.outsideFolders`, `library.noTagReader`,
    /// `library.sourceAway`, `library.signedOut`, `library.unknownID`, with `library.lyricsMissing` where there are
    /// none, and with the errors of reading the file or of the server.
    public typealias Answer = Lyrics
    /// The id of the track, or of any copy of it.
    public var id: TrackID
  }

  /// The lyrics of a track.
  public struct Lyrics: Codable, Hashable, Sendable {
    /// The place that has them.
    public var source: LyricsSource
    /// The lines; those with times in the order of these.
    public var lines: [LyricsLine]
    /// The language as the source writes it, such as `eng`; nil if it says none.
    public var language: String? = nil
  }

  /// The places of lyrics.
  public enum LyricsSource: String, TolerantName {
    /// The tags of the audio file.
    case tags
    /// An LRC file beside the audio file.
    case file
    /// The server that has the track.
    case server
    case unknown
  }

  /// One line of lyrics.
  public struct LyricsLine: Codable, Hashable, Sendable {
    /// The milliseconds in the track at which it begins; nil if that is not known.
    public var start: Milliseconds? = nil
    /// The words; empty for a pause, and between verses.
    public var text: String
  }
}

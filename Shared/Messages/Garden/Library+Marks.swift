public import Model

/// Marks for deletion. The library itself never deletes or changes media.
extension Library {
  /// The states of a mark.
  public enum MarkState: String, TolerantName {
    /// Not decided yet.
    case marked
    /// The music is kept.
    case kept
    /// The music should be deleted, by a person.
    case confirmed
    case unknown
  }

  /// A mark for deletion.
  public struct Mark: Codable, Hashable, Sendable {
    /// Its number.
    public var mark: Int64
    /// The thing that is marked.
    public var on: GardenSubject
    /// The reason; empty if none was given.
    public var text: String
    /// The time when it was marked.
    public var at: Timestamp
    /// The state.
    public var state: MarkState
    /// The number of tracks.
    public var tracks: Int = 0
    /// The size of its files; nil if unknown, as at servers.
    public var bytes: Int64? = nil
    /// The number of counted listens.
    public var plays: Int = 0
    /// The time of the last counted listen; nil if there was none.
    public var lastHeard: Timestamp? = nil
    /// The quality, such as `FLAC 16/44.1`; nil if unknown.
    public var quality: String? = nil
    /// Other copies, and other albums of the same names.
    public var duplicates: [Duplicate] = []

    /// An album or a copy of it with the same music.
    public struct Duplicate: Codable, Hashable, Sendable {
      /// The album.
      public var id: AlbumID
      /// Its title.
      public var title: String
      /// The formats of its tracks, such as `flac` or `mp3`.
      public var formats: [String]
      /// True if all of its tracks are lossless.
      public var isLossless: Bool
    }
  }

  /// Marks an album, track or artist for deletion. One that is marked already gets the new reason. Since 0.2.
  public struct MarkForDeletion: CommandRequest {
    public static let kind = "library.mark-for-deletion"
    /// The mark; refused with `library.unknownID`, `library.badNote` for a reason that is too long.
    public typealias Answer = Mark
    /// The album, track or artist.
    public var id: PlayableID
    /// The reason; nil for none.
    public var reason: String? = nil
  }

  /// Decides what becomes of a mark. Since 0.2.
  public struct DecideMark: CommandRequest {
    public static let kind = "library.decide-mark"
    /// The mark; refused with `library.badMark`, `library.unknownMark`.
    public typealias Answer = Mark
    /// The number of the mark.
    public var mark: Int64
    /// The new state.
    public var state: MarkState
  }

  /// Lists marks, the latest first. Since 0.2.
  public struct ListMarks: ReadRequest {
    public static let kind = "library.list-marks"
    /// A page of marks; refused with `library.badCursor`.
    public typealias Answer = MarkPage
    /// The state of the marks; nil for those that are not kept.
    public var state: MarkState? = nil
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
  }

  /// A page of marks.
  public struct MarkPage: Codable, Hashable, Sendable {
    /// The marks, the latest first.
    public var items: [Mark]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }

  /// Writes out the files of confirmed marks, for a person to delete. The library itself never deletes a file. Since
  /// 0.2.
  public struct ExportMarks: ReadRequest {
    public static let kind = "library.export-marks"
    /// A part of the text; refused with `library.badMark`, `library.badCursor`.
    public typealias Answer = MarkExport

    /// The forms of the text.
    public enum Form: String, TolerantName {
      /// The paths of files, one a line; those with a line break are left out and counted.
      case paths
      /// A shell script in which every deletion is commented out.
      case script
      /// The ids at servers, one a line: the source, a tab and the id there.
      case ids
      case unknown
    }

    /// The form.
    public var form: Form
    /// The cursor: `next` of the part before; nil for the first part.
    public var after: String? = nil
  }

  /// A part of the text of an export.
  public struct MarkExport: Codable, Hashable, Sendable {
    /// The text.
    public var text: String
    /// The number of files or ids in it.
    public var items: Int
    /// The number of files that are left out, as the form cannot name them.
    public var leftOut: Int = 0
    /// The cursor of the next part; nil on the last.
    public var next: String? = nil
  }

  /// A mark was made or decided. Since 0.2.
  public struct MarkChanged: Fact {
    public static let kind = "library.mark-changed"
    /// It may be lost in a power cut, as the mark itself is stored.
    public static let survives = Durability.process
    /// The number of the mark.
    public var mark: Int64
    /// The thing that is marked.
    public var on: GardenSubject
    /// The state.
    public var state: MarkState
  }
}

public import Model

/// The garden: what people note, mark and have to do about albums, tracks and artists.
extension Library {
  /// The kinds of things that a note, mark or todo is about.
  public enum GardenKind: String, TolerantName {
    case album
    case track
    case artist
    /// One listening of an album; the id is that of the album.
    case session
    case unknown
  }

  /// The thing that a note, mark or todo is about. Its names are kept, so that it can be read while the thing is not in
  /// the library.
  public struct GardenSubject: Codable, Hashable, Sendable {
    /// The kind of thing.
    public var kind: GardenKind
    /// Its id, that of the album for a session; while it is not in the library, the id that it had last.
    public var id: PlayableID
    /// Its title, or the name of the artist.
    public var title: String
    /// Its artist; the same as `title` for an artist.
    public var artist: String
    /// False while it is not in the library; nil for true.
    public var isHere: Bool? = nil
  }

  /// A note, mark or todo as a file has it. It has all that is needed to find its thing in another library.
  public struct GardenRecord: Codable, Hashable, Sendable {
    /// The kinds of records.
    public enum Form: String, TolerantName {
      case note, mark, todo
      /// A like or dislike of an album; `state` says which.
      case opinion
      case unknown
    }

    /// The kind of record.
    public var form: Form
    /// The name of the record in all libraries: one that is imported twice is there once.
    public var uid: String
    /// The thing that it is about.
    public var on: GardenSubject
    /// The title of the track's album; nil for albums and artists.
    public var album: String? = nil
    /// The disc of a track; nil for albums and artists.
    public var disc: Int? = nil
    /// The number of a track; nil for albums and artists, and if unknown.
    public var number: Int? = nil
    /// The year of an album; nil if unknown.
    public var year: Int? = nil
    /// The text of a note or todo, or the reason of a mark.
    public var text: String
    /// The time when it was written.
    public var at: Timestamp
    /// The session of a note; nil for others.
    public var session: NoteSession? = nil
    /// The position in the track that a note is about; nil for the whole.
    public var position: Milliseconds? = nil
    /// The state of a mark or todo, and `like` or `dislike` of an opinion; nil for notes.
    public var state: String? = nil
    /// The kind of a todo; nil for others.
    public var about: TodoKind? = nil
    /// The time when the text of a note was edited last, when a todo was done, or when a mark was decided; nil for
    /// none, and in older files. Since 0.3.
    public var changedAt: Timestamp? = nil
  }

  /// A theme as a file has it.
  public struct ThemeRecord: Codable, Hashable, Sendable {
    /// The title. A theme is not imported where one of its title is there.
    public var title: String
    /// The number of themes of the same title that come before it in the file; nil for none. It is not imported where
    /// more of its title than these are there. Since 0.3.
    public var namesakes: Int? = nil
    /// The person's words about it; nil for none.
    public var text: String? = nil
    /// The rules; nil if its albums are picked by hand.
    public var rules: String? = nil
    /// The two colours and the texture.
    public var look: ThemeLook
    /// The album whose cover it has; nil for that of the first one.
    public var cover: ThemeAlbum? = nil
    /// The albums that are picked by hand, in their order, those too that are not in the library.
    public var albums: [ThemeAlbum] = []
  }

  /// An album of a theme by its names, with which it is found in another library.
  public struct ThemeAlbum: Codable, Hashable, Sendable {
    /// The title.
    public var title: String
    /// The artist.
    public var artist: String
    /// The year; nil if unknown.
    public var year: Int? = nil
  }

  /// Reads all notes, marks, todos, opinions and themes for a file. Since 0.2.
  public struct ExportGarden: ReadRequest {
    public static let kind = "library.export-garden"
    /// A page of records; refused with `library.badCursor`.
    public typealias Answer = GardenRecords
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
  }

  /// A page of records.
  public struct GardenRecords: Codable, Hashable, Sendable {
    /// The records: notes, then marks, todos and opinions, the oldest first.
    public var items: [GardenRecord]
    /// The themes of this page; nil if it has none. They come after the records.
    public var themes: [ThemeRecord]? = nil
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }

  /// Adds records of a file; those that are there already stay as they are. A record is there if one has its `uid`, an
  /// opinion if its album has one, and a theme if more themes have its title than come before it in the file. After an
  /// error nothing of the request is stored. Nothing is sent to other services. Since 0.2.
  public struct ImportGarden: CommandRequest {
    public static let kind = "library.import-garden"
    /// Answers after the records are stored; refused with `library.badNote`, `library.badTodo`, `library.badTheme`,
    /// `library.badRules`, `library.tooManyThemes`.
    public typealias Answer = ImportedGarden
    /// The records, at most 500.
    public var items: [GardenRecord]
    /// The themes, at most 200; nil for none.
    public var themes: [ThemeRecord]? = nil
  }

  /// The result of an import.
  public struct ImportedGarden: Codable, Hashable, Sendable {
    /// The number of records and themes that were added.
    public var added: Int = 0
    /// The number of records that were there already.
    public var known: Int = 0
    /// The number of added records about music that is not in the library, and of themes of which an album is not; they
    /// are listed as such until it comes.
    public var notHere: Int = 0
  }
}

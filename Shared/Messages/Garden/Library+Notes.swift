public import Model

/// Notes: texts that people write about albums, tracks, artists and sessions.
extension Library {
  /// A note.
  public struct Note: Codable, Hashable, Sendable {
    /// Its number.
    public var note: Int64
    /// The thing that it is about.
    public var on: GardenSubject
    /// The text: paragraphs with light markup, at most 64 KiB, without control characters other than tabs and line
    /// feeds.
    public var text: String
    /// The time when it was written.
    public var at: Timestamp
    /// The number of its text: 1 for the first, one more with each edit.
    public var version: Int = 1
    /// The time of the last edit; nil if there was none.
    public var editedAt: Timestamp? = nil
    /// The session that it is about; nil for other notes.
    public var session: NoteSession? = nil
    /// The position in the track that it is about; nil for the whole.
    public var position: Milliseconds? = nil
  }

  /// A listening of an album, from its first to its last track, pauses included.
  public struct NoteSession: Codable, Hashable, Sendable {
    /// The room in which it was played.
    public var room: RoomName
    /// The start of its first track.
    public var from: Timestamp
    /// The end of its last track.
    public var to: Timestamp
    /// The counted listens of which it consists, at most 200.
    public var listens: [ListenID]
  }

  /// Writes a note. Since 0.2.
  public struct WriteNote: CommandRequest {
    public static let kind = "library.write-note"
    /// The note; refused with `library.unknownID`, `library.badNote`, and `library.noSession` if no listen of the album
    /// has counted.
    public typealias Answer = Note
    /// The album, track or artist.
    public var id: PlayableID
    /// The text, at most 64 KiB.
    public var text: String
    /// True for a note about the last session of an album, or of the album of a track; nil for false.
    public var isOfSession: Bool? = nil
    /// The room of the session; nil for the room in which the album was played last.
    public var room: RoomName? = nil
    /// The position in the track that the note is about; nil for the whole.
    public var position: Milliseconds? = nil
  }

  /// Replaces the text of a note. Since 0.2.
  public struct EditNote: CommandRequest {
    public static let kind = "library.edit-note"
    /// The note; refused with `library.unknownNote`, `library.badNote`, and `library.noteChanged` if the note has
    /// another version by now: the text is kept then as a refused one, which `library.read-note` returns.
    public typealias Answer = Note
    /// The number of the note.
    public var note: Int64
    /// The new text.
    public var text: String
    /// The version of the text that is replaced.
    public var version: Int
  }

  /// Deletes a note, or takes that back. Since 0.2.
  public struct DeleteNote: CommandRequest {
    public static let kind = "library.delete-note"
    /// Answers after it is stored; refused with `library.unknownNote`.
    public typealias Answer = Done
    /// The number of the note.
    public var note: Int64
    /// True to take the deletion back; nil for false.
    public var isTakenBack: Bool? = nil
  }

  /// Lists notes, the latest first. Since 0.2.
  public struct ListNotes: ReadRequest {
    public static let kind = "library.list-notes"
    /// A page of notes; refused with `library.badCursor`, `library.unknownID`.
    public typealias Answer = NotePage
    /// The thing that the notes are about; an album also has those of its sessions and tracks. Nil for all.
    public var id: PlayableID? = nil
    /// The words that the notes have, each of which may be a beginning; nil for all notes.
    public var words: String? = nil
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
  }

  /// A page of notes.
  public struct NotePage: Codable, Hashable, Sendable {
    /// The notes, the latest first.
    public var items: [Note]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }

  /// Reads a note with its former and refused texts. Since 0.2.
  public struct ReadNote: ReadRequest {
    public static let kind = "library.read-note"
    /// The note and its texts; refused with `library.unknownNote`.
    public typealias Answer = NoteHistory
    /// The number of the note.
    public var note: Int64
  }

  /// A note with the texts that it had.
  public struct NoteHistory: Codable, Hashable, Sendable {
    /// The note as it is.
    public var note: Note
    /// Former and refused texts, the latest first; as many of the last 20 as fit.
    public var texts: [NoteText]
  }

  /// A text that a note had, or that was refused as the note had changed.
  public struct NoteText: Codable, Hashable, Sendable {
    /// The version that it was, or that it was to replace.
    public var version: Int
    /// The text.
    public var text: String
    /// The time when it was written.
    public var at: Timestamp
    /// True for a text that was refused; nil for a former one.
    public var isRefused: Bool? = nil
  }

  /// Lists notes that come back: those of about a year ago and of earlier anniversaries, or those of an album. A note
  /// that was shown within 14 days is not among them. Since 0.2.
  public struct ListDueNotes: ReadRequest {
    public static let kind = "library.list-due-notes"
    /// The notes, each with its reason; refused with `library.unknownID`.
    public typealias Answer = DueNotes
    /// The album that plays; nil for anniversaries.
    public var album: AlbumID? = nil
    /// The largest number of notes; at most 50.
    public var limit: Int = 5
  }

  /// Notes that come back.
  public struct DueNotes: Codable, Hashable, Sendable {
    /// The notes.
    public var items: [DueNote]
  }

  /// A note that comes back.
  public struct DueNote: Codable, Hashable, Sendable {
    /// The note.
    public var note: Note
    /// The reason, in a sentence.
    public var reason: String
    /// The number of years since it was written; nil for a note of an album that plays.
    public var years: Int? = nil
  }

  /// Stores that notes were shown as those that come back. They do not come back again within 14 days. Since 0.2.
  public struct KeepNotesShown: CommandRequest {
    public static let kind = "library.keep-notes-shown"
    /// Answers after the time is stored.
    public typealias Answer = Done
    /// The numbers of the notes, at most 200. Unknown ones are ignored.
    public var notes: [Int64]
    /// Albums of which the last note was shown, that of a track included, at most 200; nil for none.
    public var albums: [AlbumID]? = nil
  }

  /// Notes came back, so that they rest: walls tell of no note about their albums within 14 days. Since 0.2.
  public struct NotesShown: Fact {
    public static let kind = "library.notes-shown"
    /// It may be lost in a power cut, as the time is stored with the notes.
    public static let survives = Durability.process
    /// The albums that they are about, or whose tracks.
    public var albums: [AlbumID]
  }

  /// A note was written, edited, deleted or brought back. Since 0.2.
  public struct NoteChanged: Fact {
    public static let kind = "library.note-changed"
    /// It may be lost in a power cut, as the note itself is stored.
    public static let survives = Durability.process
    /// The number of the note.
    public var note: Int64
    /// The thing that it is about.
    public var on: GardenSubject
    /// True if it was deleted; nil for false.
    public var isDeleted: Bool? = nil
  }
}

public import Model

/// Listens of other programs, counts of plays that other players wrote into tags, and the way back from an import.
extension Library {
  /// Takes over the counts of plays of tracks that other players wrote into the tags of music files, from what the last
  /// scan read. The count of a track stands beside the listens of the household and is added to them wherever plays are
  /// counted. A later import raises it where a file has a higher count, and never lowers it. No listen and no scrobble
  /// comes of it. Since 0.2.
  public struct ImportPlays: CommandRequest {
    public static let kind = "library.import-plays"
    /// Answers after the counts are stored; refused with `library.unknownFolder`.
    public typealias Answer = ImportedPlays
    /// The folder of the library's host whose files are read, with those below it, as a `file:` URL; nil for all music
    /// folders.
    public var folder: LocalPath? = nil
    /// True if nothing is changed.
    public var isDryRun: Bool = false
  }

  /// The result of an import of counts of plays.
  public struct ImportedPlays: Codable, Hashable, Sendable {
    /// The number of tracks whose tags count plays.
    public var found: Int = 0
    /// The number of tracks whose count was raised, or would be.
    public var raised: Int = 0
    /// The number of tracks that had this count, or a higher one, from an import before.
    public var same: Int = 0
    /// The number of plays that were added, or would be.
    public var plays: Int = 0
  }

  /// The kinds of values that are imported from tags.
  public enum ImportKind: String, Codable, Hashable, Sendable, CaseIterable {
    case ratings
    case plays
  }

  /// Takes the last import from tags that changed anything back: each track has its value from before again. What was
  /// changed since stays. Since 0.2.
  public struct UndoImport: CommandRequest {
    public static let kind = "library.undo-import"
    /// Answers after the values from before the import are stored.
    public typealias Answer = UndoneImport
    /// The kind of import.
    public var of: ImportKind
    /// True if nothing is changed.
    public var isDryRun: Bool = false
  }

  /// The result of taking an import back.
  public struct UndoneImport: Codable, Hashable, Sendable {
    /// The number of tracks that have their value from before the import again, or would have.
    public var undone: Int = 0
    /// The number of tracks that keep their value, as it was changed since the import, or that are gone.
    public var kept: Int = 0
    /// The time of the import; nil if there is none that can be taken back.
    public var importedAt: Timestamp? = nil
  }

  /// Adds listens of other programs and services to the history, in the room `elsewhere`. A listen that is known
  /// already, by its id or by its time, artist and title, changes nothing, so a part can be sent again. A track that is
  /// not in the library is kept by its description, and becomes the track of the library when that comes. Nothing is
  /// scrobbled, and no server receives anything. Since 0.2.
  public struct ImportListens: CommandRequest {
    public static let kind = "library.import-listens"
    /// The numbers of new and known listens; refused with `library.badListen` for a listen without artist, title or
    /// time.
    public typealias Answer = Scrobble.Imported
    /// The name of the import: the same for all its parts, and another one for each import.
    public var name: String
    /// The listens, at most 500, in the form that `Scrobble.ImportListens` takes.
    public var listens: [Scrobble.ImportedListen]
    /// True for the last part of the import, after which the catalogue has another generation.
    public var isLast: Bool
  }

  /// Removes the listens of the last import from the history; asked again, those of the import before. Since 0.2.
  public struct UndoListenImport: CommandRequest {
    public static let kind = "library.undo-listen-import"
    /// Answers after the listens are removed.
    public typealias Answer = UndoneListenImport

    public init() {}
  }

  /// The result of taking an import of listens back.
  public struct UndoneListenImport: Codable, Hashable, Sendable {
    /// The number of listens that were removed.
    public var removed: Int = 0
    /// The time of the import; nil if there is none that can be taken back.
    public var importedAt: Timestamp? = nil
  }
}

extension RoomName {
  /// The room of listens that were played with other programs, and imported.
  public static let elsewhere = RoomName(from: "elsewhere")
}

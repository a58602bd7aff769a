public import Model

/// Browsing by people in their roles, by works and by folders.
extension Library {
  /// The tracks on which an artist has one role.
  public struct CreditGroup: Codable, Hashable, Sendable {
    /// The role; `artist` stands for tracks on albums of others.
    public var role: CreditRole
    /// The number of albums with such tracks.
    public var albums: Int
    /// The number of such tracks.
    public var tracks: Int
    /// The person; nil in an answer about one person.
    public var person: ArtistName? = nil
  }

  /// Lists the tracks on which an artist has one role. Since 0.2.
  public struct ListCredits: ReadRequest {
    public static let kind = "library.list-credits"
    /// The tracks by year, album and number; refused with `library.unknownID`, `library.badCursor`.
    public typealias Answer = Page<CreditedTrack>
    /// The artist.
    public var artist: ArtistID
    /// The role; `artist` stands for tracks on albums of others.
    public var role: CreditRole
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
  }

  /// A track with the part that an artist has in it.
  public struct CreditedTrack: Codable, Hashable, Sendable {
    /// The track.
    public var track: Track
    /// The part, with the name as the tag of the track writes it.
    public var credit: Credit
  }

  /// Lists musical works, by title. Since 0.2.
  public struct ListWorks: ReadRequest {
    public static let kind = "library.list-works"
    /// Sorted works and the cursor of the next page; refused with `library.unknownID`, `library.badCursor`.
    public typealias Answer = Page<WorkEntry>
    /// Only works of this composer; nil for all.
    public var composer: ArtistID? = nil
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
    /// The list begins at the first work whose title does not sort before this text; nil for the whole list.
    public var startingAt: String? = nil
  }

  /// A musical work in a list.
  public struct WorkEntry: Codable, Hashable, Sendable {
    /// The id, by which the work can be played as well.
    public var id: WorkID
    /// The title.
    public var title: String
    /// The composer; nil if the tags name none.
    public var composer: ArtistName? = nil
    /// The number of tracks that are recordings of it.
    public var trackCount: Int
  }

  /// Reads a musical work with a page of its recordings. Since 0.2.
  public struct ReadWork: ReadRequest {
    public static let kind = "library.read-work"
    /// The work, and its tracks; refused with `library.unknownID`, `library.badCursor`.
    public typealias Answer = WorkPage
    /// The work.
    public var id: WorkID
    /// The cursor: `next` of the page before; nil for the first page of at most 200 tracks.
    public var after: String? = nil
  }

  /// A musical work with a page of its recordings.
  public struct WorkPage: Codable, Hashable, Sendable {
    /// The work.
    public var work: WorkEntry
    /// The tracks, 200 a page, one recording after the other, oldest first: by year and album, then by disc and number.
    public var tracks: [Track]
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil
  }

  /// Lists the folders, albums and tracks in a folder. Since 0.2.
  public struct ListFolder: ReadRequest {
    public static let kind = "library.list-folder"
    /// A page of the folder; refused with `library.unknownFolder`, `library.badCursor`.
    public typealias Answer = FolderPage
    /// The folder on the library's host, as a `file:` URL; nil for the list of music folders.
    public var path: LocalPath? = nil
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of folders and tracks together; at most 200.
    public var limit: Int = 100
  }

  /// A page of a folder: its folders by name, then its tracks by file name.
  public struct FolderPage: Codable, Hashable, Sendable {
    /// The folder; nil for the list of music folders.
    public var path: LocalPath?
    /// The folders in it that contain music, at any depth.
    public var folders: [Folder]
    /// The albums of its own tracks, at most 50, on the first page with files.
    public var albums: [Album] = []
    /// The tracks of the files in it. A copy that is not shown elsewhere is shown here.
    public var tracks: [FolderTrack] = []
    /// The cursor of the next page; nil on the last.
    public var next: String? = nil

    /// A folder in a list.
    public struct Folder: Codable, Hashable, Sendable {
      /// The last part of its path, as text for people; the whole path of a music folder.
      public var name: String
      /// The path.
      public var path: LocalPath
      /// The id by which the folder can be played, with all folders below it.
      public var id: PlayableID
    }

    /// A file with its track.
    public struct FolderTrack: Codable, Hashable, Sendable {
      /// The name of the file, as text for people.
      public var name: String
      /// The track that is shown for it, which another copy may stand for.
      public var track: Track
    }
  }
}

public import Model

/// Reports of the runs with providers, the answers of a person, and removals that can be taken back.
extension Library {
  /// Reads what the last runs with a provider did. Since 0.2.
  public struct ReadProviderReports: ReadRequest {
    public static let kind = "library.read-provider-reports"
    /// The reports; refused with `library.unknownProvider`.
    public typealias Answer = ProviderReports
    /// The name of the provider, or of a source.
    public var name: String
    /// The largest number of reports, the latest first; at most 50.
    public var limit: Int = 10
  }

  /// The last runs with a provider, and their questions.
  public struct ProviderReports: Codable, Hashable, Sendable {
    /// The reports, the latest first.
    public var reports: [ProviderReport]
    /// The removals that wait for an answer.
    public var questions: [ProviderQuestion] = []
    /// The removals of the last 30 days that can be taken back, the latest first, at most 200.
    public var removals: [ProviderRemoval] = []
    /// The playlists on either side.
    public var lists: [ProviderPlaylist] = []
  }

  /// One run with a provider, as it is shown to people.
  public struct ProviderReport: Codable, Hashable, Sendable {
    /// The start of the run.
    public var startedAt: Timestamp
    /// The number of entries that were added on either side.
    public var added: Int = 0
    /// The number of entries that were removed from either side.
    public var removed: Int = 0
    /// A line for each playlist or part of which there is something to say.
    public var lines: [ProviderReportLine] = []
    /// The error that ended the run; nil if it was finished.
    public var problem: LunaraError? = nil
  }

  /// The effects of a run on one playlist or part.
  public struct ProviderReportLine: Codable, Hashable, Sendable {
    /// The title of the playlist, or the name of the part.
    public var title: String
    /// Whole sentences.
    public var text: String
  }

  /// Removals at a provider that are so many that a person is asked.
  public struct ProviderQuestion: Codable, Hashable, Sendable {
    /// The id of the question, such as the id of a playlist; unique within the provider.
    public var id: String
    /// The title of the playlist, or the name of the part.
    public var title: String
    /// The number of entries that would be removed here.
    public var removed: Int
    /// The number of entries that are here.
    public var total: Int
  }

  /// Something that a run removed.
  public struct ProviderRemoval: Codable, Hashable, Sendable {
    /// The id of the removal; unique within the provider.
    public var id: String
    /// The time.
    public var at: Timestamp
    /// The playlist or part from which it was removed.
    public var from: String
    /// The title of the track, album or artist.
    public var title: String
    /// The artist; empty for an artist.
    public var artist: String
    /// True if it was removed here, false if it was removed at the provider.
    public var isHere: Bool
  }

  /// A playlist that is here or at a provider.
  public struct ProviderPlaylist: Codable, Hashable, Sendable {
    /// The id here; nil if it is only at the provider.
    public var id: PlaylistID?
    /// The provider's id; nil if it is only here.
    public var native: String?
    /// The title.
    public var title: String
    /// True if it is kept in step, or will be.
    public var isKept: Bool
  }

  /// Answers a question about removals. Since 0.2.
  public struct AnswerProvider: CommandRequest {
    public static let kind = "library.answer-provider"
    /// Answers once the answer is stored; the next run, which follows at once, acts on it. Refused with
    /// `library.unknownProvider`, `library.unknownQuestion`.
    public typealias Answer = Done
    /// The provider's name.
    public var name: String
    /// The id of the question.
    public var question: String
    /// True to remove the entries here as well, false to keep them; the provider then gets them again.
    public var removes: Bool
  }

  /// Takes back a removal of the last 30 days. Since 0.2.
  public struct UndoRemoval: CommandRequest {
    public static let kind = "library.undo-removal"
    /// Answers once it is here again; the provider gets it with the next run. Refused with `library.unknownProvider`,
    /// `library.nothingToUndo`.
    public typealias Answer = Done
    /// The provider's name.
    public var name: String
    /// The id of the removal.
    public var removal: String
  }
}

/// The wish list: albums and artists that are not in the library.
extension Library {
  /// Reads a page of the wish list, the latest first. Since 0.2.
  public struct ListWishes: ReadRequest {
    public static let kind = "library.list-wishes"
    /// Wishes and the cursor of the next page; refused with `storage.failed`.
    public typealias Answer = Page<Wish>
    /// The cursor: `next` of the page before; nil for the first page.
    public var after: String? = nil
    /// The largest number of items; at most 200.
    public var limit: Int = 100
  }

  /// An album or artist that a person wishes for. It leaves the list once it is in the library.
  public struct Wish: Codable, Hashable, Sendable {
    /// The id, from 1.
    public var id: Int64
    /// The artist.
    public var artist: String
    /// The title of the album; nil if the whole artist is meant.
    public var album: String?
    /// The providers that have it, by name; empty for one that a person added.
    public var providers: [String] = []
    /// The time when it was added.
    public var addedAt: Timestamp
    /// The MusicBrainz id of the album's release group; nil if unknown.
    public var releaseGroup: String? = nil
  }

  /// Adds a wish. Since 0.2.
  public struct AddWish: CommandRequest {
    public static let kind = "library.add-wish"
    /// The wish, also one that was there already; refused with `library.badWish`, `library.wishIsHere`.
    public typealias Answer = Wish
    /// The artist: 1 to 500 bytes.
    public var artist: String
    /// The title of the album, 1 to 500 bytes; nil for the whole artist.
    public var album: String? = nil
    /// The MusicBrainz id of the album's release group; nil if unknown.
    public var releaseGroup: String? = nil
  }

  /// Removes a wish. A provider's is not added again for a year after the provider last had it. Since 0.2.
  public struct RemoveWish: CommandRequest {
    public static let kind = "library.remove-wish"
    /// Refused with `library.unknownID`.
    public typealias Answer = Done
    /// The id of the wish.
    public var id: Int64
  }
}

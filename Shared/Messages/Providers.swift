public import Model

/// The messages of `lunara-providers`: one node in a household that links providers, `providers@main`, on the machine
/// of the library, which alone asks it. It signs in at providers, keeps their secrets, and makes the calls of the
/// library's runs. The library decides what is compared and changed.
public enum Providers {
  /// Signs in at a provider. Secrets are sent in this request only. A sign-in whose secrets are not kept is forgotten.
  /// Since 0.2.
  public struct SignIn: CommandRequest {
    public static let kind = "providers.sign-in"
    /// The next step; refused with `library.unknownProvider`, `library.signedOut`, `library.signInFailed`,
    /// `library.tokenNeeded`, `library.providerAway`, `library.badProviderSetting`.
    public typealias Answer = SignInStep
    /// The person's request to the library, with the fields of `LinkProvider`.
    public var request: Library.LinkProvider
  }

  /// The next step of signing in: an address to open, or a ticket.
  public struct SignInStep: Codable, Hashable, Sendable {
    /// The address that the person opens; nil if they are signed in.
    public var open: String? = nil
    /// The name of the account; nil if it is not known.
    public var account: String? = nil
    /// The ticket for `KeepSignIn`; nil if there is an address to open.
    public var ticket: String? = nil
  }

  /// Stores the secrets of a sign-in. Since 0.2.
  public struct KeepSignIn: CommandRequest {
    public static let kind = "providers.keep-sign-in"
    /// Answers once they are stored; refused with `library.signInFailed` for a ticket of an earlier start.
    public typealias Answer = Done
    /// The ticket of the sign-in, which ends with the process.
    public var ticket: String
    /// The name that the library gives the provider.
    public var name: String
  }

  /// Ends the run with a provider, and removes its secrets. Since 0.2.
  public struct Forget: CommandRequest {
    public static let kind = "providers.forget"
    /// Answers once they are removed.
    public typealias Answer = Done
    /// The provider's name.
    public var name: String
  }

  /// Begins a run with a provider. The calls of its former run are broken off, and have ended before the answer. Since
  /// 0.2.
  public struct Connect: CommandRequest {
    public static let kind = "providers.connect"
    /// The run; refused with `library.signedOut`, `library.unknownProvider`.
    public typealias Answer = Connected
    /// The provider's name.
    public var name: String
    /// The kind, as in `Library.ProviderKind`.
    public var type: String
    /// The base address of its interface; nil for the provider's own.
    public var address: String? = nil
    /// The name of the account; nil if it is not known.
    public var account: String? = nil
    /// The pauses that its former answers asked for, as the answers of `Read` gave them.
    public var pacing: ProviderPacing
  }

  /// A run with a provider that has begun.
  public struct Connected: Codable, Hashable, Sendable {
    /// The id of the run, which ends with the process.
    public var run: String
  }

  /// Asks one question of a provider. Lists, entries and items are read whole before the answer, and come in pages of
  /// some 48 KiB. Such a reading counts only with all its pages and `total` elements. Since 0.2.
  public struct Read: ReadRequest {
    public static let kind = "providers.read"
    /// The answer to the question; refused with `library.providerAway`, `library.providerRefused`, `library.signedOut`.
    public typealias Answer = Reading
    /// The run.
    public var run: String
    /// The question.
    public var question: Question
    /// The provider's id of the list, or `liked`; for entries, snapshot and capabilities.
    public var list: String?
    /// The part, for items and item.
    public var part: Library.SyncPart?
    /// The reading, for a page of it.
    public var reading: Int?
    /// The number of the page, from 1.
    public var page: Int?
    /// The track whose id is looked up.
    public var track: DescribedTrack?
    /// The album or artist whose id is looked up.
    public var item: SyncItem?

    public init(
      run: String, _ question: Question, list: String? = nil, part: Library.SyncPart? = nil, reading: Int? = nil,
      page: Int? = nil, track: DescribedTrack? = nil, item: SyncItem? = nil
    ) {
      self.run = run
      self.question = question
      self.list = list
      self.part = part
      self.reading = reading
      self.page = page
      self.track = track
      self.item = item
    }
  }

  /// A question to a provider.
  public enum Question: String, TolerantName {
    /// All lists, without the liked tracks.
    case lists
    /// All entries of a list.
    case entries
    /// All saved albums or followed artists.
    case items
    /// A further page of a reading that was complete.
    case page
    /// The mark of the contents of a list.
    case snapshot
    /// The changes that a list allows.
    case capabilities
    /// The provider's id of a track.
    case track
    /// The provider's id of an album or artist.
    case item
    /// The pauses that the answers of this run asked for.
    case pacing
    case unknown
  }

  /// The answer to a question. A reading comes in pages, and is complete once there are `total` elements.
  public struct Reading: Codable, Hashable, Sendable {
    /// Lists of this page; nil for other questions.
    public var lists: [RemoteList]? = nil
    /// Entries of this page; nil for other questions.
    public var entries: [RemoteEntry]? = nil
    /// Items of this page; nil for other questions.
    public var items: [RemoteItem]? = nil
    /// The number of the reading, by which its further pages are read; nil if it changed while it was read.
    public var reading: Int? = nil
    /// The number of its pages.
    public var pages: Int? = nil
    /// The number of its elements.
    public var total: Int? = nil
    /// The mark of the contents; nil if the provider has none.
    public var snapshot: String? = nil
    /// The provider's id; nil if it has none.
    public var native: String? = nil
    /// The changes that a list allows; nil for other questions.
    public var capabilities: ListCapabilities? = nil
    /// The pauses; nil for other questions.
    public var pacing: ProviderPacing? = nil
  }

  /// Changes something at a provider, at most once. Without an answer it is not known if the change was made. Since
  /// 0.2.
  public struct Change: CommandRequest {
    public static let kind = "providers.change"
    /// Answers once the provider has confirmed it; refused with `library.providerAway`, `library.providerChanged`,
    /// `library.providerRefused`, `library.providerUnclear`, `library.signedOut`.
    public typealias Answer = Changed
    /// The run.
    public var run: String
    /// The change.
    public var edit: Edit
    /// The provider's id of the list; nil for a new one, and for items.
    public var list: String?
    /// The title of a list that is made or described.
    public var title: String?
    /// The description of a list that is made or described.
    public var summary: String?
    /// The part of items.
    public var part: Library.SyncPart?
    /// The provider's ids: of tracks, of items, or those of entries for `remove-entries`.
    public var natives: [String]?
    /// The tracks that the list is expected to hold, without which nothing is changed.
    public var expected: [String]?
    /// The position of the change; nil for the end.
    public var position: Int?
    /// The position to which an entry is moved, counted without it.
    public var target: Int?
    /// The provider's id of an entry that is moved; nil if it has none.
    public var place: String?
    /// The number of ids that `hold` requests have given for this change before, in `natives` and `expected` together;
    /// nil for none.
    public var held: Int?

    public init(
      run: String, _ edit: Edit, list: String? = nil, title: String? = nil, summary: String? = nil,
      part: Library.SyncPart? = nil, natives: [String]? = nil, expected: [String]? = nil, position: Int? = nil,
      target: Int? = nil, place: String? = nil, held: Int? = nil
    ) {
      self.run = run
      self.edit = edit
      self.list = list
      self.title = title
      self.summary = summary
      self.part = part
      self.natives = natives
      self.expected = expected
      self.position = position
      self.target = target
      self.place = place
      self.held = held
    }
  }

  /// A change at a provider.
  public enum Edit: String, TolerantName {
    /// Makes a private list without entries.
    case create
    /// Sets the title and the description of a list.
    case describe
    /// Deletes a list.
    case delete
    /// Saves albums or follows artists.
    case addItems = "add-items"
    /// Ends that albums are saved or artists followed.
    case removeItems = "remove-items"
    /// Removes entries by their own ids.
    case removeEntries = "remove-entries"
    /// Removes the expected tracks from a position on.
    case removeAt = "remove-at"
    /// Removes all entries of these tracks.
    case removeTracks = "remove-tracks"
    /// Adds tracks at a position.
    case insert
    /// Moves the entry at a position, whose track is the only one of `natives`.
    case move
    /// Replaces all entries, which are the expected ones.
    case replace
    /// Gives the beginning of a `replace` that is too long for one message. Nothing is sent to the provider.
    case hold
    case unknown
  }

  /// The result of a change.
  public struct Changed: Codable, Hashable, Sendable {
    /// The provider's id of a list that was made; nil for other changes.
    public var native: String? = nil
  }

  /// Asks ListenBrainz not to recommend an album, with the account that scrobbles. Since 0.2.
  public struct HideReleaseGroup: CommandRequest {
    public static let kind = "providers.hide-release-group"
    /// Answers once ListenBrainz has confirmed it; refused with `library.signedOut`, `library.providerAway`,
    /// `library.providerRefused`, `library.providerUnclear`.
    public typealias Answer = Done
    /// The MusicBrainz id of the release group.
    public var releaseGroup: String
  }
}

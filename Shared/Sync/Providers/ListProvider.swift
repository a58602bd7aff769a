public import Messages
public import Model

/// A service that keeps playlists and liked music of a person, with which the library keeps its own in step.
///
/// Each call throws the errors of `ProviderError`, and `CancellationError`. A call that changes something there is made
/// once: after an error it is not known if it had an effect, which the next reading tells.
public protocol ListProvider: Sendable {
  /// The id that stands for the liked tracks among the lists. No list of any provider has it.
  static var liked: String { get }

  /// Returns the changes that the provider allows in a list.
  func capabilities(of list: String) async throws -> ListCapabilities

  /// Reads the person's lists, without the liked tracks; nil if they changed while they were read.
  func lists() async throws -> [RemoteList]?

  /// Reads all entries of a list; nil if it changed while it was read.
  func reading(of list: String) async throws -> RemoteReading?

  /// Returns the mark of the contents of a list that the overview does not have, such as the liked tracks; nil if there
  /// is none, so that the list has to be read.
  func snapshot(of list: String) async throws -> String?

  /// Makes a private list without entries, and returns its id.
  func create(title: String, summary: String) async throws -> String

  /// Sets the title and the description of a list.
  func describe(_ list: String, title: String, summary: String) async throws

  func delete(_ list: String) async throws

  /// Makes one change to the entries of a list. A step that expects something is preceded by a reading if the provider
  /// does not check it itself, and throws `library.providerChanged` if the list holds something else.
  func apply(_ step: RemoteStep, to list: String) async throws

  /// Reads all saved albums or followed artists; nil if they changed while they were read.
  func items(of part: Library.SyncPart) async throws -> [RemoteItem]?

  /// Saves albums or follows artists, by the provider's ids.
  func add(_ natives: [String], to part: Library.SyncPart) async throws

  func remove(_ natives: [String], from part: Library.SyncPart) async throws

  /// Looks up the provider's id of a track; nil if it has none with the same code (ISRC), or with an artist and a title
  /// that are the same in their normal forms.
  func track(_ track: DescribedTrack) async throws -> String?

  /// Looks up the provider's id of an album or artist; nil if it has none with the same names in their normal forms.
  func item(_ item: SyncItem, of part: Library.SyncPart) async throws -> String?

  /// Returns the provider's id of a track that is known without asking, such as by its ISRC, MusicBrainz id or address.
  func known(_ track: DescribedTrack) -> String?
}

extension ListProvider {
  /// The id that no provider's list has.
  public static var liked: String { "liked" }

  /// Returns nil: most lists have no mark beside that of the overview.
  public func snapshot(of list: String) async throws -> String? { nil }
  /// Returns none: a provider may have lists only.
  public func items(of part: Library.SyncPart) async throws -> [RemoteItem]? { [] }
  /// Does nothing, as there are no items.
  public func add(_ natives: [String], to part: Library.SyncPart) async throws {}
  /// Does nothing, as there are no items.
  public func remove(_ natives: [String], from part: Library.SyncPart) async throws {}
  /// Returns nil, as there are no items.
  public func item(_ item: SyncItem, of part: Library.SyncPart) async throws -> String? { nil }
}

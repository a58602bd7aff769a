public import Model

/// The messages of `lunara-library`: one node in a household, `library@main`.
public enum Library {}

extension Library {
  /// The size and the sources of the catalogue. If the generation changes, programs read again what they show; if only
  /// the revision of the lists does, they read playlists and collections again.
  public struct CatalogueState: State, Hashable {
    public static let kind = "library.catalogue"
    /// The generation, which grows with every refresh that changed something of the music.
    public var generation: Int64
    /// The revision of the playlists and collections, which grows with every change of one; nil from former versions,
    /// whose generation grows with them.
    public var lists: Int64? = nil
    /// The number of albums.
    public var albums: Int
    /// The number of tracks.
    public var tracks: Int
    /// The sources with their health, in the order in which their copies are preferred.
    public var sources: [SourceStatus]
  }

  /// One source of music with its health.
  public struct SourceStatus: Codable, Hashable, Sendable {
    /// The source's name, which is the first part of the ids of its items.
    public var name: String
    /// The kind, such as `files` or `plex`.
    public var kind: String
    /// `ready`, `scanning`, `unreachable`, `signed-out` or `empty`.
    public var health: String
    /// The time when it was last read completely; nil if never.
    public var lastRefreshed: Timestamp?
    /// The number of its albums.
    public var albums: Int
    /// The number of its tracks.
    public var tracks: Int
    /// The number of problems of the last refresh.
    public var problemCount: Int
    /// The first problems, at most 10; each names the file and says what to do.
    public var problems: [LunaraError]
    /// The progress of the running refresh; nil if none runs.
    public var progress: Progress? = nil
    /// The address of the server in use, without secrets; nil for folders.
    public var address: String? = nil
    /// The method of the last refresh: `full`, `delta`, or `counter` if nothing had changed.
    public var method: String? = nil
    /// The newest refreshes, at most 5, newest first.
    public var runs: [RefreshRun]? = nil
    /// The files in its folders that are no music; nil for servers.
    public var unused: Int? = nil
    /// The files and folders in its folders that a rule leaves out; nil for servers.
    public var ignored: Int? = nil
  }

  /// A refresh that has ended.
  public struct RefreshRun: Codable, Hashable, Sendable {
    /// The time when it began.
    public var startedAt: Timestamp
    /// Its counts.
    public var counts: SyncCounts
  }

  /// The progress of a refresh.
  public struct Progress: Codable, Hashable, Sendable {
    /// Items read so far.
    public var done: Int
    /// Items in all; nil while still counting.
    public var total: Int?
    /// The recent speed in items a second; nil if not known yet.
    public var rate: Double? = nil
  }

  /// A refresh of a source has ended.
  public struct SyncFinished: Fact {
    public static let kind = "library.sync-finished"
    /// It may be lost in a power cut, as the next refresh counts again.
    public static let survives = Durability.process
    /// The source that was refreshed.
    public var source: String
    /// The counts of the refresh.
    public var counts: SyncCounts
    /// The refresh, as the answer of `Sync` names it; nil for a change that was no refresh, such as the removal of a
    /// folder, and from an older library.
    public var refresh: Int64? = nil
  }

  /// A refresh of one source failed; the catalogue is unchanged.
  public struct SyncFailed: Fact {
    public static let kind = "library.sync-failed"
    /// It may be lost in a power cut, as the state of the source has the error as well.
    public static let survives = Durability.process
    /// The source that could not be refreshed.
    public var source: String
    /// The error, which says what to do.
    public var error: LunaraError
    /// The refresh, as the answer of `Sync` names it; nil from an older library.
    public var refresh: Int64? = nil
  }

  /// The numbers of tracks that a refresh changed.
  public struct SyncCounts: Codable, Hashable, Sendable {
    /// Tracks that were not there before.
    public var new: Int
    /// Tracks whose tags or file changed.
    public var changed: Int
    /// Tracks that did not change.
    public var unchanged: Int
    /// Tracks that were removed.
    public var deleted: Int
    /// The duration of the refresh in seconds.
    public var seconds: Double
    /// Files in the music folders that are no music; nil if that is not counted.
    public var unused: Int? = nil
    /// Files and folders that a rule leaves out; nil if that is not counted.
    public var ignored: Int? = nil
  }

  /// The refreshes that a request has started.
  public struct SyncStarted: Codable, Hashable, Sendable {
    /// The refresh of one source.
    public struct Refresh: Codable, Hashable, Sendable {
      /// The source.
      public var source: String
      /// The refresh, which `SyncFinished` or `SyncFailed` names at its end; never used twice for one source.
      public var refresh: Int64
    }

    /// One refresh for each source; nil from an older library.
    public var refreshes: [Refresh]?
  }

  /// Starts a refresh that a person asks for; while one of the source runs, the next one starts after it. It requests
  /// lists that a server refused again, even where refreshes that nobody asks for would wait.
  public struct Sync: CommandRequest {
    public static let kind = "library.sync"
    /// Answers at once. Progress is in `CatalogueState`; `SyncFinished` or `SyncFailed` with the number that the answer
    /// gives reports the end. Refused with `library.unknownSource`, `library.unknownFolder`, `library.notReadAgain`.
    public typealias Answer = SyncStarted
    /// The source; nil for all.
    public var source: String? = nil
    /// True to delete missing tracks regardless of their number, and for a named source also to accept that another
    /// server replaces the former one; nil for false.
    public var acceptDeletions: Bool? = nil
    /// True to read the tags of files again whose size and times have not changed; nil for false. Since 0.4.
    public var isReadAgain: Bool? = nil
    /// The folder whose files are read again; nil for all.
    public var folder: LocalPath? = nil
  }
}

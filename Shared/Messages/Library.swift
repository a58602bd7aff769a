public import Model

/// The messages of `lunara-library`: one node a household, `library@main`.
public enum Library {}

extension Library {
  /// The size and the sources of the catalogue. With a new generation, programs read again what they show.
  public struct CatalogueState: State, Hashable {
    public static let kind = "library.catalogue"
    /// Grows with every refresh that changed something.
    public var generation: Int64
    /// The number of albums.
    public var albums: Int
    /// The number of tracks.
    public var tracks: Int
    /// The sources with their health.
    public var sources: [SourceStatus]

    public init(generation: Int64, albums: Int, tracks: Int, sources: [SourceStatus]) {
      self.generation = generation
      self.albums = albums
      self.tracks = tracks
      self.sources = sources
    }
  }

  /// One source of music with its health.
  public struct SourceStatus: Codable, Hashable, Sendable {
    /// The source's name, the first part of its ids.
    public var name: String
    /// `files`, `plex` or `subsonic`.
    public var kind: String
    /// `ready`, `scanning`, `unreachable`, `signed-out` or `empty`.
    public var health: String
    /// The time at which it was last read completely; nil where never.
    public var lastRefreshed: Timestamp?
    /// The number of its albums.
    public var albums: Int
    /// The number of its tracks.
    public var tracks: Int
    /// The number of problems of the last refresh.
    public var problemCount: Int
    /// The first of them, at most 10: each names the file and what to do.
    public var problems: [LunaraError]
    /// The progress of a running refresh; nil where none runs.
    public var progress: Progress?
    /// The address of the server in use, without any secret; nil for folders.
    public var address: String?
    /// The method by which the last refresh found changes: `full`, `delta`, or `counter` where nothing had changed.
    public var method: String?
    /// Its newest refreshes, at most 5, newest first.
    public var runs: [RefreshRun]?

    public init(
      name: String, kind: String, health: String, lastRefreshed: Timestamp?, albums: Int, tracks: Int,
      problemCount: Int, problems: [LunaraError], progress: Progress? = nil, address: String? = nil,
      method: String? = nil, runs: [RefreshRun]? = nil
    ) {
      self.name = name
      self.kind = kind
      self.health = health
      self.lastRefreshed = lastRefreshed
      self.albums = albums
      self.tracks = tracks
      self.problemCount = problemCount
      self.problems = problems
      self.progress = progress
      self.address = address
      self.method = method
      self.runs = runs
    }
  }

  /// One refresh that ended.
  public struct RefreshRun: Codable, Hashable, Sendable {
    /// The time at which it began.
    public var startedAt: Timestamp
    /// Its counts.
    public var counts: SyncCounts

    public init(startedAt: Timestamp, counts: SyncCounts) {
      self.startedAt = startedAt
      self.counts = counts
    }
  }

  /// The progress of a refresh.
  public struct Progress: Codable, Hashable, Sendable {
    /// Items read so far.
    public var done: Int
    /// Items in all; nil while still counting.
    public var total: Int?
    /// Items a second of late; nil where it is not known yet.
    public var rate: Double?

    public init(done: Int, total: Int?, rate: Double? = nil) {
      self.done = done
      self.total = total
      self.rate = rate
    }
  }

  /// A refresh of one source ended.
  public struct SyncFinished: Fact {
    public static let kind = "library.sync-finished"
    /// A power cut may lose it, as the next refresh counts again.
    public static let survives = Durability.process
    /// The source.
    public var source: String
    /// The counts of the refresh.
    public var counts: SyncCounts

    public init(source: String, counts: SyncCounts) {
      self.source = source
      self.counts = counts
    }
  }

  /// A refresh of one source failed; the catalogue is unchanged.
  public struct SyncFailed: Fact {
    public static let kind = "library.sync-failed"
    /// A power cut may lose it, as the state of the source tells it too.
    public static let survives = Durability.process
    /// The source.
    public var source: String
    /// The error, which says what to do.
    public var error: LunaraError

    public init(source: String, error: LunaraError) {
      self.source = source
      self.error = error
    }
  }

  /// The counts of a refresh, in tracks.
  public struct SyncCounts: Codable, Hashable, Sendable {
    /// Tracks that were not there before.
    public var new: Int
    /// Tracks whose tags or file changed.
    public var changed: Int
    /// Tracks left as they were.
    public var unchanged: Int
    /// Tracks that were removed.
    public var deleted: Int
    /// Its duration in seconds.
    public var seconds: Double

    public init(new: Int, changed: Int, unchanged: Int, deleted: Int, seconds: Double) {
      self.new = new
      self.changed = changed
      self.unchanged = unchanged
      self.deleted = deleted
      self.seconds = seconds
    }
  }

  /// Refreshes sources now.
  public struct Sync: CommandRequest {
    public static let kind = "library.sync"
    /// Answers as soon as the refresh is under way; progress is in `CatalogueState`, the end is `SyncFinished` or
    /// `SyncFailed`.
    public typealias Answer = Done
    /// The source; nil for all.
    public var source: String?
    /// True to delete missing tracks however many they are; nil for no.
    public var acceptDeletions: Bool?

    public init(source: String? = nil, acceptDeletions: Bool? = nil) {
      self.source = source
      self.acceptDeletions = acceptDeletions
    }
  }
}

public import Model

/// The messages of `lunara-library`: one node a household, `library@main`.
public enum Library {}

extension Library {
  /// Tells surfaces that the catalogue changed; they read again what they show.
  public struct CatalogueState: State, Hashable {
    /// The stable name.
    public static let kind = "library.catalogue"
    /// Grows with every refresh that changed something.
    public var generation: Int64
    /// How many albums there are.
    public var albums: Int
    /// How many tracks there are.
    public var tracks: Int
    /// The sources with their health.
    public var sources: [SourceStatus]

    /// Makes a state.
    public init(generation: Int64, albums: Int, tracks: Int, sources: [SourceStatus]) {
      self.generation = generation
      self.albums = albums
      self.tracks = tracks
      self.sources = sources
    }
  }

  /// One source of music and how it fares.
  public struct SourceStatus: Codable, Hashable, Sendable {
    /// The source's name, the first part of its ids.
    public var name: String
    /// `files`, `plex` or `subsonic`.
    public var kind: String
    /// `ready`, `scanning`, `unreachable`, `signed-out` or `empty`.
    public var health: String
    /// When it was last read completely; nil where never.
    public var lastRefreshed: Timestamp?
    /// How many albums come from it.
    public var albums: Int
    /// How many tracks come from it.
    public var tracks: Int
    /// How many problems the last refresh met.
    public var problemCount: Int
    /// The first of them, at most 10: each names the file and what to do.
    public var problems: [LunaraError]
    /// How far a running refresh has come; nil where none runs.
    public var progress: Progress?
    /// The address of the server in use, without any secret; nil for folders.
    public var address: String?
    /// How the last refresh found out what had changed: `full`, `delta`, `counter` (nothing had), `validators`.
    public var method: String?
    /// Its newest refreshes, at most 5, newest first.
    public var runs: [RefreshRun]?

    /// Makes a status.
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

  /// One refresh that came to its end.
  public struct RefreshRun: Codable, Hashable, Sendable {
    /// When it began.
    public var startedAt: Timestamp
    /// What it did.
    public var counts: SyncCounts

    /// Makes a run.
    public init(startedAt: Timestamp, counts: SyncCounts) {
      self.startedAt = startedAt
      self.counts = counts
    }
  }

  /// How far a refresh has come.
  public struct Progress: Codable, Hashable, Sendable {
    /// Items read so far.
    public var done: Int
    /// Items in all; nil while still counting.
    public var total: Int?
    /// Items a second of late; nil where it is not known yet.
    public var rate: Double?

    /// Makes a progress.
    public init(done: Int, total: Int?, rate: Double? = nil) {
      self.done = done
      self.total = total
      self.rate = rate
    }
  }

  /// A refresh of one source came to its end.
  public struct SyncFinished: Fact {
    /// The stable name.
    public static let kind = "library.sync-finished"
    /// It can be found out again; losing it in a power cut is no harm.
    public static let survives = Durability.process
    /// The source.
    public var source: String
    /// What the refresh did.
    public var counts: SyncCounts

    /// Makes the fact.
    public init(source: String, counts: SyncCounts) {
      self.source = source
      self.counts = counts
    }
  }

  /// A refresh of one source could not be carried out; the catalogue is what it was.
  public struct SyncFailed: Fact {
    /// The stable name.
    public static let kind = "library.sync-failed"
    /// It is told by the source's state as well; losing it in a power cut is no harm.
    public static let survives = Durability.process
    /// The source.
    public var source: String
    /// Why, and what to do.
    public var error: LunaraError

    /// Makes the fact.
    public init(source: String, error: LunaraError) {
      self.source = source
      self.error = error
    }
  }

  /// What a refresh did, in tracks.
  public struct SyncCounts: Codable, Hashable, Sendable {
    /// Tracks that were not there before.
    public var new: Int
    /// Tracks whose tags or file changed.
    public var changed: Int
    /// Tracks left as they were.
    public var unchanged: Int
    /// Tracks that are gone.
    public var deleted: Int
    /// How long it took.
    public var seconds: Double

    /// Makes the counts.
    public init(new: Int, changed: Int, unchanged: Int, deleted: Int, seconds: Double) {
      self.new = new
      self.changed = changed
      self.unchanged = unchanged
      self.deleted = deleted
      self.seconds = seconds
    }
  }
}

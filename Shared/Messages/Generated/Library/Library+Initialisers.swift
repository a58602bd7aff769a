// Generated from Library.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.CatalogueState {
  public init(
    generation: Int64, lists: Int64? = nil, albums: Int, tracks: Int, sources: [Library.SourceStatus], _: Void = ()
  ) {
    self.generation = generation
    self.lists = lists
    self.albums = albums
    self.tracks = tracks
    self.sources = sources
  }
}

extension Library.SourceStatus {
  public init(
    name: String, kind: String, health: String, lastRefreshed: Timestamp?, albums: Int, tracks: Int, problemCount: Int,
    problems: [LunaraError], progress: Library.Progress? = nil, address: String? = nil, method: String? = nil,
    runs: [Library.RefreshRun]? = nil, unused: Int? = nil, ignored: Int? = nil, _: Void = ()
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
    self.unused = unused
    self.ignored = ignored
  }
}

extension Library.RefreshRun {
  public init(startedAt: Timestamp, counts: Library.SyncCounts, _: Void = ()) {
    self.startedAt = startedAt
    self.counts = counts
  }
}

extension Library.Progress {
  public init(done: Int, total: Int?, rate: Double? = nil, _: Void = ()) {
    self.done = done
    self.total = total
    self.rate = rate
  }
}

extension Library.SyncFinished {
  public init(source: String, counts: Library.SyncCounts, refresh: Int64? = nil, _: Void = ()) {
    self.source = source
    self.counts = counts
    self.refresh = refresh
  }
}

extension Library.SyncFailed {
  public init(source: String, error: LunaraError, refresh: Int64? = nil, _: Void = ()) {
    self.source = source
    self.error = error
    self.refresh = refresh
  }
}

extension Library.SyncCounts {
  public init(
    new: Int, changed: Int, unchanged: Int, deleted: Int, seconds: Double, unused: Int? = nil, ignored: Int? = nil,
    _: Void = ()
  ) {
    self.new = new
    self.changed = changed
    self.unchanged = unchanged
    self.deleted = deleted
    self.seconds = seconds
    self.unused = unused
    self.ignored = ignored
  }
}

extension Library.SyncStarted.Refresh {
  public init(source: String, refresh: Int64, _: Void = ()) {
    self.source = source
    self.refresh = refresh
  }
}

extension Library.SyncStarted {
  public init(refreshes: [Refresh]?, _: Void = ()) { self.refreshes = refreshes }
}

extension Library.Sync {
  public init(
    source: String? = nil, acceptDeletions: Bool? = nil, isReadAgain: Bool? = nil, folder: LocalPath? = nil,
    _: Void = ()
  ) {
    self.source = source
    self.acceptDeletions = acceptDeletions
    self.isReadAgain = isReadAgain
    self.folder = folder
  }
}

// Generated from Library+Problems.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.Problem {
  public init(
    kind: Library.ProblemKind, source: String, path: LocalPath? = nil, problem: LunaraError, track: TrackID? = nil,
    count: Int? = nil, _: Void = ()
  ) {
    self.kind = kind
    self.source = source
    self.path = path
    self.problem = problem
    self.track = track
    self.count = count
  }
}

extension Library.ProblemCount {
  public init(kind: Library.ProblemKind, code: String, count: Int, _: Void = ()) {
    self.kind = kind
    self.code = code
    self.count = count
  }
}

extension Library.ListProblems {
  public init(
    only: Library.ProblemKind? = nil, folder: LocalPath? = nil, after: String? = nil, limit: Int = 100, _: Void = ()
  ) {
    self.only = only
    self.folder = folder
    self.after = after
    self.limit = limit
  }
}

extension Library.ProblemPage {
  public init(items: [Library.Problem], counts: [Library.ProblemCount], next: String? = nil, _: Void = ()) {
    self.items = items
    self.counts = counts
    self.next = next
  }
}

// Generated from Library+SyncReports.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ReadProviderReports {
  public init(name: String, limit: Int = 10, _: Void = ()) {
    self.name = name
    self.limit = limit
  }
}

extension Library.ProviderReports {
  public init(
    reports: [Library.ProviderReport], questions: [Library.ProviderQuestion] = [],
    removals: [Library.ProviderRemoval] = [], lists: [Library.ProviderPlaylist] = [], _: Void = ()
  ) {
    self.reports = reports
    self.questions = questions
    self.removals = removals
    self.lists = lists
  }
}

extension Library.ProviderReport {
  public init(
    startedAt: Timestamp, added: Int = 0, removed: Int = 0, lines: [Library.ProviderReportLine] = [],
    problem: LunaraError? = nil, _: Void = ()
  ) {
    self.startedAt = startedAt
    self.added = added
    self.removed = removed
    self.lines = lines
    self.problem = problem
  }
}

extension Library.ProviderReportLine {
  public init(title: String, text: String, _: Void = ()) {
    self.title = title
    self.text = text
  }
}

extension Library.ProviderQuestion {
  public init(id: String, title: String, removed: Int, total: Int, _: Void = ()) {
    self.id = id
    self.title = title
    self.removed = removed
    self.total = total
  }
}

extension Library.ProviderRemoval {
  public init(id: String, at: Timestamp, from: String, title: String, artist: String, isHere: Bool, _: Void = ()) {
    self.id = id
    self.at = at
    self.from = from
    self.title = title
    self.artist = artist
    self.isHere = isHere
  }
}

extension Library.ProviderPlaylist {
  public init(id: PlaylistID?, native: String?, title: String, isKept: Bool, _: Void = ()) {
    self.id = id
    self.native = native
    self.title = title
    self.isKept = isKept
  }
}

extension Library.AnswerProvider {
  public init(name: String, question: String, removes: Bool, _: Void = ()) {
    self.name = name
    self.question = question
    self.removes = removes
  }
}

extension Library.UndoRemoval {
  public init(name: String, removal: String, _: Void = ()) {
    self.name = name
    self.removal = removal
  }
}

extension Library.ListWishes {
  public init(after: String? = nil, limit: Int = 100, _: Void = ()) {
    self.after = after
    self.limit = limit
  }
}

extension Library.Wish {
  public init(
    id: Int64, artist: String, album: String?, providers: [String] = [], addedAt: Timestamp,
    releaseGroup: String? = nil, _: Void = ()
  ) {
    self.id = id
    self.artist = artist
    self.album = album
    self.providers = providers
    self.addedAt = addedAt
    self.releaseGroup = releaseGroup
  }
}

extension Library.AddWish {
  public init(artist: String, album: String? = nil, releaseGroup: String? = nil, _: Void = ()) {
    self.artist = artist
    self.album = album
    self.releaseGroup = releaseGroup
  }
}

extension Library.RemoveWish {
  public init(id: Int64, _: Void = ()) { self.id = id }
}

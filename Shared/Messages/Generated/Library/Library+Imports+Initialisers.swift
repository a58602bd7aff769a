// Generated from Library+Imports.swift by `make generate`: memberwise initialisers for other modules.
// Nobody passes the last parameter. It tells an initialiser from the one that the compiler makes for this module alone.
// swift-format-ignore-file
public import Model

extension Library.ImportPlays {
  public init(folder: LocalPath? = nil, isDryRun: Bool = false, _: Void = ()) {
    self.folder = folder
    self.isDryRun = isDryRun
  }
}

extension Library.ImportedPlays {
  public init(found: Int = 0, raised: Int = 0, same: Int = 0, plays: Int = 0, _: Void = ()) {
    self.found = found
    self.raised = raised
    self.same = same
    self.plays = plays
  }
}

extension Library.UndoImport {
  public init(of: Library.ImportKind, isDryRun: Bool = false, _: Void = ()) {
    self.of = of
    self.isDryRun = isDryRun
  }
}

extension Library.UndoneImport {
  public init(undone: Int = 0, kept: Int = 0, importedAt: Timestamp? = nil, _: Void = ()) {
    self.undone = undone
    self.kept = kept
    self.importedAt = importedAt
  }
}

extension Library.ImportListens {
  public init(name: String, listens: [Scrobble.ImportedListen], isLast: Bool, _: Void = ()) {
    self.name = name
    self.listens = listens
    self.isLast = isLast
  }
}

extension Library.UndoneListenImport {
  public init(removed: Int = 0, importedAt: Timestamp? = nil, _: Void = ()) {
    self.removed = removed
    self.importedAt = importedAt
  }
}

package import Model
import Records

/// The results of a refresh, or of a part of one.
package struct RefreshOutcome: Sendable {
  var new = 0
  var changed = 0
  package var unchanged = 0
  var deleted = 0
  /// Tracks that were not found and stay listed.
  var held = 0
  /// True if all tracks of the source were compared. If not, problems of the last refresh about held
  /// deletions and values that were left out stay.
  package var isComplete = true
  /// True if lists that the server refused before were not requested again. The problems of the last refresh about them
  /// stay.
  package var areListsUnread = false
  /// True if the music changed.
  var isChanged = false
  /// True if a playlist or a collection changed.
  var areListsChanged = false
  package var changes = CatalogueWriter.Changes()
  /// The problems beside those of single files, which are stored with the files.
  package var problems: [LunaraError] = []
  /// The problems that explain why something was not deleted.
  package private(set) var deletionProblems: [LunaraError] = []
  /// True if things that were not found stay until they are found again or a person agrees to their removal, which only
  /// a scan of all folders can tell.
  package var isQuestionOpen: Bool {
    held > 0 && !deletionProblems.isEmpty
      || deletionProblems.contains { [SourceError.heldListsCode, ScanProblem.emptyCode].contains($0.code) }
  }
  /// The time that was spent on publishing portions.
  package var published = Duration.zero
  /// The time for which the last portion kept other changes waiting.
  package var lastPortion = Duration.zero

  package init() {}

  mutating func keep(_ problems: [LunaraError]) {
    self.problems += problems
    deletionProblems += problems
  }

  /// Adds what was written before. `isComplete` and the problems stay those of the last step.
  package mutating func add(_ before: RefreshOutcome) {
    new += before.new
    changed += before.changed
    deleted += before.deleted
    // Tracks that were added or read again before in the same refresh do not count as unchanged.
    unchanged = max(0, unchanged - before.new - before.changed)
    isChanged = isChanged || before.isChanged
    areListsChanged = areListsChanged || before.areListsChanged
    // The set of before is the larger one.
    changes.albums = before.changes.albums.union(changes.albums)
    changes.removed.formUnion(before.changes.removed.subtracting(changes.albums))
    published += before.published
  }
}

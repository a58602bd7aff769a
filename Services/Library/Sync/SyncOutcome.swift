import Model

/// What a refresh of one source did.
struct SyncOutcome: Sendable {
  var new = 0
  var changed = 0
  var unchanged = 0
  var deleted = 0
  /// Tracks that were not found and stay listed.
  var held = 0
  /// Whether all that there is was compared. Where it was not, what is held is held still.
  var isComplete = true
  /// Whether anything of the catalogue is different.
  var isChanged = false
  /// What is shown differently.
  var changes = CatalogueWriter.Changes()
  /// What a person should know, beside the problems of single files that the store keeps.
  var problems: [LunaraError] = []
}

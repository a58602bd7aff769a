import System

/// Listed folders on their way from a walk to the threads that read their files. The walk waits where it is far ahead,
/// so that the memory does not grow with the library.
final class FolderPortions: Sendable {
  private struct State: Sendable {
    var folders: [ScanQueue.Folder] = []
    var files = 0
    var isEnded = false
  }

  /// The number of files from which the walk waits.
  private static let most = 8000

  private let state = Monitor(State())

  /// Adds a folder. Blocks while enough folders wait.
  func add(_ folder: ScanQueue.Folder) {
    let files = folder.listing?.audio.count ?? 0
    _ = state.wait { $0.files < Self.most || $0.isEnded ? true : nil }
    state.change { state in
      guard !state.isEnded else { return }
      state.folders.append(folder)
      state.files += files
    }
  }

  /// True if no more folders come.
  var isEnded: Bool { state.change { $0.isEnded } }

  /// Ends the additions, or all of it where nobody takes folders any more.
  func end() { state.change { $0.isEnded = true } }

  /// Returns the folders that wait, once they hold so many files or no more come; nil after the last. Blocks.
  func next(atLeast files: Int) -> [ScanQueue.Folder]? {
    let folders = state.wait { state -> [ScanQueue.Folder]? in
      guard state.isEnded || state.files >= files else { return nil }
      defer { (state.folders, state.files) = ([], 0) }
      return state.folders
    }
    // The walk may go on.
    state.change { _ in }
    return folders.flatMap { $0.isEmpty ? nil : $0 }
  }
}

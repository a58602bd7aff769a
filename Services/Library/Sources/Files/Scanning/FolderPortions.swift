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

  /// Ends the additions, or all of it where nobody takes folders any more.
  func end() { state.change { $0.isEnded = true } }

  /// Returns folders that hold some so many files, or fewer at the end, and whether they are the last; nil after these.
  /// Blocks until there are so many.
  func next(files: Int) -> (folders: [ScanQueue.Folder], isLast: Bool)? {
    let portion = state.wait { state -> (folders: [ScanQueue.Folder], isLast: Bool)? in
      guard state.isEnded || state.files >= files else { return nil }
      var count = 0
      let end = state.folders.firstIndex { folder in
        count += folder.listing?.audio.count ?? 0
        return count >= files
      }
      let folders = Array(state.folders.prefix((end ?? state.folders.count) + 1))
      state.folders.removeFirst(folders.count)
      state.files -= folders.reduce(0) { $0 + ($1.listing?.audio.count ?? 0) }
      return (folders, state.isEnded && state.folders.isEmpty)
    }
    // The walk may continue.
    state.change { _ in }
    return portion.flatMap { $0.folders.isEmpty ? nil : $0 }
  }
}

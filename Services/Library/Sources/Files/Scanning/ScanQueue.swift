import Records
import Synchronization
import System

/// The work that is left in a scan. The threads that scan share it, and wait in `next` for more.
///
/// Folders come before files, so that the number of files is known early. A symbolic link to a folder is followed only
/// when no real folder is left, and links one at a time in their order, so that a folder with two paths always gets the
/// same one.
final class ScanQueue: Sendable {
  enum Work: Sendable {
    case folder(Folder)
    case files(FileBatch)
  }

  /// A folder to list.
  struct Folder: Sendable {
    var path: [UInt8]
    /// The rules of the ignore files above it; nil without any.
    var rules: IgnoreRules?
    /// False if its subfolders are left out.
    var isRecursive = true
    /// Its contents, if it was listed already.
    var listing: FolderListing?
  }

  struct FileBatch: Sendable {
    /// The index of the folder in `ScanResult.folders` while the scan runs.
    var folder: Int
    var path: [UInt8]
    var files: [FolderEntry]
  }

  private struct State: Sendable {
    var folders: [Folder] = []
    /// Those folders where a request takes long.
    var distant: [Folder] = []
    var links: [Folder] = []
    var batches: [FileBatch] = []
    /// The number of folders that are being listed.
    var listing = 0
    var isStopped = false

    /// Adds folders, of which the first is listed next.
    mutating func add(_ folders: [Folder], areDistant: [Bool]) {
      for (folder, isDistant) in zip(folders, areDistant).reversed() {
        if isDistant { distant.append(folder) } else { self.folders.append(folder) }
      }
    }

    /// True if nothing is left to list.
    var isOver: Bool { listing == 0 && folders.isEmpty && distant.isEmpty && links.isEmpty }
  }

  private let state: Monitor<State>

  private let isDistant: @Sendable (Folder) -> Bool

  /// - Parameters:
  ///   - folders: the folders to begin with.
  ///   - isDistant: returns true for a folder where a request takes long.
  init(_ folders: [Folder], isDistant: @escaping @Sendable (Folder) -> Bool = { _ in false }) {
    self.isDistant = isDistant
    var first = State()
    first.add(folders, areDistant: folders.map(isDistant))
    state = Monitor(first)
  }

  /// Waits for the next piece of work; nil when none is left or the scan was stopped.
  ///
  /// - Parameter onlyDistant: true to take only folders where a request takes long.
  func next(onlyDistant: Bool = false) -> Work? {
    let next = state.wait { state -> Work?? in
      if state.isStopped { return .some(nil) }
      if let folder = onlyDistant ? state.distant.popLast() : state.folders.popLast() ?? state.distant.popLast() {
        state.listing += 1
        return .folder(folder)
      }
      if onlyDistant { return state.isOver ? .some(nil) : nil }
      if state.listing == 0, !state.links.isEmpty {
        state.listing += 1
        return .folder(state.links.removeFirst())
      }
      if let batch = state.batches.popLast() { return .files(batch) }
      return state.listing == 0 ? .some(nil) : nil
    }
    return next ?? nil
  }

  /// Ends the listing of a folder and adds the work that was found in it.
  func listed(subfolders: [Folder], links: [Folder], batches: [FileBatch]) {
    let areDistant = subfolders.map(isDistant)
    state.change { state in
      state.listing -= 1
      state.add(subfolders, areDistant: areDistant)
      if !links.isEmpty {
        state.links += links
        state.links.sort { $0.path.lexicographicallyPrecedes($1.path) }
      }
      state.batches += batches
    }
  }

  /// True if all folders were listed, so that the number of files is known.
  var isListed: Bool { state.change { $0.isOver } }

  func stop() { state.change { $0.isStopped = true } }
}

extension BlockingThreads {
  /// The nice value of threads that scan: on few cores they would else hold up the thread that writes what they found,
  /// which takes as long as they do.
  static let niceOfScans: Int32 = 10
}

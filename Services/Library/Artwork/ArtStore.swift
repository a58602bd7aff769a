import Model
import Storage
import Synchronization

/// Finds pictures: the cover file of a folder where it is, the picture in a file after taking it out once.
actor ArtStore {
  private let database: Database
  private let folder: ArtFolder
  /// The extraction that was asked for last; the next one waits for it, so that two never write one file.
  private var last: Task<LocalPath, any Error>?

  init(database: Database, folder: ArtFolder) {
    self.database = database
    self.folder = folder
  }

  /// The file of a picture.
  ///
  /// - Throws: `library.unknownID`, `library.fileMissing`, `library.artUnwritable`.
  func locate(_ id: ArtID) async throws -> LocalPath {
    switch try await database.read({ try Catalogue.place(of: id, $0) }) {
    case .file(let path):
      try await Self.blocking { try FileCheck.requireReadable(path) }
      return path
    case .embedded(let path, let reference):
      let (folder, before) = (folder, last)
      let name = "\(id.source)-\(reference.native)"
      let task = Task {
        _ = await before?.result
        return try await Self.blocking { () throws -> LocalPath in
          if let found = folder.find(name) { return found }
          return try folder.insert(EmbeddedArt.read(path), as: name)
        }
      }
      last = task
      return try await task.value
    }
  }

  /// Runs what blocks on a thread of its own.
  private static func blocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    let result = Mutex<Result<T, any Error>?>(nil)
    await ReaderThreads.run(1) {
      let value = Result { try body() }
      result.withLock { $0 = value }
    }
    guard let value = result.withLock({ $0 }) else { throw CancellationError() }
    return try value.get()
  }
}

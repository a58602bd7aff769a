import Messages
import Model
import Storage

/// Finds pictures in their original size and as thumbnails. A thumbnail that is missing is made
/// once, however many callers ask for it.
actor ArtStore {
  /// Fetches a picture from a server: takes the source's name, the server's name of the picture, and the pixels that
  /// are needed, nil for the original.
  typealias Fetch = @Sendable (_ source: String, _ reference: String, _ size: Int?) async throws -> [UInt8]

  /// The sizes of thumbnails in pixels.
  static let sizes = [300, 1024]

  let database: Database
  let folder: ArtFolder
  let worker: ArtworkWorker
  private let fetch: Fetch
  private var making: [ThumbnailKey: Task<LocalPath, any Error>] = [:]
  private var count = 0

  private struct ThumbnailKey: Hashable {
    var id: ArtID
    var want: Artwork.Want?
  }

  init(
    database: Database, folder: ArtFolder, worker: ArtworkWorker = ArtworkWorker(),
    fetch: @escaping Fetch = { source, reference, _ in
      throw CatalogueID.unknown(ArtID(source: source, native: reference))
    }
  ) {
    self.database = database
    self.folder = folder
    self.worker = worker
    self.fetch = fetch
  }

  /// Returns the file of a picture.
  ///
  /// - Parameters:
  ///   - size: the longest side that is needed; the smallest size that is not less is given. nil for the picture as the
  ///     source has it.
  ///   - takesWebP: true where it may be WebP.
  ///   - isUrgent: true where somebody waits for it.
  /// - Throws: `library.unknownID`, `library.fileMissing`, `library.badPicture`, `library.artUnwritable`,
  ///   `library.noArtworkWorker`, and what fetching throws.
  func locate(
    _ id: ArtID, size: Int? = nil, takesWebP: Bool = false, isUrgent: Bool = true
  ) async throws -> LocalPath {
    let want = size.map { size in
      Artwork.Want(size: Self.sizes.first { $0 >= size } ?? Self.sizes[1], format: takesWebP ? .webp : .jpeg)
    }
    let key = ThumbnailKey(id: id, want: want)
    if let task = making[key] { return try await task.value }
    let task = Task {
      guard let want else { return try await original(of: id) }
      return try await thumbnail(of: id, want, isUrgent: isUrgent)
    }
    making[key] = task
    defer { making[key] = nil }
    return try await task.value
  }

  /// Ends the worker; callers that wait for a thumbnail get `CancellationError`.
  func stop() async {
    for task in making.values { task.cancel() }
    await worker.stop()
  }

  private func thumbnail(of id: ArtID, _ want: Artwork.Want, isUrgent: Bool) async throws -> LocalPath {
    let isLocal = id.source == FilesSource.name
    let asked = isLocal ? 0 : want.size
    if let found = try await known(id.description, asked, want) { return found }
    guard isLocal else {
      let bytes = try await fetch(id.source, id.native, want.size)
      return try await make(want, of: .bytes(bytes), id.description, asked, isUrgent)
    }
    // `file(of:)` resolves an old reference to that of the picture that replaced it; thumbnails are stored by that.
    let (path, reference) = try await database.read { try Catalogue.file(of: id, $0) }
    let current = ArtID(source: id.source, native: reference.native).description
    if current != id.description, let found = try await known(current, asked, want) { return found }
    let picture: Original =
      if reference.place == .track {
        .bytes(try await BlockingThreads.perform { try EmbeddedArt.read(path) })
      } else {
        .file(path)
      }
    return try await make(want, of: picture, current, asked, isUrgent)
  }

  /// Returns the file of a thumbnail that was made before, if it is still there.
  private func known(_ reference: String, _ size: Int, _ want: Artwork.Want) async throws -> LocalPath? {
    switch try await database.read({ try ArtIndex.find(reference, size: size, $0) }) {
    case nil: return nil
    case .broken: throw WorkerPlan.broken
    case .digest(let digest): return await find(want.fileName(of: digest))
    }
  }

  private func find(_ name: String) async -> LocalPath? {
    let folder = folder
    return await BlockingThreads.value { folder.find(name) } ?? nil
  }

  private enum Original {
    case file(LocalPath)
    case bytes([UInt8])
  }

  private func make(
    _ want: Artwork.Want, of picture: Original, _ reference: String, _ size: Int, _ isUrgent: Bool
  ) async throws -> LocalPath {
    let folder = folder
    let path: LocalPath
    switch picture {
    case .file(let file):
      try await BlockingThreads.perform { try folder.make() }
      path = file
    case .bytes(let bytes):
      count += 1
      let name = "\(count)"
      path = try await BlockingThreads.perform { try folder.writeTemporary(bytes, as: name) }
    }
    let result: Result<Artwork.Outcome, any Error>
    do { result = .success(try await worker.make([want], of: path, in: folder.path, isUrgent: isUrgent)) } catch {
      result = .failure(error)
    }
    if case .bytes = picture { _ = await BlockingThreads.value { folder.removeTemporary(path) } }
    let outcome: Artwork.Outcome
    do { outcome = try result.get() } catch let error as LunaraError where error.code == WorkerPlan.broken.code {
      try await database.write { try ArtIndex.keep(reference, size: size, digest: nil, palette: nil, $0) }
      throw error
    }
    guard let digest = outcome.digest else { throw WorkerPlan.broken }
    let name = want.fileName(of: digest)
    try await database.write { transaction in
      try ArtIndex.keep(reference, size: size, digest: digest, palette: outcome.palette, transaction)
    }
    _ = await BlockingThreads.value { folder.recordWritten(outcome.written, keeping: [name]) }
    return LocalPath("\(folder.path)/\(name)")
  }

  private func original(of id: ArtID) async throws -> LocalPath {
    let folder = folder
    guard id.source == FilesSource.name else {
      let name = ArtName.original(id)
      if let found = await find(name) { return found }
      let bytes = try await fetch(id.source, id.native, nil)
      return try await BlockingThreads.perform { try folder.insert(bytes, as: name) }
    }
    let (path, reference) = try await database.read { try Catalogue.file(of: id, $0) }
    return try await BlockingThreads.perform { () throws -> LocalPath in
      guard reference.place == .track else {
        try FileCheck.requireReadable(path)
        return path
      }
      let name = ArtName.original(ArtID(source: id.source, native: reference.native))
      return try folder.find(name) ?? folder.insert(EmbeddedArt.read(path), as: name)
    }
  }

  /// Removes pictures that nothing refers to any more, rows and files.
  func prune() async throws {
    let (digests, references) = try await database.write { try ArtIndex.prune($0) }
    let originals = Set(references.compactMap { ArtID($0) }.map(ArtName.original))
    let folder = folder
    try await BlockingThreads.perform {
      folder.prune { name in digests.contains(String(name.prefix { $0 != "." })) || originals.contains(name) }
    }
  }
}

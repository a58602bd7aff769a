import Bus
import Catalogue
import Messages
import Model
import Records
import Sources
import Storage
import System

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
  private let files: PictureFiles
  private let fetch: Fetch
  private let memory: PictureMemory
  private var making: [ThumbnailKey: Task<LocalPath, any Error>] = [:]

  private struct ThumbnailKey: Hashable {
    var id: ArtID
    var want: Artwork.Want?
  }

  init(
    database: Database, folder: ArtFolder, files: PictureFiles, worker: ArtworkWorker = ArtworkWorker(),
    memory: PictureMemory = PictureMemory(limit: 4 * Artwork.byteLimit),
    fetch: @escaping Fetch = { source, reference, _ in
      throw CatalogueID.unknown(ArtID(source: source, native: reference))
    }
  ) {
    self.database = database
    self.folder = folder
    self.files = files
    self.worker = worker
    self.memory = memory
    self.fetch = fetch
  }

  /// Returns the file of a picture.
  ///
  /// - Parameters:
  ///   - size: the longest side that is needed; the smallest size that is not less is given. nil for the picture as the
  ///     source has it.
  ///   - takesWebP: true if it may be WebP.
  ///   - isUrgent: true where somebody waits for it.
  /// - Throws: `library.unknownID`, `library.fileMissing`, `library.outsideFolders`, `library.badPicture`,
  ///   `library.artUnwritable`, `library.noArtworkWorker`, `library.noTagReader`, and what fetching throws.
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

  /// Ends the worker; callers that wait for a thumbnail, or for memory to make one, get `CancellationError`.
  func stop() async {
    for task in making.values { task.cancel() }
    await worker.stop()
  }

  private func thumbnail(of id: ArtID, _ want: Artwork.Want, isUrgent: Bool) async throws -> LocalPath {
    guard id.source != MusicFolders.source else { return try await local(id, want, isUrgent) }
    if let found = try await known(id.description, want.size, want) { return found }
    let purpose = PictureMemory.Purpose(origin: id.source, isUrgent: isUrgent)
    return try await memory.with(Artwork.byteLimit, for: purpose) { part in
      let bytes = try await fetch(id.source, id.native, want.size)
      part.shrink(to: bytes.count)
      let picture = try await BlockingThreads.perform { try Self.inMemory(bytes) }
      return try await make(want, of: picture, id.description, want.size, isUrgent).path
    }
  }

  /// Returns a thumbnail of a picture in the music folders; where it cannot be shown, that of another cover of the
  /// album.
  private func local(_ id: ArtID, _ want: Artwork.Want, _ isUrgent: Bool) async throws -> LocalPath {
    if case .digest(let digest) = try await database.read({ try ArtIndex.find(id.description, size: 0, $0) }),
      let found = await find(want.fileName(of: digest))
    {
      return found
    }
    // `file(of:)` resolves an old reference to that of the picture that replaced it; thumbnails are stored by that.
    let (path, reference) = try await database.read { try Catalogue.file(of: id, $0) }
    let origin = PictureOrigin(reference: reference, path: path)
    do { return try await thumbnail(of: origin, want, isUrgent) } catch let error as LunaraError
      where error.code == Artwork.badPictureCode && reference.place != .artist
    {
      for other in try await substitutes(for: reference) {
        do {
          let found = try await thumbnail(of: other, want, isUrgent)
          try await database.write { try ArtIndex.substitute(origin.id, with: other.id, $0) }
          return found
        } catch let error as LunaraError where Self.isOfPicture(error) {
          continue
        }
      }
      // A picture without its end is better than none.
      if let part = try await partOf(origin, want) { return part }
      throw error
    }
  }

  /// Returns the thumbnail of a picture whose end is missing; nil if it cannot be shown at all.
  private func partOf(_ origin: PictureOrigin, _ want: Artwork.Want) async throws -> LocalPath? {
    guard case .digest(let digest) = try await database.read({ try ArtIndex.find(origin.id, size: 0, $0) }) else {
      return nil
    }
    return await find(want.fileName(of: digest))
  }

  /// Returns true for errors of one picture, after which others may still be shown.
  private static func isOfPicture(_ error: LunaraError) -> Bool {
    [Artwork.badPictureCode, "library.fileMissing", "library.outsideFolders"].contains(error.code)
  }

  /// Returns the other covers of the album whose cover cannot be shown.
  private func substitutes(for broken: ArtReference) async throws -> [PictureOrigin] {
    let found = try await database.read { try Catalogue.substitutes(for: broken, $0) }
    return await BlockingThreads.value { found.origins(instead: broken) } ?? []
  }

  private func thumbnail(
    of origin: PictureOrigin, _ want: Artwork.Want, _ isUrgent: Bool
  ) async throws -> LocalPath {
    let (path, current) = (origin.path, origin.id)
    if let found = try await known(current, 0, want) { return found }
    guard origin.reference.place == .track else {
      let picture = try await BlockingThreads.perform { [files] in try files.open(path).file }
      return try Self.whole(try await make(want, of: picture, current, 0, isUrgent), of: origin)
    }
    // Opening waits for the disk without any limit, so it happens before memory is taken.
    let music = try await BlockingThreads.perform { [files] in try files.openMusic(path) }
    let purpose = PictureMemory.Purpose(origin: "disk \(music.device)", isUrgent: isUrgent)
    return try await memory.with(Artwork.byteLimit, for: purpose) { part in
      let (picture, size) = try await BlockingThreads.perform { [files] in
        let picture = try files.picture(in: music, at: path)
        return (picture, try picture.bytes.status().size)
      }
      part.shrink(to: Int(size))
      let made = try Self.whole(try await make(want, of: picture.bytes, current, 0, isUrgent), of: origin)
      if picture.isSecondChoice {
        let cause = "the end of another picture in it is missing"
        try await database.write { try ArtIndex.storeProblem(current, cause, $0) }
      }
      return made
    }
  }

  /// Returns a thumbnail that was made. Throws the error of a cover whose end is missing, for which others may stand.
  private static func whole(
    _ made: (path: LocalPath, damage: LunaraError?), of origin: PictureOrigin
  ) throws(LunaraError) -> LocalPath {
    if let damage = made.damage, origin.reference.place != .artist { throw damage }
    return made.path
  }

  private static func inMemory(_ bytes: [UInt8]) throws(LunaraError) -> Descriptor {
    do {
      let file = try Descriptor.memoryFile("lunara-picture")
      try file.write(bytes)
      return file
    } catch {
      throw LunaraError("library.artUnwritable", "There is no memory for a picture. Try again later.", cause: error)
    }
  }

  /// Returns the file of a thumbnail that was made before, if it is still there.
  private func known(_ reference: String, _ size: Int, _ want: Artwork.Want) async throws -> LocalPath? {
    switch try await database.read({ try ArtIndex.find(reference, size: size, $0) }) {
    case nil: return nil
    case .broken(let cause): throw Artwork.badPicture(cause)
    case .digest(let digest): return await find(want.fileName(of: digest))
    }
  }

  private func find(_ name: String) async -> LocalPath? {
    let folder = folder
    return await BlockingThreads.value { folder.find(name) } ?? nil
  }

  /// Makes a thumbnail of an open picture, and stores its digest and colours, or why it cannot be shown. Returns it,
  /// with the error of a picture whose end is missing, which is stored, too.
  private func make(
    _ want: Artwork.Want, of picture: Descriptor, _ reference: String, _ size: Int, _ isUrgent: Bool
  ) async throws -> (path: LocalPath, damage: LunaraError?) {
    let folder = folder
    do {
      let digest = try await BlockingThreads.perform { try Self.digest(of: picture) }
      let name = want.fileName(of: digest)
      // Another reference to the same bytes may have made it.
      let existing = await find(name)
      let output = existing == nil ? try await BlockingThreads.perform { try folder.create() } : nil
      let outcome: Artwork.Outcome
      do {
        outcome = try await worker.make(
          output.map { [(want, $0.descriptor)] } ?? [], of: picture, isUrgent: isUrgent)
      } catch {
        if let output { folder.discard(output) }
        throw error
      }
      try await database.write {
        try ArtIndex.keep(reference, size: size, digest: digest, palette: outcome.palette, $0)
      }
      var path = LocalPath("\(folder.path)/\(name)")
      if let output { path = try await BlockingThreads.perform { try folder.keep(output, as: name) } }
      if let damage = outcome.failure {
        try await database.write { try ArtIndex.storeProblem(reference, damage.cause ?? damage.message, $0) }
      }
      return (path, outcome.failure)
    } catch let error as LunaraError where error.code == Artwork.badPictureCode {
      try await database.write { transaction in
        try ArtIndex.keepBroken(reference, size: size, cause: error.cause ?? error.message, transaction)
      }
      throw error
    }
  }

  private static func digest(of picture: Descriptor) throws -> String {
    do {
      guard try picture.status().size <= Int64(Artwork.byteLimit) else {
        throw Artwork.badPicture("its file has more than \(Artwork.byteLimit >> 20) MiB")
      }
      try picture.rewind()
      return try FileDigest.of(picture).text
    } catch let error as Errno {
      throw LunaraError(
        "library.fileMissing", "A picture cannot be read. Refresh the library with `lunara sync`.", cause: error)
    }
  }

  private func original(of id: ArtID) async throws -> LocalPath {
    let folder = folder
    guard id.source == MusicFolders.source else {
      let name = ArtName.original(id)
      if let found = await find(name) { return found }
      let bytes = try await fetch(id.source, id.native, nil)
      return try await BlockingThreads.perform { try folder.insert(bytes, as: name) }
    }
    let origin = try await shownOrigin(of: id)
    return try await BlockingThreads.perform { [files] () throws -> LocalPath in
      let path = origin.path
      guard origin.reference.place == .track else { return try files.open(path).path }
      let name = ArtName.original(ArtID(source: id.source, native: origin.reference.native))
      if let found = folder.find(name) { return found }
      let picture = try files.picture(in: try files.openMusic(path), at: path).bytes
      try picture.rewind()
      return try folder.insert(try picture.readToEnd(limit: Artwork.byteLimit), as: name)
    }
  }

  /// Returns the origin of a picture, or that of the first other cover of the album where it is known to be broken.
  private func shownOrigin(of id: ArtID) async throws -> PictureOrigin {
    let (path, reference) = try await database.read { try Catalogue.file(of: id, $0) }
    let origin = PictureOrigin(reference: reference, path: path)
    guard reference.place != .artist, try await isBroken(origin) else { return origin }
    for other in try await substitutes(for: reference) where try await !isBroken(other) { return other }
    return origin
  }

  private func isBroken(_ origin: PictureOrigin) async throws -> Bool {
    try await database.read { try ArtIndex.isBroken(origin.id, $0) }
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

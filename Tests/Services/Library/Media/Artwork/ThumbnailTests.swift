import Glibc
import Messages
import Model
import ServiceKit
import Storage
import Synchronization
import System
import TestSupport
import Testing

@testable import Media
@testable import Records

/// Thumbnails, made by the real worker.
@Suite(.timeLimit(.minutes(5)))
struct ThumbnailTests {
  private let cover = TestPicture.png(width: 400, height: 100) { column, _ in
    column < 300 ? (200, 30, 30) : (20, 20, 120)
  }

  private func store(
    _ catalogue: TestCatalogue, capacity: Int64 = 1 << 24, program: String? = nil,
    fetch: @escaping ArtStore.Fetch = { _, _, _ in throw LunaraError("test.fetched", "Nobody is asked.") }
  ) -> ArtStore {
    ArtStore(
      database: catalogue.database, folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: capacity),
      files: catalogue.pictures, worker: ArtworkWorker(program: program), fetch: fetch)
  }

  private func code(_ body: () async throws -> LocalPath) async -> String? {
    do { _ = try await body() } catch { return LunaraError(error).code }
    return nil
  }

  private func head(_ path: LocalPath) throws -> [UInt8] {
    let descriptor = open(path.bytes.cString, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 12)
    #expect(read(descriptor, &bytes, bytes.count) == bytes.count)
    return bytes
  }

  private func names(_ catalogue: TestCatalogue) -> [String] {
    guard let stream = opendir(catalogue.tree.beside("artwork")) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  @Test func theSizeAndTheFormAreThoseThatAreNeeded() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"], picture: cover)
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    let store = store(catalogue)
    let small = try await store.locate(art, size: 200, takesWebP: true)
    #expect(small.description.hasSuffix(".300.webp"))
    #expect(try head(small).starts(with: Array("RIFF".utf8)))
    let large = try await store.locate(art, size: 301)
    #expect(large.description.hasSuffix(".1024.jpg"))
    #expect(try head(large).starts(with: [0xFF, 0xD8]))
    #expect(try await store.locate(art, size: 5000) == large)
    // Only the two thumbnails are left, and the colours are known.
    #expect(names(catalogue).count == 2)
    #expect(try await catalogue.album("X").palette?.first == "#ce0010")
    await store.stop()
  }

  @Test func theSameBytesShareOneFile() async throws {
    let catalogue = try TestCatalogue()
    for name in ["x", "y"] {
      try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=A"])
      try catalogue.tree.write(cover, to: "\(name)/cover.png")
    }
    try await catalogue.refresh()
    let store = store(catalogue)
    var paths: Set<LocalPath> = []
    for album in try await catalogue.albums() {
      paths.insert(try await store.locate(try #require(album.art), size: 300))
    }
    #expect(paths.count == 1 && names(catalogue).count == 1)
    await store.stop()
  }

  @Test func aMissingFileIsMadeAgainAndOneThatIsThereIsNot() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh()
    let fetched = Mutex<[Int?]>([])
    let store = store(catalogue) { [cover] _, _, size in
      fetched.withLock { $0.append(size) }
      return cover
    }
    let art = ArtID(source: "plex", native: "/library/metadata/7/thumb/8")
    let path = try await store.locate(art, size: 300)
    #expect(try await store.locate(art, size: 300) == path)
    #expect(fetched.withLock { $0 } == [300])
    try #require(unlink(path.description) == 0)
    #expect(try await store.locate(art, size: 300) == path)
    #expect(fetched.withLock { $0 } == [300, 300])
    // A full-size picture of the server is kept as well.
    let whole = try await store.locate(art)
    #expect(try await store.locate(art) == whole)
    #expect(fetched.withLock { $0 } == [300, 300, nil])
    await store.stop()
  }

  @Test func aPictureThatCannotBeShownIsTriedOnce() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh()
    let fetched = Atomic(0)
    let store = store(catalogue) { _, _, _ in
      fetched.add(1, ordering: .relaxed)
      return TestPicture.bomb(width: 60_000, height: 60_000)
    }
    let art = ArtID(source: "plex", native: "bomb")
    for _ in 0..<2 {
      #expect(await code { try await store.locate(art, size: 300) } == "library.badPicture")
    }
    #expect(fetched.load(ordering: .relaxed) == 1)
    #expect(names(catalogue).isEmpty)
    await store.stop()
  }

  @Test func theCauseOfABadPictureIsKept() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh()
    let store = store(catalogue) { _, _, _ in Array("%PDF-1.7 with much inside".utf8) }
    let art = ArtID(source: "plex", native: "document")
    for _ in 0..<2 {
      let error = await #expect(throws: LunaraError.self) { try await store.locate(art, size: 300) }
      #expect(error?.cause == "it is neither JPEG, PNG, WebP, GIF nor AVIF")
    }
    await store.stop()
  }

  @Test(arguments: ["jpg", "png", "webp", "gif", "avif"])
  func eachAcceptedFormatIsDecodedByTheConfinedWorker(_ ending: String) async throws {
    let catalogue = try TestCatalogue()
    let file = catalogue.tree.beside("cover.\(ending)")
    try await FFmpeg.picture(file)
    let bytes = try Files.read(file)
    let store = store(catalogue) { _, _, _ in bytes }
    let path = try await store.locate(ArtID(source: "plex", native: ending), size: 300, takesWebP: true)
    #expect(try head(path).starts(with: Array("RIFF".utf8)))
    await store.stop()
  }

  @Test(arguments: [300, nil])
  func aCoverThatIsALinkOutOfTheMusicFoldersIsNotServed(_ size: Int?) async throws {
    let catalogue = try TestCatalogue()
    let secret = catalogue.tree.beside("secret.png")
    try catalogue.tree.write(cover, to: Array(secret.utf8))
    for name in ["x", "y"] { try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=A"]) }
    try catalogue.tree.write(cover, to: "y/front.png")
    try catalogue.tree.link("x/cover.png", to: "../../secret.png")
    try catalogue.tree.link("y/cover.png", to: "front.png")
    try await catalogue.refresh()
    let (store, outside) = (store(catalogue), try #require(try await catalogue.album("x").art))
    #expect(await code { try await store.locate(outside, size: size) } == "library.outsideFolders")
    // A link within the folders is followed.
    _ = try await store.locate(try #require(try await catalogue.album("y").art), size: size)
    await store.stop()
  }

  @Test func aPictureThatTheServerRefusedIsRequestedAgain() async throws {
    let catalogue = try TestCatalogue()
    try await catalogue.refresh()
    let store = store(catalogue)
    let art = ArtID(source: "plex", native: "x")
    for _ in 0..<2 { #expect(await code { try await store.locate(art, size: 300) } == "test.fetched") }
    await store.stop()
  }

  @Test func withoutTheWorkersProgramOnlyThumbnailsAreMissing() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"], picture: cover)
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    let store = store(catalogue, program: "/nowhere/lunara-artwork")
    #expect(await code { try await store.locate(art, size: 300) } == "library.noArtworkWorker")
    _ = try await store.locate(art)
    await store.stop()
  }

  @Test func aStartOfTheWorkerThatTheSystemRefusesIsTriedAgain() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"], picture: cover)
    try await catalogue.refresh()
    let art = try #require(try await catalogue.album("X").art)
    let refusals = Mutex([Errno.wouldBlock, .noMemory])
    let worker = ArtworkWorker { program throws(Errno) in
      if let refusal = refusals.withLock({ $0.popLast() }) { throw refusal }
      return try WorkerProcess(program)
    }
    let store = ArtStore(
      database: catalogue.database, folder: ArtFolder(path: catalogue.tree.beside("artwork"), capacity: 1 << 24),
      files: catalogue.pictures, worker: worker)
    _ = try await store.locate(art, size: 300)
    #expect(refusals.withLock { $0.isEmpty })
    await store.stop()
  }

  @Test func aKilledWorkerThatWaitsForADiskIsReplaced() async throws {
    let catalogue = try TestCatalogue()
    let tree = catalogue.tree
    try await catalogue.refresh()
    // The first process never answers and stays although it is killed; the others are real.
    let program = tree.beside("worker")
    let script = """
      #!/usr/bin/python3
      import ctypes, os, pathlib, time
      folder = pathlib.Path("\(tree.beside(""))")
      if list(folder.glob("traced-*")):
        real = "\(WorkerProcess.program("lunara-artwork"))"
        os.execv(real, [real])
      \(StuckProcess.start)
      time.sleep(1000)
      """
    try TestProgram.install(script, at: program)
    let store = ArtStore(
      database: catalogue.database, folder: ArtFolder(path: tree.beside("artwork"), capacity: 1 << 24),
      files: catalogue.pictures, worker: ArtworkWorker(program: program, patience: .seconds(5))
    ) { [cover] _, _, _ in cover }
    let isMade = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        _ = try await store.locate(ArtID(source: "plex", native: "x"), size: 300)
        isMade.set()
      }
      #expect(await eventually { isMade.isSet })
      #expect(try StuckProcess.count(in: tree) == 1, "ptrace(2) is not allowed here")
      #expect(!Files.exists(tree.beside("released")))
      try StuckProcess.release(in: tree)
      try await group.waitForAll()
    }
    await store.stop()
  }

  @Test func aWorkerThatDiesOfEveryPictureFailsThemOneByOne() async throws {
    let catalogue = try TestCatalogue()
    for name in ["x", "y", "z"] { try catalogue.tree.album(name, ["ALBUM=\(name)", "ARTIST=A"], picture: cover) }
    try await catalogue.refresh()
    // The program ends with its first job unanswered.
    let store = store(catalogue, program: "/bin/false")
    let arts = try await catalogue.albums().compactMap(\.art)
    let codes = await withTaskGroup(of: String?.self) { group in
      for art in arts { group.addTask { await code { try await store.locate(art, size: 300) } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == ["library.badPicture", "library.badPicture", "library.badPicture"])
    await store.stop()
  }

  @Test func aPictureInterruptedByAStopIsTriedAgain() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"], picture: cover)
    try await catalogue.refresh()
    // A worker that starts and never answers.
    let (program, begun) = (catalogue.tree.beside("worker"), catalogue.tree.beside("begun"))
    try TestProgram.install("#!/bin/sh\n: > '\(begun)'\nexec /bin/sleep 1000", at: program)
    let store = store(catalogue, program: program)
    let prefetcher = CoverPrefetcher(store, log: .quiet)
    await prefetcher.run()
    #expect(await eventually(equals: 0) { access(begun, F_OK) })
    await prefetcher.cancel()
    await store.stop()
    await prefetcher.stop()
    let kept = try await catalogue.database.read { transaction in
      try transaction.row("SELECT count(*) FROM pictures") { try $0.value(0) as Int }
    }
    #expect(kept == 0)
    // After the restart the thumbnail is made as usual.
    let next = self.store(catalogue)
    let art = try #require(try await catalogue.album("X").art)
    _ = try await next.locate(art, size: 300)
    await next.stop()
  }

  @Test func coversAreWarmedAndThoseOfGoneAlbumsForgotten() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", ["ALBUM=X", "ARTIST=A"], picture: cover)
    try catalogue.tree.album("y", ["ALBUM=Y", "ARTIST=A"], picture: TestPicture.png(width: 40, height: 40))
    try await catalogue.refresh()
    let store = store(catalogue)
    let prefetcher = CoverPrefetcher(store, log: .quiet)
    await prefetcher.run()
    await prefetcher.finished()
    #expect(names(catalogue).count == 2 && names(catalogue).allSatisfy { $0.hasSuffix(".300.webp") })
    #expect(try await catalogue.albums().allSatisfy { $0.palette != nil })
    try catalogue.tree.remove("y")
    try await catalogue.refresh()
    await prefetcher.run()
    await prefetcher.finished()
    #expect(names(catalogue).count == 1)
    let counts = try await catalogue.database.read { transaction in
      try ["pictures", "palettes"].map { table in
        try transaction.row("SELECT count(*) FROM \(table)") { try $0.value(0) as Int }
      }
    }
    #expect(counts == [1, 1])
    await prefetcher.stop()
    await store.stop()
  }

  @Test func warmingStopsWhereTheFolderIsNearlyFull() async throws {
    let catalogue = try TestCatalogue()
    for number in 0..<8 {
      let picture = TestPicture.png(width: 40 + number, height: 40)
      try catalogue.tree.album("\(number)", ["ALBUM=\(number)", "ARTIST=A"], tracks: 1, picture: picture)
    }
    try await catalogue.refresh()
    // With this capacity one thumbnail fills the folder.
    let store = store(catalogue, capacity: 10)
    let prefetcher = CoverPrefetcher(store, log: .quiet)
    await prefetcher.run()
    await prefetcher.finished()
    #expect(try await catalogue.albums().count { $0.palette != nil } < 8)
    await prefetcher.stop()
    await store.stop()
  }
}

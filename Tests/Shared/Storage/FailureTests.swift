import FoundationEssentials
import Glibc
import Model
import System
import TestSupport
import Testing

@testable import Storage

@Suite struct FailureTests {
  @Test func aFullDatabaseIsOneClearErrorAndNothingIsLost() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.add("kept")
    try await database.write { _ = try $0.row("PRAGMA max_page_count = 8") { _ in } }
    let error = await #expect(throws: LunaraError.self) {
      try await database.add([UInt8](repeating: 7, count: 100_000))
    }
    #expect(error?.code == "storage.full")
    #expect(error?.message.contains(folder.file()) == true)
    try await database.add("small")
    #expect(try await database.words() == ["kept", "small"])
    await database.close()
  }

  @Test func aTransactionCannotGoOnAfterAFullDiskRolledItBack() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    try await database.write { _ = try $0.row("PRAGMA max_page_count = 8") { _ in } }
    let swallowed = await code {
      try await database.write { transaction in
        try transaction.execute("INSERT INTO word (text) VALUES ('first')")
        do { try transaction.execute("INSERT INTO word (text) VALUES (zeroblob(100000))") } catch {}
        try transaction.execute("INSERT INTO word (text) VALUES ('second')")
      }
    }
    // SQLite undid either only the failed statement or the whole transaction, never a part of it.
    let words = try await database.words()
    #expect(swallowed == nil ? words == ["first", "second"] : words == [])
    await database.close()
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: mounts a file system")) func aFullDiskIsSurvived() async throws {
    let mount = try Mount(options: "size=512k")
    let database = try Database(at: mount.folder.file(), migrations: wordTables)
    try await database.add("kept")
    var failures: Set<String?> = []
    for _ in 0..<20 { failures.insert(await code { try await database.add([UInt8](repeating: 7, count: 60_000)) }) }
    #expect(failures == [nil, "storage.full"])
    let first = try await database.read { try $0.row("SELECT text FROM word") { try $0.value(0) as String } }
    #expect(first == "kept")
    await database.close()
    let again = try Database(at: mount.folder.file(), migrations: wordTables)
    try await again.write { _ = try $0.execute("DELETE FROM word WHERE typeof(text) = 'blob'") }
    #expect(try await again.words() == ["kept"])
    await again.close()
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: mounts a file system")) func aFullDiskAtTheStartIsReported()
    async throws
  {
    let mount = try Mount(options: "size=16k")
    let filler = open(mount.folder.file("filler"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    let bytes = [UInt8](repeating: 0, count: 4096)
    while write(filler, bytes, bytes.count) > 0 {}
    close(filler)
    #expect(await code { _ = try Database(at: mount.folder.file(), migrations: wordTables) } == "storage.full")
    #expect(try mount.folder.openFiles() == 0)
  }

  @Test func anUnwritableFolderIsReported() async throws {
    // The kernel's /sys refuses new files to everybody, root included.
    let error = #expect(throws: LunaraError.self) { _ = try Database(at: "/sys/lunara.sqlite", migrations: []) }
    #expect(error?.code == "storage.readOnly")
    #expect(error?.message.contains("/sys/lunara.sqlite") == true)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: mounts a file system")) func aReadOnlyDiskIsReported() async throws {
    let mount = try Mount(options: "size=1m")
    try await Database(at: mount.folder.file(), migrations: wordTables).close()
    try mount.again("ro")
    #expect(await code { _ = try Database(at: mount.folder.file(), migrations: wordTables) } == "storage.readOnly")
    #expect(await code { _ = try Database(at: mount.folder.file("new"), migrations: []) } == "storage.readOnly")
    #expect(try mount.folder.openFiles() == 0)
  }

  @Test func aMissingFolderIsReported() async throws {
    let folder = try Folder()
    #expect(await code { _ = try Database(at: folder.file("no/where"), migrations: []) } == "storage.cannotOpen")
    #expect(await code { _ = try Database(at: folder.path, migrations: []) } == "storage.cannotOpen")
  }

  @Test(arguments: [3, 4096, 40000]) func garbageIsRefused(_ count: Int) async throws {
    let folder = try Folder()
    try Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }).write(to: URL(filePath: folder.file()))
    #expect(await code { _ = try Database(at: folder.file(), migrations: wordTables) } == "storage.corrupt")
    #expect(try folder.openFiles() == 0)
  }

  @Test func aDamagedPageIsAnError() async throws {
    let folder = try Folder()
    var database = try wordDatabase(folder)
    for _ in 0..<200 { try await database.add([UInt8](repeating: 7, count: 500)) }
    await database.close()
    let file = open(folder.file(), O_WRONLY | O_CLOEXEC)
    let bytes = [UInt8](repeating: 0x5a, count: 4096 * 8)
    #expect(pwrite(file, bytes, bytes.count, 4096 * 3) == bytes.count)
    close(file)
    database = try wordDatabase(folder)
    let damaged = await code { _ = try await database.read { try $0.rows("SELECT text FROM word") { _ in } } }
    #expect(damaged == "storage.corrupt")
    await database.close()
  }

  @Test func aLockHeldElsewhereIsReportedAfterAWhile() async throws {
    let folder = try Folder()
    let holder = try wordDatabase(folder)
    let waiter = try wordDatabase(folder, limits: .init(patience: Milliseconds(50)))
    enum Stage { case starting, holds, mayGo }
    let stage = Monitor(Stage.starting)
    async let held: Void = holder.write { transaction in
      try transaction.execute("INSERT INTO word (text) VALUES ('held')")
      stage.change { $0 = .holds }
      _ = stage.wait { $0 == .mayGo ? true : nil }
    }
    #expect(await eventually { stage.change { $0 == .holds } })
    #expect(await code { try await waiter.add("x") } == "storage.busy")
    stage.change { $0 = .mayGo }
    try await held
    try await waiter.add("then")
    #expect(try await holder.words() == ["held", "then"])
    await waiter.close()
    await holder.close()
  }
}

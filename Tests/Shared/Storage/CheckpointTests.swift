import Glibc
import Model
import TestSupport
import Testing

@testable import Storage

@Suite struct CheckpointTests {
  /// The number of pages of 4 KiB.
  private func pages(of file: String) -> Int {
    var status = stat()
    return stat(file, &status) == 0 ? Int(status.st_size) / 4096 : 0
  }

  @Test func theLogIsCopiedIntoTheFileWhileItIsWritten() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let word = String(repeating: "x", count: 3000)
    // Twice the number of pages that starts the copying; before the close nothing else copies.
    for _ in 0..<2 * Int(Checkpoints.pages) { try await database.add(word) }
    // On a busy disk the sync that comes first takes its time.
    #expect(await eventually(above: Int(Checkpoints.pages), within: .seconds(300)) { pages(of: folder.file()) })
    #expect(try await database.words().count == 2 * Int(Checkpoints.pages))
    await database.close()
    #expect(access(folder.file("test.sqlite-wal"), F_OK) != 0)
  }

  @Test func aCopyingThatGetsNoThreadIsTriedAgainAfterTheNextCommit() throws {
    let folder = try Folder()
    let connection = try DatabaseConnection(folder.file(), .writing, patience: Milliseconds(1000))
    try connection.migrate(wordTables)
    let word = String(repeating: "x", count: 5000 * Int(Checkpoints.pages))
    _ = try connection.write(.process) { _ = try $0.execute("INSERT INTO word (text) VALUES (?)", word) }
    #expect(connection.pagesInLog >= Checkpoints.pages)
    let checkpoints = Checkpoints(path: folder.file(), limits: .init())
    // From here on its threads refuse jobs, as they do where the system gives none.
    checkpoints.abandon()
    checkpoints.checkpointIfNeeded(on: connection)
    #expect(!checkpoints.isUnderWay)
  }

  @Test func aLogThatGrowsFasterThanItIsCopiedStaysBounded() async throws {
    let folder = try Folder()
    let database = try wordDatabase(folder)
    let word = String(repeating: "x", count: 3000)
    let (count, runs) = (100, 4 * Int(Checkpoints.pageLimit) / 100)
    for _ in 0..<runs {
      try await database.write { transaction in
        for _ in 0..<count { _ = try transaction.execute("INSERT INTO word (text) VALUES (?)", word) }
      }
    }
    #expect(pages(of: folder.file("test.sqlite-wal")) < 2 * Int(Checkpoints.pageLimit))
    await database.close()
    let again = try wordDatabase(folder)
    #expect(try await again.words().count == count * runs)
    await again.close()
  }
}

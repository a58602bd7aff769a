import Bus
import Messages
import Model
import Storage
import TestSupport
import Testing

@testable import lunara_scrobble

struct ScrobbleListTests {
  private let folder = TemporaryDirectory()
  private let database: Database

  init() throws {
    database = try Database(at: "\(folder.path)/scrobble.sqlite", migrations: Scrobbler.migrations)
  }

  private func add(_ subjects: [Playback.ListenSubject]) async throws {
    try await database.write { transaction in
      for subject in subjects {
        _ = try ListenStore.record(
          subject, heard: Milliseconds(240_000), reportedAt: subject.startedAt, at: subject.startedAt, in: transaction)
      }
    }
  }

  private func page(_ limit: Int, after: String? = nil) async throws -> Library.Page<Scrobble.Entry> {
    try await database.read { try ScrobbleList.page(Scrobble.ListScrobbles(limit: limit, after: after), in: $0) }
  }

  private func all(_ limit: Int) async throws -> [String] {
    var listens: [String] = []
    var cursor: String?
    repeat {
      let page = try await page(limit, after: cursor)
      #expect(page.items.count <= limit)
      listens += page.items.map(\.listen.rawValue)
      cursor = page.next
    } while cursor != nil
    return listens
  }

  @Test func theNewestListenComesFirstWhateverCameInFirst() async throws {
    try await add([subject("b", 2), subject("a", 1), subject("c", 3)])
    #expect(try await page(10).items.map(\.listen.rawValue) == ["c", "b", "a"])
    #expect(try await page(10).next == nil)
  }

  @Test(arguments: [1, 2, 7, 25, 200]) func pagesShowEachScrobbleOnce(limit: Int) async throws {
    // Every third listen begins at the same moment as the one before it.
    try await add((0..<25).map { subject("l\($0)", $0 - ($0 % 3 == 2 ? 1 : 0)) })
    let listens = try await all(limit)
    #expect(listens.count == 25 && Set(listens).count == 25)
    #expect(listens.first == "l24" && listens.last == "l0")
  }

  @Test func whatCountsBetweenTwoPagesMovesNothing() async throws {
    try await add((0..<4).map { subject("l\($0)", $0) })
    let first = try await page(2)
    try await add([subject("new", 9)])
    #expect(try await page(2, after: first.next).items.map(\.listen.rawValue) == ["l1", "l0"])
  }

  @Test func aPageFitsTheBusHoweverLongTheTitles() async throws {
    var long = subject("l", 0)
    long.item.track.title = String(repeating: "é", count: 20_000)
    try await add(
      (0..<12).map { number in
        var subject = long
        subject.listen = ListenID(rawValue: "l\(number)")
        return subject
      })
    #expect(try await page(12).items.count < 12)
    #expect(try await MessageCoding.encode(page(12)).count < 200 * 1024)
    #expect(try await all(12).count == 12)
  }

  @Test func whatThisVersionCannotReadHidesNothingElse() async throws {
    try await add([subject("a", 1), subject("b", 2)])
    try await database.write { try $0.execute("UPDATE scrobbles SET item = ? WHERE listen = 'a'", Array("{}".utf8)) }
    #expect(try await page(9).items.map(\.track.title) == ["Track 2", ""])
  }

  @Test(arguments: [0, -3]) func aSenselessLimitGivesOne(limit: Int) async throws {
    try await add([subject("a", 1), subject("b", 2)])
    #expect(try await page(limit).items.map(\.listen.rawValue) == ["b"])
  }

  @Test(arguments: ["", "x", "1", "1.2.3", "1.x"]) func aCursorOfAnotherListIsRefused(cursor: String) async throws {
    let error = await #expect(throws: LunaraError.self) { try await page(5, after: cursor) }
    #expect(error?.code == "scrobble.badCursor")
  }
}

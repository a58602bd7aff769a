import Messages
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Bus

@Suite struct JournalTests {
  let folder = TemporaryDirectory()

  private func open(_ name: String = "j") throws -> Database {
    try Database(at: "\(folder.path)/\(name).sqlite", migrations: Journal.migrations)
  }

  private func append(_ numbers: some Sequence<Int> & Sendable, to journal: Journal, size: Int = 0) async throws {
    try await journal.database.write { transaction in
      for number in numbers {
        try journal.append(Struck(number: number, padding: String(repeating: "x", count: size)), in: transaction)
      }
    }
  }

  private func numbers(_ page: JournalPage) throws -> [Int] {
    try page.facts.map { try MessageCoding.decode(Struck.self, from: $0.payload).number }
  }

  @Test func everyStartIsANewEpochAndTheIdentityStays() async throws {
    let database = try open()
    let first = try await Journal(database)
    try await append(1...3, to: first)
    let second = try await Journal(database)
    #expect(second.identity == first.identity)
    #expect([first.epoch, second.epoch] == [1, 2])
    #expect(second.head == 3)
    await database.close()
    let other = try open("other")
    #expect(try await Journal(other).identity != first.identity)
    await other.close()
  }

  @Test func aFactIsThereOnlyIfItsTransactionCommits() async throws {
    let database = try open()
    let journal = try await Journal(database)
    try await append([1], to: journal)
    await #expect(throws: LunaraError("test.no", "no")) {
      try await database.write { transaction in
        try journal.append(Struck(number: 2), in: transaction)
        throw LunaraError("test.no", "no")
      }
    }
    try await append([3], to: journal)
    #expect(try numbers(try await journal.page(from: .oldest)) == [1, 3])
    #expect(journal.sendQueue.removeAll().map(\.seq) == [1, 2])
    await database.close()
  }

  @Test func aFactThatTheDiskDidNotConfirmIsNotSent() async throws {
    let database = try open()
    let journal = try await Journal(database)
    try await append([1], to: journal)
    let log = "\(database.path)-wal"
    let failure = await code {
      try await database.write(.power) { transaction in
        try journal.append(Struck(number: 2), in: transaction)
        // The commit can be written, but not synced.
        try TestFiles.spoil(log)
      }
    }
    #expect(failure == "storage.syncFailed")
    #expect(journal.head == 1)
    #expect(journal.sendQueue.removeAll().map(\.seq) == [1])
    #expect(await code { try await append([3], to: journal) } == "storage.syncFailed")
    await database.close()
  }

  @Test func pagesFollowEachOtherWithoutHolesWhateverTheSizesOfTheFacts() async throws {
    let database = try open()
    let journal = try await Journal(database)
    // Small facts behind one that does not fit into a page must not overtake it.
    for size in [30_000, 40_000, 10, 10, 200_000, 10, 47_000, 1000, 1000] {
      try await append([size], to: journal, size: size)
    }
    var found: [Int] = []
    var start = ReplayStart.oldest
    var pages = 0
    while true {
      let page = try await journal.page(from: start)
      found += try numbers(page)
      pages += 1
      if page.through.seq >= page.head { break }
      start = .after(page.through)
    }
    #expect(found == [30_000, 40_000, 10, 10, 200_000, 10, 47_000, 1000, 1000])
    #expect(pages == 5)
    await database.close()
  }

  @Test func aPageIsBoundedAndSaysThroughWhereItGoes() async throws {
    let database = try open()
    let journal = try await Journal(database)
    try await append(1...1000, to: journal)
    let first = try await journal.page(from: .oldest)
    #expect(first.facts.count < 200)
    #expect(first.head == 1000)
    #expect(first.through == JournalPosition(journal: journal.identity, epoch: 1, seq: Int64(first.facts.count)))
    let last = try await journal.page(from: .after(JournalPosition(journal: journal.identity, epoch: 1, seq: 990)))
    #expect(try numbers(last) == Array(991...1000))
    #expect(last.through.seq == 1000)
    let none = try await journal.page(from: .after(last.through))
    #expect(none.facts.isEmpty)
    #expect(none.through == last.through)
    await database.close()
  }

  @Test func anEmptyJournalGivesAnEmptyPageAtItsHead() async throws {
    let database = try open()
    let journal = try await Journal(database)
    for start in [ReplayStart.oldest, .head, .since(.now())] {
      let page = try await journal.page(from: start)
      #expect(page.facts.isEmpty)
      #expect(page.through == JournalPosition(journal: journal.identity, epoch: 1, seq: 0))
    }
    await database.close()
  }

  @Test func aFactThatTookTheNumberOfOneLostInAPowerCutIsNotSkipped() async throws {
    let database = try open()
    let first = try await Journal(database)
    try await append(1...10, to: first)
    let cursor = JournalPosition(journal: first.identity, epoch: first.epoch, seq: 10)
    // A power cut loses the last three facts, which were never synced.
    try await database.write { _ = try $0.execute("DELETE FROM bus_facts WHERE seq > 7") }
    let second = try await Journal(database)
    try await append([108, 109], to: second)
    let page = try await second.page(from: .after(cursor))
    #expect(try numbers(page) == [108, 109])
    #expect(page.through == JournalPosition(journal: first.identity, epoch: 2, seq: 9))
    // A second power cut, before the reader reads again. A reader of each epoch resumes at the lowest number that is
    // new to it.
    try await database.write { _ = try $0.execute("DELETE FROM bus_facts WHERE seq > 8") }
    let third = try await Journal(database)
    try await append(209...215, to: third)
    #expect(try numbers(try await third.page(from: .after(cursor))) == [108] + Array(209...215))
    #expect(try numbers(try await third.page(from: .after(page.through))) == Array(209...215))
    await database.close()
  }

  @Test func aReaderWithoutLossResumesBehindItsCursorAcrossEpochs() async throws {
    let database = try open()
    let first = try await Journal(database)
    try await append(1...5, to: first)
    let second = try await Journal(database)
    try await append(6...8, to: second)
    let cursor = JournalPosition(journal: first.identity, epoch: 1, seq: 3)
    #expect(try numbers(try await second.page(from: .after(cursor))) == Array(4...8))
    await database.close()
  }

  @Test func aCursorOfAnotherJournalResumesAtTheOldest() async throws {
    let database = try open()
    let journal = try await Journal(database)
    try await append(1...3, to: journal)
    let cursor = JournalPosition(journal: "wiped", epoch: 9, seq: 900)
    #expect(try numbers(try await journal.page(from: .after(cursor))) == [1, 2, 3])
    await database.close()
  }

  @Test(arguments: [(Int64.max, Int64.max), (.min, .min), (.max, 0), (0, .max), (-1, 1)])
  func absurdCursorsGiveAPage(seq: Int64, epoch: Int64) async throws {
    let database = try open()
    let journal = try await Journal(database)
    try await append(1...3, to: journal)
    let cursor = JournalPosition(journal: journal.identity, epoch: epoch, seq: seq)
    let page = try await journal.page(from: .after(cursor))
    #expect(page.head == 3)
    #expect(page.through.seq == 3)
    await database.close()
  }

  @Test func aReplayBeginsWithTheFirstFactAtOrAfterAMoment() async throws {
    let database = try open()
    let journal = try await Journal(database)
    try await append(1...20, to: journal)
    try await database.write { _ = try $0.execute("UPDATE bus_facts SET time = seq * 1000000") }
    for second in 0...22 {
      let page = try await journal.page(from: .since(Timestamp(seconds: Int64(second))))
      #expect(try numbers(page) == (second > 20 ? [] : Array(max(1, second)...20)))
    }
    let between = try await journal.page(from: .since(Timestamp(microseconds: 4_500_000)))
    #expect(try numbers(between).first == 5)
    await database.close()
  }

  @Test func aFactTooLargeForAFrameIsRefusedAndTheRestGoesOn() async throws {
    let database = try open()
    let journal = try await Journal(database)
    await #expect { try await append([1], to: journal, size: Frame.sizeLimit) } throws: {
      ($0 as? LunaraError)?.code == "bus.frameTooLarge"
    }
    try await append([2], to: journal, size: Frame.payloadLimit - 100)
    let page = try await journal.page(from: .oldest)
    #expect(try numbers(page) == [2])
    // The page with the largest possible fact still fits into a frame.
    let answer = Invented.envelope(payload: String(decoding: try Replay.encode(page, from: .library), as: UTF8.self))
    _ = try Frame(topic: "a.b.", body: answer.encoded()).encoded()
    await database.close()
  }

  @Test func whatIsNotYetAcknowledgedAtItsGradeIsNotServed() async throws {
    let database = try open()
    let journal = try await Journal(database)
    try await append(1...3, to: journal)
    // Committed without the journal's knowledge, like a fact between its commit and its sync.
    try await database.write {
      _ = try $0.execute(
        "INSERT INTO bus_facts (epoch, id, kind, time, payload) VALUES (1, 'x', 'meter.struck', 0, '{\"number\":4}')")
    }
    let page = try await journal.page(from: .oldest)
    #expect(page.facts.count == 3)
    #expect(page.head == 3)
    await database.close()
  }
}

@Suite struct FactSendQueueTests {
  private func fact(_ seq: Int64, size: Int = 10) -> JournaledFact {
    JournaledFact(
      seq: seq, epoch: 1, id: "\(seq)", kind: "meter.struck", time: Invented.moment,
      payload: [UInt8](repeating: 32, count: size))
  }

  @Test func theNodeIsWokenOnceUntilItReadsTheQueue() {
    let sendQueue = FactSendQueue(head: 4)
    let wakes = Mutex(0)
    sendQueue.put(fact(5))
    sendQueue.connect { wakes.withLock { $0 += 1 } }
    #expect(wakes.withLock { $0 } == 1)
    for seq in 6...9 { sendQueue.put(fact(Int64(seq))) }
    #expect(wakes.withLock { $0 } == 1)
    #expect(sendQueue.removeAll().map(\.seq) == [5, 6, 7, 8, 9])
    #expect(sendQueue.removeAll().isEmpty)
    sendQueue.put(fact(10))
    #expect(wakes.withLock { $0 } == 2)
    #expect(sendQueue.head == 10)
  }

  @Test func aNodeThatDoesNotReadTheQueueTakesBoundedMemory() {
    let sendQueue = FactSendQueue(head: 0)
    for seq in 1...1000 { sendQueue.put(fact(Int64(seq), size: 10_000)) }
    let waiting = sendQueue.removeAll()
    #expect(waiting.reduce(0) { $0 + $1.payload.count } <= FactSendQueue.sizeLimit)
    #expect(waiting.last?.seq == 1000)
    #expect(sendQueue.head == 1000)
  }

  @Test func aNodeThatIsGoneIsNotWoken() {
    let sendQueue = FactSendQueue(head: 0)
    sendQueue.connect { Issue.record("woken") }
    sendQueue.connect(nil)
    sendQueue.put(fact(1))
  }
}

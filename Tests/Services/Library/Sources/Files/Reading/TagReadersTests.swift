import Glibc
import Messages
import Model
import MusicTags
import Synchronization
import System
import TestSupport
import Testing

@testable import Records
@testable import Sources

/// The processes that read tags: their number, their ends, and what a disk that does not answer may hold up.
@Suite(.timeLimit(.minutes(3)))
struct TagReadersTests {
  private let tags = ["ALBUM=X", "ARTIST=A"]
  /// The result of a file for which a fake program answers `refused`.
  private let refused = Result<FileTags, TagFailure>.failure(.unreadable(.permissionDenied))

  @Test func aFileThatCouldNotBeReadIsTriedAgainWithTheSameStamp() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    let denied = try TagReaders.fake("answer(refused)", in: catalogue.tree)
    #expect(try await catalogue.refresh(tagReaders: denied) == [0, 0, 0, 0])
    #expect(try await catalogue.problems() == ["library.fileUnreadable"])
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
    #expect(try await catalogue.problems() == [])
  }

  @Test func aReaderOfAnotherVersionIsNotUsed() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    let other = try TagReaders.fake("pass", ready: [TagReading.version - 1], in: catalogue.tree)
    let error = await #expect(throws: LunaraError.self) { try await catalogue.refresh(tagReaders: other) }
    #expect(error?.code == "library.noTagReader" && error?.cause == "it is of another version")
  }

  @Test func aDiskThatDoesNotAnswerEndsTheReaderAndTheFileIsTriedAgain() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    let silent = try TagReaders.fake("time.sleep(100)", in: catalogue.tree)
    #expect(try await catalogue.refresh(tagReaders: silent) == [0, 0, 0, 0])
    #expect(try await catalogue.status().problems.first?.cause == Errno.timedOut.text)
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
  }

  @Test func anAnswerThatIsNoneEndsTheReader() async throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let broken = try TagReaders.fake("library.send(b'?')", in: tree)
    guard case .failure(.breaksReader) = try broken.tags(of: [tree.open("1.flac")]).first else {
      Issue.record("the answer was accepted")
      return
    }
  }

  @Test(arguments: [
    // No answer at all, one that is none, and one at a place that no answers reach.
    "answer(b'')", "answer(b'?' * 50)", "os.lseek(files[-1], 1 << 40, os.SEEK_SET); answer(b'')",
  ])
  func answersThatAreNoneEndTheReader(line: String) throws {
    let tree = try MusicTree()
    for number in 1...2 { try tree.flac("\(number).flac", tags) }
    let results = try TagReaders.fake(line, in: tree).tags(of: (1...2).map { try tree.open("\($0).flac") })
    #expect(results.count == 2)
    for result in results {
      guard case .failure(.breaksReader) = result else {
        Issue.record("\(result)")
        continue
      }
    }
  }

  @Test(arguments: [1, 3])
  func aProcessThatEndsAfterItsLastAnswerEndedWithTheLastFile(count: Int) throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let files = try Array(repeating: tree.open("1.flac"), count: count)
    let answers = "os.write(files[-1], refused * request.count(b'.flac'))"
    let ended = try TagReaders.fake("\(answers); os._exit(3)", in: tree).tags(of: files)
    #expect(ended.count == count && ended.dropLast().allSatisfy { $0 == refused })
    guard case .failure(.breaksReader) = ended.last else {
      Issue.record("\(ended)")
      return
    }
    let silent = try TagReaders.fake("\(answers); time.sleep(100)", in: tree).tags(of: files)
    #expect(silent == Array(repeating: refused, count: count - 1) + [.failure(.unreadable(.timedOut))])
  }

  @Test func aProcessThatOnlySeemsToAnswerIsGivenUp() throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let readers = try TagReaders.fake(
      """
      place = 0
        while True: place = (place + 1) % 1000; os.lseek(files[-1], place, os.SEEK_SET); time.sleep(0.001)
      """, in: tree)
    #expect(try readers.tags(of: [tree.open("1.flac")]) == [.failure(.unreadable(.timedOut))])
    guard case .failure(.unreadable(.timedOut)) = try readers.picture(in: tree.open("1.flac")) else {
      Issue.record("the picture was read")
      return
    }
  }

  @Test func theFileOfAnswersCannotGrow() throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let readers = try TagReaders.fake(
      """
      try: os.pwrite(files[-1], b"?", 1 << 25)
        except PermissionError: answer(refused)
      """, in: tree)
    #expect(try readers.tags(of: [tree.open("1.flac")]) == [refused])
  }

  @Test func theAnswersBeforeASilentFileCount() throws {
    let tree = try MusicTree()
    for number in 1...3 { try tree.flac("\(number).flac", tags) }
    let readers = try TagReaders.fake(
      "os.write(files[-1], refused); time.sleep(100) if b'2.flac' in request else answer(b'')", in: tree)
    let results = try readers.tags(of: (1...3).map { try tree.open("\($0).flac") })
    #expect(results == [refused, .failure(.unreadable(.timedOut)), refused])
  }

  @Test func eachFileHasItsOwnTime() throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let readers = try TagReaders.fake(
      """
      for _ in range(16): time.sleep(0.15); os.write(files[-1], refused)
        answer(b"")
      """, patience: Milliseconds(2000), in: tree)
    let results = try readers.tags(of: Array(repeating: tree.open("1.flac"), count: 16))
    #expect(results == Array(repeating: refused, count: 16))
  }

  @Test func aProcessThatCannotEndHoldsUpNobody() throws {
    let tree = try MusicTree()
    for number in 1...2 { try tree.flac("\(number).flac", tags) }
    let silent = try TagReaders.fake("time.sleep(100)", start: StuckProcess.start, in: tree)
    let results = try silent.tags(of: [tree.open("1.flac")])
    #expect(try StuckProcess.count(in: tree) == 1, "ptrace(2) is not allowed here")
    #expect(!Files.exists(tree.beside("released")))
    #expect(results == [.failure(.unreadable(.timedOut))])
    try StuckProcess.release(in: tree)
  }

  @Test func readersThatWaitForOneDiskTakeNoPlaceOfAnother() throws {
    let tree = try MusicTree()
    for name in ["silent", "healthy"] { try tree.flac("\(name).flac", tags) }
    let readers = try TagReaders.fake(
      "time.sleep(100) if b'silent' in request else answer(refused)", start: StuckProcess.start, in: tree)
    var silent = try tree.open("silent.flac")
    silent.device += 1
    let limit = TagReaderPool.silentLimit
    let results = try readers.tags(of: Array(repeating: silent, count: limit + 3))
    #expect(try StuckProcess.count(in: tree) == limit, "ptrace(2) is not allowed here")
    #expect(results.prefix(limit).allSatisfy { $0 == .failure(.unreadable(.timedOut)) })
    #expect(results.dropFirst(limit).allSatisfy { $0 == .failure(.diskSilent) })
    #expect(try readers.tags(of: [tree.open("healthy.flac")]) == [.failure(.unreadable(.permissionDenied))])
    // The disk is read again once it has answered.
    try StuckProcess.release(in: tree)
    var answer = results.last
    let end = ContinuousClock.now + .seconds(40)
    while answer == .failure(.diskSilent), ContinuousClock.now < end {
      answer = try readers.tags(of: [silent]).first
      usleep(50_000)
    }
    #expect(answer == .failure(.unreadable(.timedOut)))
  }

  @Test func theRestOfASilentDiskIsLeftForTheNextRefreshAndNoFileIsBlamed() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("known", tags, tracks: 2)
    #expect(try await catalogue.refresh() == [2, 0, 0, 0])
    for number in 1...40 { try catalogue.tree.album("\(number)", tags, tracks: 1) }
    try catalogue.tree.flac("known/01.flac", tags, seconds: 99)
    let silent = try TagReaders.fake("time.sleep(100)", start: StuckProcess.start, in: catalogue.tree)
    _ = try await catalogue.refresh(tagReaders: silent)
    try StuckProcess.release(in: catalogue.tree)
    #expect(try StuckProcess.count(in: catalogue.tree) >= TagReaderPool.silentLimit, "ptrace(2) is not allowed here")
    #expect(try await catalogue.tracks().count == 2)
    let problems = try await catalogue.problems()
    #expect(problems.count { $0 == "library.folderUnreadable" } == 1)
    // Each of the four threads may have begun a file when the limit was reached.
    #expect(problems.count { $0 == "library.fileUnreadable" } < TagReaderPool.silentLimit + 4)
    #expect(try await catalogue.refresh() == [40, 1, 1, 0])
    #expect(try await catalogue.problems() == [])
  }

  @Test func aFileOnASilentDiskIsNotReadTwice() throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let silent = try TagReaders.fake("time.sleep(100)", start: "(folder / f'started-{os.getpid()}').touch()", in: tree)
    #expect(try silent.tags(of: [tree.open("1.flac")]) == [.failure(.unreadable(.timedOut))])
    #expect(try started(in: tree) == 1)
  }

  private func started(in tree: MusicTree) throws -> Int {
    try Files.names(in: tree.beside("")).count { $0.hasPrefix("started-") }
  }

  @Test func aStoppedScanDoesNotWaitForASilentDisk() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    // Only the stop can end the wait before the test's own time is over.
    let silent = try TagReaders.fake(
      "(folder / 'asked').touch(); time.sleep(1000)", patience: Milliseconds(1_000_000), in: catalogue.tree)
    let progress = RefreshProgress()
    let source = catalogue.source(tagReaders: silent)
    async let counts = source.refresh(accepting: [], progress: progress)
    #expect(await eventually { Files.exists(catalogue.tree.beside("asked")) })
    progress.stop()
    #expect(try await counts == nil)
  }

  @Test func noMoreThanSixProcessesReadAtOnce() async throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let readers = try TagReaders.fake(
      """
      mine = folder / f"reads-{os.getpid()}"; mine.touch()
        time.sleep(0.1)
        (folder / f"most-{len(list(folder.glob('reads-*')))}").touch()
        mine.unlink(); answer(refused)
      """, patience: Milliseconds(60_000), in: tree)
    await BlockingThreads.run(12) {
      do { for _ in 0..<2 { _ = try readers.tags(of: [tree.open("1.flac")]) } } catch { Issue.record(error) }
    }
    let most = try Files.names(in: tree.beside("")).compactMap { name in
      name.hasPrefix("most-") ? Int(name.dropFirst(5)) : nil
    }
    #expect(most.max() ?? 0 > 1 && most.max() ?? 0 <= 6, "\(most)")
  }

  @Test func aSuspectedFileIsReadAloneByANewProcess() throws {
    let tree = try MusicTree()
    for number in 1...3 { try tree.flac("\(number).flac", tags) }
    // The first process ends at its second request.
    let readers = try TagReaders.fake(
      """
      count = globals().get("count", 0) + 1
        with open(folder / "requests", "a") as log: log.write(f"{os.getpid()} {request.count(b'.flac')}\\n")
        if count == 2 and not (folder / "ended").exists(): (folder / "ended").touch(); os._exit(3)
        answer(refused, request.count(b".flac"))
      """, patience: Milliseconds(60_000), in: tree)
    let files = try (1...3).map { try tree.open("\($0).flac") }
    _ = try readers.tags(of: [files[0]])
    #expect(try readers.tags(of: files) == [refused, refused, refused])
    let log = try String(decoding: Files.read(tree.beside("requests")), as: UTF8.self).split(separator: "\n")
    let requests = log.map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(requests.map { $0[1] } == [1, 3, 1, 2])
    #expect(requests[0][0] == requests[1][0] && requests[1][0] != requests[2][0])
  }

  @Test func aFileIsNotBlamedForReadersThatOthersKill() throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let killed = try TagReaders.fake("os.kill(os.getpid(), signal.SIGKILL)", in: tree)
    let result = try killed.tags(of: [tree.open("1.flac")]).first
    guard case .failure(.readerKilled(let cause)) = result else {
      Issue.record("\(String(describing: result))")
      return
    }
    #expect(cause.contains("Killed"))
    // Whoever is killed twice and then reads it has not failed.
    let twice = try TagReaders.fake(
      """
      if len(list(folder.glob("started-*"))) < 3: os.kill(os.getpid(), signal.SIGKILL)
        answer(refused)
      """, start: "(folder / f'started-{os.getpid()}').touch()", in: tree)
    #expect(try twice.tags(of: [tree.open("1.flac")]) == [.failure(.unreadable(.permissionDenied))])
  }

  @Test func aStartThatTheSystemRefusesIsTriedAgain() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    let refusals = Mutex([Errno.wouldBlock, .noMemory])
    let readers = TagReaders { program, _ throws(Errno) in
      if let refusal = refusals.withLock({ $0.popLast() }) { throw refusal }
      return try WorkerProcess(program)
    }
    #expect(try await catalogue.refresh(tagReaders: readers) == [1, 0, 0, 0])
    #expect(try await catalogue.problems() == [])
  }

  @Test func whereTheSystemStartsNothingTheScanFailsWithTheCauseAndNoFileIsBlamed() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    let error = await #expect(throws: LunaraError.self) {
      try await catalogue.refresh(tagReaders: TagReaders { _, _ throws(Errno) in throw .wouldBlock })
    }
    #expect(error?.code == "library.noTagReader" && error?.cause == Errno.wouldBlock.text)
    #expect(error?.message.contains("next refresh") == true)
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
  }
}

import Glibc
import Messages
import Model
import Synchronization
import System
import TestSupport
import Testing

@testable import lunara_library

/// The processes that read tags: their number, their ends, and what a disk that does not answer may hold up.
@Suite(.timeLimit(.minutes(3)))
struct TagReadersTests {
  private let tags = ["ALBUM=X", "ARTIST=A"]

  /// Writes a program that runs `start`, is ready at once, and then runs `line` for each request, both in Python.
  private func reader(
    _ line: String, start: String = "pass", ready: [UInt8] = TagReading.ready,
    patience: Milliseconds = Milliseconds(500), in tree: MusicTree
  ) throws -> TagReaders {
    let path = tree.beside("reader")
    var refused = TagReading.Answer(.unreadable)
    refused.systemError = EACCES
    let program = """
      #!/usr/bin/python3
      import ctypes, os, pathlib, signal, socket, time
      folder = pathlib.Path("\(tree.beside(""))")
      refused = bytes(\(refused.bytes))
      \(start)
      library = socket.socket(fileno=0)
      library.send(bytes(\(ready)))
      while request := library.recv(65536):
        \(line)
      """
    try tree.write(Array(program.utf8), to: Array(path.utf8))
    try #require(chmod(path, 0o700) == 0)
    return TagReaders(program: path, patience: patience)
  }

  @Test func aFileThatCouldNotBeReadIsTriedAgainWithTheSameStamp() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    let denied = try reader("library.send(refused)", in: catalogue.tree)
    #expect(try await catalogue.refresh(tagReaders: denied) == [0, 0, 0, 0])
    #expect(try await catalogue.problems() == ["library.fileUnreadable"])
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
    #expect(try await catalogue.problems() == [])
  }

  @Test func aReaderOfAnotherVersionIsNotUsed() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    let other = try reader("pass", ready: [TagReading.version - 1], in: catalogue.tree)
    let error = await #expect(throws: LunaraError.self) { try await catalogue.refresh(tagReaders: other) }
    #expect(error?.code == "library.noTagReader" && error?.cause == "it is of another version")
  }

  @Test func aDiskThatDoesNotAnswerEndsTheReaderAndTheFileIsTriedAgain() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    let silent = try reader("time.sleep(100)", in: catalogue.tree)
    #expect(try await catalogue.refresh(tagReaders: silent) == [0, 0, 0, 0])
    #expect(try await catalogue.status().problems.first?.cause == Errno.timedOut.text)
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
  }

  @Test func anAnswerThatIsNoneEndsTheReader() async throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let broken = try reader("library.send(b'?')", in: tree)
    guard case .failure(.breaksReader) = try broken.tags(of: [tree.open("1.flac")]).first else {
      Issue.record("the answer was accepted")
      return
    }
  }

  /// Starts a process that traces the reader, so that the reader stays, although it was killed, until that one ends:
  /// like a process that waits for a disk.
  private let traced = """
    ready = folder / "traced"
    reader, libc = os.getpid(), ctypes.CDLL(None, use_errno=True)
    libc.prctl(0x59616D61, ctypes.c_ulong(-1 & (2**64 - 1)), 0, 0, 0)
    if os.fork() == 0:
      os.setpgid(0, 0)
      os.closerange(0, 3)
      if libc.ptrace(0x4206, reader, None, None) == 0:
        ready.touch()
        for _ in range(600):
          if (folder / "release").exists(): break
          time.sleep(0.1)
      (folder / "released").touch()
      os._exit(0)
    while not ready.exists(): time.sleep(0.01)
    """

  @Test func aProcessThatCannotEndHoldsUpNobody() throws {
    let tree = try MusicTree()
    for number in 1...2 { try tree.flac("\(number).flac", tags) }
    let silent = try reader("time.sleep(100)", start: traced, in: tree)
    let results = try silent.tags(of: [tree.open("1.flac")])
    #expect(Files.exists(tree.beside("traced")), "ptrace(2) is not allowed here")
    #expect(!Files.exists(tree.beside("released")))
    #expect(results == [.failure(.unreadable(.timedOut))])
    try tree.write([], to: Array(tree.beside("release").utf8))
  }

  @Test func aFileOnASilentDiskIsNotReadTwice() throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let silent = try reader("time.sleep(100)", start: "(folder / f'started-{os.getpid()}').touch()", in: tree)
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
    let silent = try reader(
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
    let readers = try reader(
      """
      mine = folder / f"reads-{os.getpid()}"; mine.touch()
        time.sleep(0.1)
        (folder / f"most-{len(list(folder.glob('reads-*')))}").touch()
        mine.unlink(); library.send(refused)
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
    let readers = try reader(
      """
      count = globals().get("count", 0) + 1
        with open(folder / "requests", "a") as log: log.write(f"{os.getpid()} {request.count(b'.flac')}\\n")
        if count == 2 and not (folder / "ended").exists(): (folder / "ended").touch(); os._exit(3)
        for _ in range(request.count(b".flac")): library.send(refused)
      """, patience: Milliseconds(60_000), in: tree)
    let files = try (1...3).map { try tree.open("\($0).flac") }
    _ = try readers.tags(of: [files[0]])
    let refused = Result<FileTags, TagFailure>.failure(.unreadable(.permissionDenied))
    #expect(try readers.tags(of: files) == [refused, refused, refused])
    let log = try String(decoding: Files.read(tree.beside("requests")), as: UTF8.self).split(separator: "\n")
    let requests = log.map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(requests.map { $0[1] } == [1, 3, 1, 2])
    #expect(requests[0][0] == requests[1][0] && requests[1][0] != requests[2][0])
  }

  @Test func aFileIsNotBlamedForReadersThatOthersKill() throws {
    let tree = try MusicTree()
    try tree.flac("1.flac", tags)
    let killed = try reader("os.kill(os.getpid(), signal.SIGKILL)", in: tree)
    let result = try killed.tags(of: [tree.open("1.flac")]).first
    guard case .failure(.readerKilled(let cause)) = result else {
      Issue.record("\(String(describing: result))")
      return
    }
    #expect(cause.contains("Killed"))
    // Whoever is killed twice and then reads it has not failed.
    let twice = try reader(
      """
      if len(list(folder.glob("started-*"))) < 3: os.kill(os.getpid(), signal.SIGKILL)
        library.send(refused)
      """, start: "(folder / f'started-{os.getpid()}').touch()", in: tree)
    #expect(try twice.tags(of: [tree.open("1.flac")]) == [.failure(.unreadable(.permissionDenied))])
  }

  @Test func aStartThatTheSystemRefusesIsTriedAgain() async throws {
    let catalogue = try TestCatalogue()
    try catalogue.tree.album("x", tags, tracks: 1)
    let refusals = Mutex([Errno.wouldBlock, .noMemory])
    let readers = TagReaders { program throws(Errno) in
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
      try await catalogue.refresh(tagReaders: TagReaders { _ throws(Errno) in throw .wouldBlock })
    }
    #expect(error?.code == "library.noTagReader" && error?.cause == Errno.wouldBlock.text)
    #expect(error?.message.contains("next refresh") == true)
    #expect(try await catalogue.refresh() == [1, 0, 0, 0])
  }
}

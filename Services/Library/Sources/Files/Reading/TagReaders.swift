import Glibc
import Messages
import Model
import Synchronization
import System

/// An open music file.
struct OpenMusicFile: Sendable {
  var name: [UInt8]
  var size: Int64
  var descriptor: Descriptor
}

/// Reads tags and embedded pictures in processes of `lunara-tags`, so that a file which is made to break its reader
/// breaks one of those. Each thread that reads has a process of its own, which is kept for the next one and ends when
/// it was unused for ten seconds. At most `processLimit` threads read at once; others wait. All functions block.
final class TagReaders: Sendable {
  /// The time that an unused process is kept.
  private static let idleness = Duration.seconds(10)
  /// The most processes that read at once: a scan has four threads, and somebody may wait for pictures meanwhile.
  private static let processLimit = 6

  private struct Idle: Sendable {
    var process: TagReaderProcess
    var since: ContinuousClock.Instant
  }

  private struct State: Sendable {
    var idle: [Idle] = []
    var isWaiting = false
  }

  private let program: String
  private let patience: Milliseconds
  private let state = Mutex(State())
  /// The number of processes that may still be lent.
  private let places = Monitor(processLimit)

  /// - Parameters:
  ///   - program: the file of `lunara-tags`; by default it lies beside this program.
  ///   - patience: the most time for one file. A program that computes for so long is ended by the kernel before that,
  ///     so what takes this time is a disk that does not answer.
  init(program: String? = nil, patience: Milliseconds = Milliseconds(30_000)) {
    self.program = program ?? WorkerProcess.program("lunara-tags")
    self.patience = patience
  }

  deinit { state.withLock { $0.idle.forEach { $0.process.end() } } }

  /// Reads the tags of files, at most `TagReading.fileLimit`. The results have the order of the files.
  ///
  /// A process that ends or hangs has done so with the first file that it did not answer for. That file is read once
  /// more, alone and by a new process, as the system may end one for other reasons; then it has failed.
  ///
  /// - Throws: `library.noTagReader` where the program cannot be started.
  func tags(of files: [OpenMusicFile]) throws(LunaraError) -> [Result<FileTags, TagFailure>] {
    var results: [Result<FileTags, TagFailure>] = []
    while results.count < files.count {
      let rest = files[results.count...]
      if try use({ process throws(TagReaderProcess.End) in try process.tags(of: rest) { results.append($0) } }) != nil {
        let culprit = results.count
        let end = try use(isNew: true) { process throws(TagReaderProcess.End) in
          try process.tags(of: files[culprit...culprit]) { results.append($0) }
        }
        if let end { results.append(.failure(end.failure)) }
      }
    }
    return results
  }

  /// Reads the picture in a file that stands for its album, into memory; nil where the file has none.
  ///
  /// - Throws: `library.noTagReader` where the program cannot be started.
  func picture(in file: OpenMusicFile) throws(LunaraError) -> Result<Descriptor?, TagFailure> {
    var result: Result<Descriptor?, TagFailure>?
    var end: TagReaderProcess.End?
    for isNew in [false, true] where result == nil {
      end = try use(isNew: isNew) { process throws(TagReaderProcess.End) in result = try process.picture(in: file) }
    }
    return result ?? .failure(end?.failure ?? .broken)
  }

  /// Lends a process to `body`, a new one if `isNew` is true; returns its end if it ended.
  private func use(
    isNew: Bool = false, _ body: (TagReaderProcess) throws(TagReaderProcess.End) -> Void
  ) throws(LunaraError) -> TagReaderProcess.End? {
    _ = places.wait { places -> Bool? in
      guard places > 0 else { return nil }
      places -= 1
      return true
    }
    defer { places.change { $0 += 1 } }
    let kept = isNew ? nil : state.withLock { $0.idle.popLast()?.process }
    let process = if let kept { kept } else { try TagReaderProcess(program, patience) }
    do {
      try body(process)
      keep(process)
      return nil
    } catch {
      return error
    }
  }

  private func keep(_ process: TagReaderProcess) {
    let isFirst = state.withLock { state in
      state.idle.append(Idle(process: process, since: .now))
      defer { state.isWaiting = true }
      return !state.isWaiting
    }
    if isFirst { Task { [weak self] in await Self.endUnused(of: self) } }
  }

  /// Ends processes once they were unused for a while; returns when none is left.
  private static func endUnused(of readers: @autoclosure () -> TagReaders?) async {
    while true {
      // The task is never cancelled.
      do { try await Task.sleep(for: idleness / 2) } catch { return }
      guard let readers = readers() else { return }
      let (unused, isDone) = readers.state.withLock { state in
        let border = ContinuousClock.now - idleness
        let unused = state.idle.filter { $0.since <= border }
        state.idle.removeAll { $0.since <= border }
        state.isWaiting = !state.idle.isEmpty
        return (unused, state.idle.isEmpty)
      }
      for idle in unused { idle.process.end() }
      if isDone { return }
    }
  }
}

/// A running `lunara-tags`. Used by one thread at a time, and unusable after it threw `End`.
final class TagReaderProcess: Sendable {
  /// The end of the process, or its silence, before it answered for all files.
  struct End: Error {
    var failure: TagFailure
  }

  /// The most time for the start.
  private static let startPatience = Milliseconds(30_000)

  private let worker: WorkerProcess
  private let patience: Milliseconds

  /// Starts a process and waits until it is ready.
  ///
  /// - Throws: `library.noTagReader`.
  init(_ program: String, _ patience: Milliseconds) throws(LunaraError) {
    self.patience = patience
    do { worker = try WorkerProcess(program) } catch { throw Self.failure(program, error.text) }
    let hello: MessageSocket.Message?
    do { hello = try worker.socket.receive(within: Self.startPatience) } catch { hello = nil }
    guard hello?.bytes == TagReading.ready else {
      let end = worker.end()
      throw Self.failure(program, hello == nil ? "it \(end)" : "it is of another version")
    }
  }

  private static func failure(_ program: String, _ cause: String) -> LunaraError {
    LunaraError(
      "library.noTagReader",
      "\(program) cannot be started, so no tags are read. Is Lunara installed completely?", cause: cause)
  }

  /// Reads the tags of files, and calls `body` with the result of each in their order.
  func tags(of files: ArraySlice<OpenMusicFile>, _ body: (Result<FileTags, TagFailure>) -> Void) throws(End) {
    try send(.tags(files.map(\.request)), files.map(\.descriptor))
    for file in files {
      let answer = try answer()
      body(Result { () throws(TagFailure) in try FileTags(answer, size: file.size) })
    }
  }

  func picture(in file: OpenMusicFile) throws(End) -> Result<Descriptor?, TagFailure> {
    let picture: Descriptor
    do { picture = try Descriptor.memoryFile("lunara-picture") } catch { return .failure(.unreadable(error)) }
    try send(.picture(file.request), [file.descriptor, picture])
    let answer = try answer()
    do { try answer.check() } catch { return .failure(error) }
    return .success(answer.hasPicture ? picture : nil)
  }

  private func send(_ request: TagReading.Request, _ descriptors: [Descriptor]) throws(End) {
    do { try worker.socket.send(request.bytes, descriptors) } catch { throw ended() }
  }

  private func answer() throws(End) -> TagReading.Answer {
    let message: MessageSocket.Message?
    do { message = try worker.socket.receive(within: patience) } catch Errno.timedOut {
      worker.end()
      throw End(failure: .unreadable(.timedOut))
    } catch {
      throw ended()
    }
    // Anything else than an answer means that the process is broken.
    guard let message, let answer = TagReading.Answer(message.bytes) else { throw ended() }
    return answer
  }

  private func ended() -> End { End(failure: .breaksReader(cause: "lunara-tags \(worker.end())")) }

  /// Ends the process, which must not have thrown `End`.
  func end() { worker.end() }
}

extension OpenMusicFile {
  fileprivate var request: TagReading.File { TagReading.File(name: name, size: size) }
}

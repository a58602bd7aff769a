import Glibc
import Messages
import Model
import MusicTags
import Records
import Synchronization
import System

/// Reads tags and embedded pictures in processes of one program, so that a file which is made to break its reader
/// breaks one of those. Each thread that reads has a process of its own, which is kept for the next one and ends when
/// it was unused for ten seconds. At most `processLimit` threads read at once; others wait. All functions block.
///
/// A process that waits for a disk cannot be ended before the disk answers. Once `silentLimit` killed processes wait
/// for the same disk, no more of its files are read until one of them is gone. Files of other disks are read as before.
final class TagReaderPool: Sendable {
  /// The time that an unused process is kept.
  private static let idleness = Duration.seconds(10)
  /// The number of killed processes that may wait for one disk.
  static let silentLimit = 4
  /// The pauses, in milliseconds, after which a start is tried again where the system lacks memory or processes.
  private static let startPauses: [Int32] = [100, 200, 400, 800, 1600]
  /// The number of processes in a row that others may kill before a file is given up for this time.
  private static let killLimit = 3

  private struct Idle: Sendable {
    var process: TagReaderProcess
    var since: ContinuousClock.Instant
  }

  private struct Ending: Sendable {
    var process: TagReaderProcess
    /// The file system of the file that it read; nil if it read none.
    var device: UInt64?
  }

  private struct State: Sendable {
    /// The number of processes that threads use.
    var lent = 0
    /// Unused processes, the one that was used last at the end.
    var idle: [Idle] = []
    /// Processes that were killed and are not gone, as they wait for a disk.
    var ending: [Ending] = []
    var isWatching = false

    mutating func forgetGone() { ending.removeAll(where: \.process.isGone) }

    /// Returns true if as many processes wait for a disk as may do so.
    func isSilent(_ device: UInt64) -> Bool { ending.count { $0.device == device } >= TagReaderPool.silentLimit }
  }

  private enum Place {
    case kept(TagReaderProcess)
    case new
  }

  private enum Entry {
    /// A place, and an unused process that must be ended for it.
    case place(Place, surplus: TagReaderProcess?)
    case refused
  }

  private let program: String
  /// The most processes that read at once.
  private let processLimit: Int
  private let patience: Milliseconds
  private let spawn: TagReaderProcess.Spawn
  private let state = Monitor(State())

  /// - Parameters:
  ///   - program: the program's file.
  ///   - processLimit: the most processes that read at once.
  ///   - patience: the most time without a new answer, and so for one file. A program that computes for so long is
  ///     ended by the kernel before that, so what takes this time is a disk that does not answer.
  ///   - spawn: starts the program.
  init(_ program: String, processLimit: Int, patience: Milliseconds, spawn: @escaping TagReaderProcess.Spawn) {
    self.program = program
    self.processLimit = processLimit
    self.patience = patience
    self.spawn = spawn
  }

  deinit {
    state.change { state in
      for idle in state.idle { _ = idle.process.kill(within: TagReaderProcess.pollInterval) }
    }
  }

  /// Reads the tags of files, at most `TagReading.fileLimit`. The results have the order of the files, and are fewer if
  /// the caller stops it.
  ///
  /// A process that ends has done so with the first file that it did not answer for. That file is read once more, alone
  /// and by a new process, and only if that one ends as well has the file failed. A file on a disk that does not answer
  /// is not read again, and one on a disk for which `silentLimit` processes wait is not read at all (`diskSilent`).
  ///
  /// - Parameters:
  ///   - files: the files.
  ///   - isStopped: returns true once the caller no longer wants the results. It is asked while nothing is answered.
  /// - Throws: `library.noTagReader` where the program cannot be started.
  func tags(
    of files: [OpenMusicFile], isStopped: () -> Bool = { false }
  ) throws(LunaraError) -> [Result<FileTags, TagFailure>] {
    var results: [Result<FileTags, TagFailure>] = []
    func read(_ process: TagReaderProcess, _ files: ArraySlice<OpenMusicFile>) throws(TagReaderProcess.End) {
      try process.tags(of: files, isStopped: isStopped) { results.append($0) }
    }
    while results.count < files.count {
      let rest = files[results.count...]
      // The first file without an answer is the one that the process read when it ended.
      let first = try use(isStopped, reading: { files[results.count] }) { process throws(TagReaderProcess.End) in
        try read(process, rest)
      }
      guard let first else { break }
      let suspect = results.count
      let end = try confirm(first, isStopped, files[suspect]) { process throws(TagReaderProcess.End) in
        try read(process, files[suspect...suspect])
      }
      if case .stopped = end { break }
      if let end { results.append(.failure(end.failure)) }
    }
    return results
  }

  /// Reads a part of a file into memory; nil if the file has none.
  ///
  /// - Throws: `library.noTagReader` where the program cannot be started.
  func read(
    _ part: MusicFilePart, of file: OpenMusicFile
  ) throws(LunaraError) -> Result<MusicFileContent?, TagFailure> {
    var result: Result<MusicFileContent?, TagFailure>?
    func read(_ process: TagReaderProcess) throws(TagReaderProcess.End) {
      result = try process.read(part, of: file)
    }
    let first = try use({ false }, reading: { file }, read)
    let end = if let first { try confirm(first, { false }, file, read) } else { nil as TagReaderProcess.End? }
    return result ?? .failure(end?.failure ?? .broken)
  }

  /// Reads a file again with which a process has ended, alone and by a new process. Returns how that one ended; nil if
  /// it did not. A process that others have killed says nothing about the file, so another one follows.
  private func confirm(
    _ first: TagReaderProcess.End, _ isStopped: () -> Bool, _ file: OpenMusicFile,
    _ body: (TagReaderProcess) throws(TagReaderProcess.End) -> Void
  ) throws(LunaraError) -> TagReaderProcess.End? {
    switch first {
    case .silent, .diskSilent, .stopped: return first
    case .broken, .killed: break
    }
    var end: TagReaderProcess.End?
    for _ in 0..<Self.killLimit {
      end = try use(isNew: true, isStopped, reading: { file }, body)
      guard case .killed = end else { break }
    }
    return end
  }

  /// Lends a process to `body`, a new one if `isNew` is true; returns its end if it ended. `file` returns the file that
  /// is read at present.
  private func use(
    isNew: Bool = false, _ isStopped: () -> Bool, reading file: () -> OpenMusicFile,
    _ body: (TagReaderProcess) throws(TagReaderProcess.End) -> Void
  ) throws(LunaraError) -> TagReaderProcess.End? {
    let place: Place
    do { place = try enter(isNew: isNew, file().device, isStopped) } catch { return error }
    defer { state.change { $0.lent -= 1 } }
    let process: TagReaderProcess
    switch place {
    case .kept(let kept): process = kept
    case .new: process = try start(isStopped)
    }
    do {
      try body(process)
      keep(process)
      return nil
    } catch {
      end(process, device: file().device)
      return error
    }
  }

  /// Waits until fewer processes than `processLimit` read. Throws `diskSilent` where too many wait for the disk.
  private func enter(
    isNew: Bool, _ device: UInt64, _ isStopped: () -> Bool
  ) throws(TagReaderProcess.End) -> Place {
    while true {
      let entry = state.wait(atMost: TagReaderProcess.pollInterval) { state -> Entry? in
        state.forgetGone()
        if state.isSilent(device) { return .refused }
        guard state.lent < processLimit else { return nil }
        state.lent += 1
        if !isNew, let kept = state.idle.popLast()?.process { return .place(.kept(kept), surplus: nil) }
        let isFull = state.lent + state.idle.count > processLimit
        return .place(.new, surplus: isFull ? state.idle.removeFirst().process : nil)
      }
      switch entry {
      case .refused: throw .diskSilent
      case .place(let place, let surplus):
        if let surplus { end(surplus, device: nil) }
        return place
      case nil: if isStopped() { throw .stopped }
      }
    }
  }

  /// Starts a process; tries again for some seconds where the system lacks memory or processes.
  private func start(_ isStopped: () -> Bool) throws(LunaraError) -> TagReaderProcess {
    for pause in Self.startPauses {
      do throws(TagReaderProcess.StartFailure) { return try TagReaderProcess(program, patience, spawn: spawn) } catch {
        guard error.isTransient, !isStopped() else { throw error.error }
      }
      poll(nil, 0, pause)
    }
    do throws(TagReaderProcess.StartFailure) { return try TagReaderProcess(program, patience, spawn: spawn) } catch {
      throw error.error
    }
  }

  private func keep(_ process: TagReaderProcess) {
    state.change { $0.idle.append(Idle(process: process, since: .now)) }
    watch()
  }

  /// Ends a process, without waiting for the disk from which it reads.
  private func end(_ process: TagReaderProcess, device: UInt64?) {
    guard !process.kill(within: TagReaderProcess.pollInterval) else { return }
    state.change { $0.ending.append(Ending(process: process, device: device)) }
    watch()
  }

  /// Makes sure that unused processes are ended in time, and that the kernel forgets the ended ones.
  private func watch() {
    let isFirst = state.change { state in
      defer { state.isWatching = true }
      return !state.isWatching
    }
    if isFirst { Task { [weak self] in await Self.endUnused(of: self) } }
  }

  /// Ends processes once they were unused for a while; returns when none is left.
  private static func endUnused(of readers: @autoclosure () -> TagReaderPool?) async {
    while true {
      // The task is never cancelled.
      do { try await Task.sleep(for: idleness / 2) } catch { return }
      guard let readers = readers() else { return }
      let isDone = readers.state.change { state in
        let border = ContinuousClock.now - idleness
        for idle in state.idle where idle.since <= border {
          _ = idle.process.kill(within: .zero)
          state.ending.append(Ending(process: idle.process))
        }
        state.idle.removeAll { $0.since <= border }
        state.forgetGone()
        state.isWatching = !state.idle.isEmpty || !state.ending.isEmpty
        return !state.isWatching
      }
      if isDone { return }
    }
  }
}

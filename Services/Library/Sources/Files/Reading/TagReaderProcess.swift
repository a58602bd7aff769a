import Glibc
import Messages
import Model
import MusicTags
import Records
import System

/// A running `lunara-tags` or `lunara-formats`. Used by one thread at a time, and of no use after it threw `End`.
final class TagReaderProcess: Sendable {
  /// Why the process did not answer for all files.
  enum End: Error {
    /// It ended, or sent something else than an answer.
    case broken(cause: String)
    /// Somebody else has killed it, such as the kernel where memory lacks.
    case killed(cause: String)
    /// It did not answer in time.
    case silent
    /// No process was asked, as several wait for the disk of the file already.
    case diskSilent
    /// The caller no longer wants the answers.
    case stopped

    /// The failure of a file with which the process ended alone.
    var failure: TagFailure {
      switch self {
      case .broken(let cause): .breaksReader(cause: cause)
      case .killed(let cause): .readerKilled(cause: cause)
      case .silent, .stopped: .unreadable(.timedOut)
      case .diskSilent: .diskSilent
      }
    }
  }

  /// Why a process could not be started.
  struct StartFailure: Error {
    var error: LunaraError
    /// True if the system lacks something at present.
    var isTransient: Bool
  }

  /// Starts a program.
  typealias Spawn = @Sendable (String) throws(Errno) -> WorkerProcess

  /// The most time for the start.
  private static let startPatience = Milliseconds(30_000)
  /// The time after which it is checked whether the caller still wants an answer.
  static let pollInterval = Milliseconds(200)

  private let worker: WorkerProcess
  /// The file in memory to which the process writes its answers.
  private let answers: Descriptor
  private let patience: Milliseconds
  /// The name of the program, for people.
  private let name: String

  /// Starts a process and waits until it is ready.
  ///
  /// - Parameters:
  ///   - program: the program's file.
  ///   - patience: the most time for one file.
  ///   - spawn: starts the program.
  init(_ program: String, _ patience: Milliseconds, spawn: Spawn) throws(StartFailure) {
    self.patience = patience
    name = program.split(separator: "/").last.map { String($0) } ?? program
    do {
      answers = try Descriptor.memoryFile("lunara-answers", size: TagReading.fileLimit * TagReading.answerLimit)
      worker = try spawn(program)
    } catch {
      // Processes, memory or descriptors have run out.
      throw Self.failure(program, error.text, isTransient: [.wouldBlock, .noMemory, Errno(EMFILE)].contains(error))
    }
    let hello: MessageSocket.Message?
    do { hello = try worker.socket.receive(within: Self.startPatience) } catch { hello = nil }
    guard hello?.bytes == TagReading.ready else {
      let ending = worker.end()
      if hello != nil { throw Self.failure(program, "it is of another version", isTransient: false) }
      throw Self.failure(
        program, "it \(ending.map { "\($0)" } ?? "did not get ready")",
        isTransient: ending?.wasKilledByOthers ?? false)
    }
  }

  private static func failure(_ program: String, _ cause: String, isTransient: Bool) -> StartFailure {
    let advice =
      isTransient ? "The system lacks something; the next refresh tries again." : "Is Lunara installed completely?"
    return StartFailure(
      error: LunaraError(
        "library.noTagReader", "\(program) cannot be started, so no tags are read. \(advice)", cause: cause),
      isTransient: isTransient)
  }

  /// True once the process is gone.
  var isGone: Bool { worker.wait(within: .zero) != nil }

  /// Kills the process. Returns true once it is gone, false if it is still there after `limit`.
  func kill(within limit: Milliseconds) -> Bool {
    worker.kill()
    return worker.wait(within: limit) != nil
  }

  /// Reads the tags of files, and calls `body` with the result of each in their order. Where it throws, it has called
  /// `body` for the files before the one with which the process ended, which is the last one if all were answered.
  func tags(
    of files: ArraySlice<OpenMusicFile>, isStopped: () -> Bool, _ body: (Result<FileTags, TagFailure>) -> Void
  ) throws(End) {
    do { try answers.rewind() } catch { throw .broken(cause: error.text) }
    try send(.tags(files.map(\.request)), files.map(\.descriptor) + [answers])
    var progress = Progress(files: files.count)
    var end: End?
    do throws(End) {
      guard let message = try receive(isStopped, &progress) else { throw ended() }
      guard message.bytes == TagReading.ready else { throw kill() }
      progress.position = answers.position
    } catch {
      end = error
      switch error {
      // It is gone and writes no more.
      case .broken, .killed: progress.position = answers.position
      case .silent, .diskSilent, .stopped: break
      }
    }
    guard progress.position <= files.count * TagReading.answerLimit else { throw end ?? kill() }
    var rest: ArraySlice<UInt8>
    do { rest = try answers.readBytes(upTo: progress.position, at: 0)[...] } catch { throw .broken(cause: error.text) }
    for file in end == nil ? files : files.dropLast() {
      guard let answer = TagReading.Answer(&rest) else { throw end ?? kill() }
      body(Result { () throws(TagFailure) in try FileTags(answer, size: file.size) })
    }
    if let end { throw end }
  }

  /// Reads a part of a file into memory; nil if the file has none.
  func read(_ part: MusicFilePart, of file: OpenMusicFile) throws(End) -> Result<MusicFileContent?, TagFailure> {
    let output: Descriptor
    do { output = try Descriptor.memoryFile("lunara-picture") } catch { return .failure(.unreadable(error)) }
    let request: TagReading.Request =
      switch part {
      case .picture: .picture(file.request)
      case .lyrics: .lyrics(file.request)
      case .allTags: .allTags(file.request)
      }
    try send(request, [file.descriptor, output])
    var progress = Progress(files: 0)
    guard let message = try receive({ false }, &progress) else { throw ended() }
    var rest = message.bytes[...]
    guard let answer = TagReading.Answer(&rest) else { throw kill() }
    do { try answer.check() } catch { return .failure(error) }
    return .success(
      answer.hasPicture ? MusicFileContent(bytes: output, isSecondChoice: answer.isTruncated) : nil)
  }

  /// Sends a request. A process that is ready has received all earlier ones, so there is room for it.
  private func send(_ request: TagReading.Request, _ descriptors: [Descriptor]) throws(End) {
    do { try worker.socket.send(request.bytes, descriptors, waits: false) } catch Errno.wouldBlock {
      throw kill()
    } catch {
      throw ended()
    }
  }

  /// The progress of the answers to a request, as last seen.
  ///
  /// The process may be in the hands of a file that broke it, and it shares the position. So a position counts only
  /// where it has grown, and not more often than there are files.
  private struct Progress {
    /// The end of the answers in their file.
    var position = 0
    /// The number of times that it may still grow.
    private var steps: Int

    init(files: Int) { steps = files }

    /// Returns true if an answer was added.
    mutating func hasGrown(to position: Int) -> Bool {
      guard steps > 0, position > self.position else { return false }
      self.position = position
      steps = steps - 1
      return true
    }
  }

  /// Receives a message; nil if the process has closed its socket. The time for one file begins again where an
  /// answer was added.
  private func receive(
    _ isStopped: () -> Bool, _ progress: inout Progress
  ) throws(End) -> MessageSocket.Message? {
    var end = MonotonicClock.milliseconds() + patience
    while true {
      let left = max(.zero, end - MonotonicClock.milliseconds())
      do { return try worker.socket.receive(within: min(left, Self.pollInterval)) } catch Errno.timedOut {
        if isStopped() { throw .stopped }
        if progress.hasGrown(to: answers.position) {
          end = MonotonicClock.milliseconds() + patience
        } else if left == .zero {
          throw .silent
        }
      } catch {
        return nil
      }
    }
  }

  /// Kills a process that sent or wrote something else than answers.
  private func kill() -> End {
    worker.kill()
    return ended()
  }

  private func ended() -> End {
    let ending = worker.end()
    let cause = "\(name) \(ending.map { "\($0)" } ?? "does not end")"
    return ending?.wasKilledByOthers == true ? .killed(cause: cause) : .broken(cause: cause)
  }
}

extension OpenMusicFile {
  fileprivate var request: TagReading.File { TagReading.File(name: name, size: size, encoding: encoding) }
}

import CPlatform
import Glibc
import Messages
import Model
import ServiceKit
import Synchronization
import System

/// An engine that runs in a process of its own, so that a damaged or malicious file can end that process but not the
/// room. A thread serves the process: both start with the first sound, and end after a long silence.
final class EngineProcess: Engine {
  let pace: Pace
  let reports: AsyncStream<EngineReport>

  struct SharedState {
    var commands: [EngineCommand] = []
    /// The files that were opened for cues, or the reasons why not.
    var files: [(CueID, CueFile)] = []
    var start: MPVPlayer.Start
    var isRunning = false
    var isClosed = false
    var processID: Int32?
    var closing: [CheckedContinuation<Void, Never>] = []
  }

  private let output: AudioOutput
  private let linger: Milliseconds
  private let program: String
  private let environment: Environment
  private let nameServers: String
  private let shared: Mutex<SharedState>
  private let wakeup: Descriptor
  private let continuation: AsyncStream<EngineReport>.Continuation

  /// The resident memory above which the process is ended, in bytes. Two tracks are buffered with 34 MiB each, the
  /// table of a long audio book takes some 100 MiB, and libmpv itself 50 MiB.
  static let residentLimit = 384 << 20
  /// The time between two looks at the memory of a process that plays.
  private static let memoryInterval = Milliseconds(250)
  /// The time in which a process has to end by itself.
  private static let endTime = Milliseconds(3000)

  /// Creates an engine whose process is not started yet.
  ///
  /// The process ends after a silence of `linger`. `program` is the file of `lunara-playback`; only tests give another
  /// one than this process's own. `nameServers` is the file that names the servers of host names. The volume is in
  /// percent. Throws `playback.engineFailed`.
  init(
    output: AudioOutput, volume: Int = 100, linger: Milliseconds = Milliseconds(120_000),
    program: String = "/proc/self/exe", environment: Environment, nameServers: String = "/etc/resolv.conf"
  ) throws(LunaraError) {
    self.output = output
    self.linger = linger
    self.program = program
    pace = output.pace
    self.nameServers = nameServers
    self.environment = Self.passed(environment)
    let number = lunara_wakeup()
    guard number >= 0 else { throw Self.failure("Resume to try again.", cause: Errno.current.text) }
    wakeup = Descriptor(owning: number)
    shared = Mutex(SharedState(start: MPVPlayer.Start(volume: volume)))
    (reports, continuation) = AsyncStream.makeStream()
  }

  /// The id of the player's process; nil while there is none.
  var processID: Int32? { shared.withLock { $0.processID } }

  func send(_ command: EngineCommand) {
    let mustStart = shared.withLock { shared in
      guard !shared.isClosed else { return false }
      shared.start.apply(command)
      if !shared.isRunning, !command.startsPlayer { return false }
      shared.commands.append(command)
      defer { shared.isRunning = true }
      return !shared.isRunning
    }
    if mustStart { start() } else { wake() }
  }

  func close() async {
    await withCheckedContinuation { (closed: CheckedContinuation<Void, Never>) in
      let isRunning = shared.withLock { shared in
        shared.isClosed = true
        if shared.isRunning { shared.closing.append(closed) }
        return shared.isRunning
      }
      if isRunning { return wake() }
      continuation.finish()
      closed.resume()
    }
  }

  private func wake() { Descriptor.write([1, 0, 0, 0, 0, 0, 0, 0], to: wakeup.number) }

  private func start() {
    // The closure retains the engine until the thread ends.
    do throws(Errno) { try SystemThread.start("engine") { self.run() } } catch {
      shared.withLock { $0.commands = [] }
      report(.outputFailed(Self.failure("Resume to try again.", cause: error.text)))
      _ = ended()
    }
  }

  private func report(_ event: EngineEvent) { continuation.yield(EngineReport(event: event, at: .now())) }

  /// Removes the marks of the room's service and of its secrets, of which the player needs nothing.
  private static func passed(_ environment: Environment) -> Environment {
    let unwanted: Set = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "CREDENTIALS_DIRECTORY", "MALLOC_ARENA_MAX"]
    var passed = environment.variables.filter { !$0.key.hasPrefix("LUNARA_") && !unwanted.contains($0.key) }
    passed["MALLOC_ARENA_MAX"] = "2"
    return Environment(passed)
  }

  static func failure(_ advice: String, cause: String?) -> LunaraError {
    LunaraError("playback.engineFailed", "The player could not be started. \(advice)", cause: cause)
  }
}

/// The thread that serves the process.
extension EngineProcess {
  /// Runs processes one after the other as long as there are commands for them.
  private func run() {
    var work = EngineWork()
    repeat {
      collect(&work)
      guard work.needsProcess, !shared.withLock({ $0.isClosed }) else { continue }
      do {
        let (socket, child) = try startProcess()
        shared.withLock { $0.processID = child.pid }
        let fault = serve(socket, child, &work)
        // A process that has closed its socket may still run.
        child.send(SIGKILL)
        shared.withLock { $0.processID = nil }
        let status = child.wait()
        work.isNew = true
        guard !work.isReleased else { continue }
        perform(work.supervision.ended(fault ?? .crashed(status: status), at: .now()), &work)
        // A cue that has failed must not be sent to the next process once its file is open.
        if work.supervision.isSilent { work.removeCues() }
      } catch {
        work = EngineWork()
        report(.outputFailed(LunaraError(error)))
      }
    } while work.needsProcess && !shared.withLock({ $0.isClosed }) || !ended()
  }

  /// Records that the thread ends. Returns false if commands have arrived meanwhile.
  private func ended() -> Bool {
    let closing = shared.withLock { shared -> [CheckedContinuation<Void, Never>]? in
      guard shared.commands.isEmpty || shared.isClosed else { return nil }
      shared.isRunning = false
      shared.files = []
      return shared.isClosed ? shared.closing : []
    }
    guard let closing else { return false }
    if shared.withLock({ $0.isClosed }) { continuation.finish() }
    for closed in closing { closed.resume() }
    return true
  }

  private func startProcess() throws -> (MessageSocket, ChildProcess) {
    let (ours, theirs): (MessageSocket, MessageSocket)
    let child: ChildProcess
    output.createFile()
    do throws(Errno) {
      (ours, theirs) = try MessageSocket.pair()
      let log = try Descriptor.duplicate(STDERR_FILENO)
      child = try ChildProcess(
        program, ["lunara-playback", EngineChild.option], environment: environment,
        descriptors: [theirs.descriptor, try Descriptor.null(), log])
    } catch {
      throw Self.failure("Is Lunara installed completely?", cause: error.text)
    }
    theirs.descriptor.close()
    do { try ours.send(EngineSetup(output, shared.withLock { $0.start })) } catch {
      child.send(SIGKILL)
      child.wait()
      throw Self.failure("Is Lunara installed completely?", cause: "\(error)")
    }
    return (ours, child)
  }

  /// The device and inode of the file of name servers, or of the file that it links to. They change with the network,
  /// and a player reaches only the file that existed when it started.
  private var nameServerFile: [UInt64] {
    Files.status(nameServers, followingLinks: true).map { [$0.device, $0.inode] } ?? []
  }

  /// Serves a process until it ends, or is to be killed; returns the reason for the latter.
  private func serve(
    _ socket: MessageSocket, _ child: ChildProcess, _ work: inout EngineWork
  ) -> EngineSupervision.Fault? {
    var silentSince: MonotonicTime? = MonotonicTime.now()
    var endDue: MonotonicTime?
    work.isReleased = false
    let (recording, reached) = (output.fileNumber, nameServerFile)
    while true {
      // The process writes to the file that existed when it started. A person who moves a finished recording away wants
      // a new one.
      if endDue == nil, work.isAtRest, output.fileNumber != recording || nameServerFile != reached {
        endDue = MonotonicTime.now() + Self.endTime
        work.isReleased = true
        socket.finishSending()
      }
      if endDue == nil { collect(&work) }
      let now = MonotonicTime.now()
      if endDue == nil {
        perform(work.supervision.wake(at: now), &work)
        if let fault = work.removeFault() { return fault }
        if !work.flush(to: socket, at: now) { return nil }
      }
      silentSince = work.isAtRest ? silentSince ?? now : nil
      let isOver = silentSince.map { now - $0 >= linger } ?? false
      if endDue == nil, isOver || shared.withLock({ $0.isClosed }) {
        // Commands that arrive from now on are for the next process.
        endDue = now + Self.endTime
        work.isReleased = true
        socket.finishSending()
      }
      if let endDue, now >= endDue { return nil }
      if !work.supervision.isSilent, let bytes = ProcessMemory.of("\(child.pid)")?.resident, bytes > Self.residentLimit
      {
        return .tooLarge(bytes: bytes)
      }
      let looksAt = work.supervision.isSilent ? nil : now + Self.memoryInterval
      let retry = work.outbox.isEmpty || work.isWaitingForFile ? nil : now + Milliseconds(20)
      let due =
        endDue ?? [silentSince.map { $0 + linger }, work.supervision.deadline, looksAt, retry].compactMap { $0 }.min()
      guard wait(for: socket, until: due, wakes: endDue == nil) else { continue }
      do {
        guard let message = try socket.receive() else { return nil }
        work.isNew = false
        let report = try MessageCoding.decode(EngineReport.self, from: message.bytes)
        perform(work.supervision.handle(report.event, at: .now()), &work, at: report.at)
      } catch {
        // Nothing else comes from a process that is in order.
        return .unresponsive
      }
    }
  }

  /// Waits for a message of the process, a wake or a time. Returns true if there is a message.
  private func wait(for socket: MessageSocket, until due: MonotonicTime?, wakes: Bool) -> Bool {
    let time = due.map { max(0, $0.nanoseconds - MonotonicTime.now().nanoseconds) } ?? -1
    var polled = [pollfd(fd: socket.descriptor.number, events: Int16(POLLIN), revents: 0)]
    if wakes { polled.append(pollfd(fd: wakeup.number, events: Int16(POLLIN), revents: 0)) }
    let count = polled.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { lunara_poll($0, UInt(buffer.count), time) } ?? -1
    }
    guard count > 0 else { return false }
    if wakes, polled[1].revents != 0 { _ = wakeup.read(upTo: 8) }
    return polled[0].revents != 0
  }

  /// Handles the commands and files that have arrived.
  private func collect(_ work: inout EngineWork) {
    let (commands, files) = shared.withLock { shared in
      defer {
        shared.commands = []
        shared.files = []
      }
      return (shared.commands, shared.files)
    }
    for command in commands { perform(work.supervision.handle(command), &work) }
    for (id, file) in files { work.put(file, of: id) }
  }

  private func perform(_ actions: [EngineSupervision.Action], _ work: inout EngineWork, at time: MonotonicTime = .now())
  {
    for action in actions {
      switch action {
      case .report(let event): continuation.yield(EngineReport(event: event, at: time))
      case .kill(let fault): work.fault = fault
      case .send(let command):
        work.add(command)
        if let cue = command.cue, cue.file == nil, case .file(let path, _) = cue.locator { open(path, for: cue.id) }
      }
    }
  }

  /// Opens a file on a thread of its own, as a disk that starts, or is gone, must not delay other commands.
  private func open(_ path: LocalPath, for id: CueID) {
    let deliver: @Sendable (CueFile) -> Void = { file in
      // Without a thread nobody would take the file, and it would stay open.
      self.shared.withLock { if $0.isRunning { $0.files.append((id, file)) } }
      self.wake()
    }
    do throws(Errno) {
      try SystemThread.start("open") {
        do throws(LunaraError) { deliver(CueFile(.success(try FileInput.open(path)))) } catch {
          deliver(CueFile(.failure(error)))
        }
      }
    } catch {
      deliver(CueFile(.failure(Self.failure("Resume to try again.", cause: error.text))))
    }
  }
}

/// The state of the thread: what is known of the process, and the commands that were not sent to it yet.
struct EngineWork {
  var supervision = EngineSupervision()
  private(set) var outbox: [EngineCommand] = []
  /// True until the process has reported something.
  var isNew = true
  /// True if the process was told to end.
  var isReleased = false
  /// The reason why the process is to be killed.
  var fault: EngineSupervision.Fault?

  /// True if the process has nothing to play.
  var isAtRest: Bool { supervision.isSilent && outbox.isEmpty }

  /// True if a command waits for which a process is needed.
  var needsProcess: Bool { outbox.contains { $0.startsPlayer } }

  /// True if the first command waits for its file.
  var isWaitingForFile: Bool { outbox.first.map(Self.lacksFile) ?? false }

  mutating func add(_ command: EngineCommand) {
    if command.isFreshStart {
      outbox.removeAll { command in
        if case .seek = command { return true }
        return command.cue != nil || command.isFreshStart
      }
    }
    outbox.append(command)
  }

  /// Removes the commands about cues.
  mutating func removeCues() { outbox.removeAll { $0.cue != nil } }

  /// Adds the open file of a cue to its command.
  mutating func put(_ file: CueFile, of id: CueID) {
    for index in outbox.indices where outbox[index].cue?.id == id { outbox[index].cue?.file = file }
  }

  /// Sends the commands, up to one that waits for its file. Returns false if the process has ended.
  mutating func flush(to socket: MessageSocket, at now: MonotonicTime) -> Bool {
    while let command = outbox.first, !Self.lacksFile(command) {
      var order = EngineOrder(command: command)
      var file: Descriptor?
      do throws(LunaraError) { file = try command.cue?.file?.get() } catch { order.fileError = error }
      do { try socket.send(order, passing: file) } catch Errno.wouldBlock { return true } catch { return false }
      outbox.removeFirst()
      supervision.sent(command, isNew: isNew, at: now)
    }
    return true
  }

  mutating func removeFault() -> EngineSupervision.Fault? {
    defer { fault = nil }
    return fault
  }

  private static func lacksFile(_ command: EngineCommand) -> Bool {
    guard let cue = command.cue, case .file = cue.locator else { return false }
    return cue.file == nil
  }
}

import CPlatform
import Glibc
import Messages
import Model
import Synchronization
import System

/// The running process of one plugin (`lunara-plugin`), connected by pipes. A thread of its own passes lines in both
/// directions and watches the memory, so that no plugin can hold anything else up.
///
/// The process runs third-party code. It is killed if it uses more memory than `Limits.memory`, writes a line longer
/// than `Limits.line`, does not read its input, or writes lines faster than they can be handled. It ends with this
/// process.
final class PluginProcess: Sendable {
  /// The bounds that the owner watches. Those within the process are in docs/plugin-process.md.
  struct Limits: Sendable {
    /// The most resident bytes of the process.
    var memory = 128 << 20
    /// The most bytes of a line from the process.
    var line = 3 << 20
    /// The most bytes that wait to be written to it.
    var waiting = 96 << 20
    /// The most lines that were read and not handled yet; a process that writes more is ended.
    var unhandledLines = 10_000
    /// The number of bytes of unhandled lines at which reading pauses.
    var unhandledBytes = 12 << 20
    /// The time between two looks at the memory.
    var pause = Milliseconds(50)
  }

  /// The reasons why a process has ended.
  enum Ending: Hashable, Sendable {
    /// The owner has ended it.
    case ended
    /// It ended by itself, with the exit status, or minus the number of a signal.
    case exited(Int32)
    /// It had too much memory.
    case tooMuchMemory
    /// It wrote what is no line, or does not read what it is sent.
    case flooded
    /// It could not be started.
    case notStarted(Errno)
  }

  /// Something that a process did.
  enum Event: Sendable {
    /// It wrote a line of this number of bytes. The receiver must call `handled(_:)`.
    case line(JSONView, bytes: Int)
    /// It has ended, and no more follows.
    case ended(Ending)
  }

  private struct State {
    var waiting: [UInt8] = []
    /// The lines that were read and not handled yet.
    var unhandled = (lines: 0, bytes: 0)
    var isEnding = false
    var isGone = false
    var pid: Int32?
  }

  private let wakeup: Descriptor
  private let state = Mutex(State())
  private let limits: Limits

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - program: the file of `lunara-plugin`.
  ///   - events: gets what the process does, on the thread of the process.
  /// - Throws: the error of eventfd(2) or of pthread_create(3).
  init(
    _ program: String, limits: Limits = Limits(), events: @escaping @Sendable (Event) -> Void
  ) throws(Errno) {
    self.limits = limits
    let number = lunara_wakeup()
    guard number >= 0 else { throw .current }
    wakeup = Descriptor(owning: number)
    try SystemThread.start("lunara-plugin") { [self] in
      do throws(Errno) {
        events(.ended(try self.run(program, events)))
      } catch {
        self.state.withLock { $0.isGone = true }
        events(.ended(.notStarted(error)))
      }
    }
  }

  /// The id of the process; nil before it runs and after it has ended.
  var pid: Int32? { state.withLock { $0.pid } }

  /// Sends a line, which has no line feed.
  func send(_ line: [UInt8]) {
    state.withLock { state in
      guard !state.isGone else { return }
      state.waiting += line
      state.waiting.append(UInt8(ascii: "\n"))
    }
    wake()
  }

  /// Notes that a line of this number of bytes was handled.
  func handled(_ bytes: Int) {
    let goesOn = state.withLock { state in
      let wasFull = state.unhandled.bytes > limits.unhandledBytes
      state.unhandled = (state.unhandled.lines - 1, state.unhandled.bytes - bytes)
      return wasFull && state.unhandled.bytes <= limits.unhandledBytes
    }
    if goesOn { wake() }
  }

  /// Kills the process. `Event.ended` follows.
  func end() {
    state.withLock { $0.isEnding = true }
    wake()
  }

  private func wake() {
    // A counter that cannot be raised any further wakes the thread as well.
    Descriptor.write([1, 0, 0, 0, 0, 0, 0, 0], to: wakeup.number)
  }

  /// Starts the process and serves it to its end. The process is started on this thread, with which it ends.
  private func run(_ program: String, _ events: (Event) -> Void) throws(Errno) -> Ending {
    let (theirInput, input) = try Descriptor.pipe()
    let (output, theirOutput) = try Descriptor.pipe()
    let child = try ChildProcess(
      program, [program], environment: Self.environment,
      descriptors: [theirInput, theirOutput, try Descriptor.null()])
    theirInput.close()
    theirOutput.close()
    state.withLock { $0.pid = child.pid }
    input.setNonBlocking()
    output.setNonBlocking()
    let ending = serve(child, input, output, events)
    state.withLock { state in
      state.isGone = true
      state.waiting = []
      state.pid = nil
    }
    child.killGroup()
    let status = child.wait()
    return ending ?? .exited(status)
  }

  /// Passes lines until the process ends. Returns why it has to be ended; nil if it has ended by itself.
  private func serve(
    _ child: ChildProcess, _ input: Descriptor, _ output: Descriptor, _ events: (Event) -> Void
  ) -> Ending? {
    var received: [UInt8] = []
    var sending: ArraySlice<UInt8> = []
    var lookAt = MonotonicClock.milliseconds() + limits.pause
    while true {
      let (isEnding, isFlooded, isFull) = state.withLock { state in
        if sending.isEmpty, !state.waiting.isEmpty {
          sending = state.waiting[...]
          state.waiting = []
        }
        return (
          state.isEnding, state.waiting.count > limits.waiting, state.unhandled.bytes > limits.unhandledBytes
        )
      }
      if isEnding { return .ended }
      if isFlooded { return .flooded }
      let now = MonotonicClock.milliseconds()
      if now >= lookAt {
        if let memory = ProcessMemory.of("\(child.pid)"), memory.resident > limits.memory { return .tooMuchMemory }
        lookAt = now + limits.pause
      }
      var polled = [
        pollfd(fd: isFull ? -1 : output.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: sending.isEmpty ? -1 : input.number, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: wakeup.number, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 3, Int32(clamping: max(.zero, lookAt - now).rawValue)) > 0 else { continue }
      if polled[2].revents != 0 { _ = wakeup.read(upTo: 8) }
      if polled[1].revents != 0 {
        let count = sending.withUnsafeBytes { write(input.number, $0.baseAddress, min($0.count, 1 << 16)) }
        if count > 0 { sending = sending.dropFirst(count) } else if errno != EAGAIN, errno != EINTR { return nil }
      }
      guard polled[0].revents != 0 else { continue }
      switch output.read(upTo: 1 << 16) {
      case .nothingYet: continue
      case .end: return nil
      case .bytes(let bytes):
        guard pass(bytes, &received, events), received.count <= limits.line else { return .flooded }
      }
    }
  }

  /// Passes the complete lines on. Returns false for a line that is not JSON, and if too many lines wait.
  private func pass(_ bytes: [UInt8], _ received: inout [UInt8], _ events: (Event) -> Void) -> Bool {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      received += rest[..<end]
      guard let line = JSONView(received), line.isObject else { return false }
      let count = received.count
      let lines = state.withLock { state in
        state.unhandled = (state.unhandled.lines + 1, state.unhandled.bytes + count)
        return state.unhandled.lines
      }
      guard lines <= limits.unhandledLines else { return false }
      events(.line(line, bytes: count))
      received = []
      rest = rest[(end + 1)...]
    }
    received += rest
    return true
  }

  /// The environment of a plugin: nothing of this process's but the variable that finds libraries.
  private static var environment: Environment {
    var environment = Environment(["TZ": "UTC", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"])
    if let value = getenv("LD_LIBRARY_PATH") { environment["LD_LIBRARY_PATH"] = String(cString: value) }
    return environment
  }
}

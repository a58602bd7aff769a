import Glibc
import Model
import System

/// Reads lines from standard input, gives them to the plugin, and wakes it when a timer is due.
final class PluginLoop {
  /// The most bytes of a received line. An answer to `fetch` has at most 8 MiB, which JSON may enlarge.
  private static let inputLimit = 24 << 20
  /// The most bytes of a sent line.
  private static let outputLimit = 2 << 20

  /// The most lists and objects within one another in a line: 32 of a result, and the line itself.
  private static let depthLimit = 33

  /// The time without work after which the plugin's memory is tidied.
  private static let pause = Milliseconds(500)

  private let engine: ScriptEngine
  private var wakeTime: Milliseconds?
  private var hasRun = false

  /// - Parameter timeLimit: the seconds for which the plugin may run without a pause.
  init?(timeLimit: Double) {
    guard let engine = ScriptEngine(timeLimit: timeLimit) else { return nil }
    self.engine = engine
  }

  /// Starts the engine and the program of the host. Afterwards no file is needed any more.
  func prepare() throws {
    try engine.load(
      HostProgram.text,
      functions: [
        "send": { [unowned self] arguments in
          write(arguments.first ?? "")
        },
        "wake": { [unowned self] arguments in
          wakeTime = arguments.first.flatMap { Int64($0) }.map { Milliseconds($0) }
          return nil
        },
        "now": { _ in String(MonotonicClock.milliseconds().rawValue) },
        "html": { arguments in HTMLTree.json(of: arguments.first ?? "") },
      ])
  }

  /// Serves lines until standard input is closed, or until the plugin has to be ended. Then says why in a last line.
  func run() {
    var line: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      switch wait() {
      case .input: break
      case .timer:
        guard receive("") else { return }
        continue
      case .pause:
        engine.collectGarbage()
        continue
      }
      let count = chunk.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      var rest = chunk[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        line += rest[..<end]
        guard receive(String(decoding: line, as: UTF8.self)) else { return }
        line.removeAll(keepingCapacity: line.capacity < 1 << 20)
        rest = rest[(end + 1)...]
      }
      line += rest
      guard line.count <= Self.inputLimit else { return }
    }
  }

  private enum Event {
    case input
    /// A timer is due.
    case timer
    /// Nothing has happened for a while since the plugin ran.
    case pause
  }

  /// Waits until something happens.
  private func wait() -> Event {
    var polled = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let pause = hasRun ? Self.pause : nil
    let timer = wakeTime.map { max(.zero, $0 - MonotonicClock.milliseconds()) }
    let limit = [pause, timer].compactMap(\.self).min()
    if limit != .zero, poll(&polled, 1, limit.map { Int32(clamping: $0.rawValue) } ?? -1) != 0 { return .input }
    if let timer, timer == limit { return .timer }
    hasRun = false
    return .pause
  }

  /// Gives the plugin a line; an empty one wakes its timers. Returns false if it has to be ended.
  private func receive(_ line: String) -> Bool {
    if line.isEmpty { wakeTime = nil }
    hasRun = true
    do {
      try engine.receive(line)
      return true
    } catch .tooLong {
      write(#"{"ended":"tooLong"}"#)
      return false
    } catch {
      write(#"{"ended":"hostFailure"}"#)
      return false
    }
  }

  /// Writes a line. Returns why it is not written, as words for a message; nil for one that is.
  @discardableResult private func write(_ text: String) -> String? {
    var bytes = Array(text.utf8)
    guard bytes.count <= Self.outputLimit else { return "is larger than 1 MiB" }
    guard Self.depth(of: bytes) <= Self.depthLimit else { return "has lists within lists, more than 32 deep" }
    guard !bytes.contains(UInt8(ascii: "\n")) else { return "is more than one line" }
    bytes.append(UInt8(ascii: "\n"))
    // A resolver that is gone closes the input as well, which ends the loop.
    Descriptor.write(bytes, to: STDOUT_FILENO)
    return nil
  }

  /// Returns the most lists and objects within one another in a text of JSON.
  private static func depth(of bytes: [UInt8]) -> Int {
    var (depth, deepest, isText, isEscaped) = (0, 0, false, false)
    for byte in bytes {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        guard !isText else { continue }
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isText { depth -= 1 }
      default: break
      }
    }
    return deepest
  }
}

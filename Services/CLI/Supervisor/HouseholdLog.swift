import Client
import Glibc
import Model

/// The log of a whole household. The lines of all services and the supervisor's own messages, each after a name, go to
/// standard error; the message that the household is ready goes to standard output.
final class HouseholdLog {
  private let output: LogOutput
  private let errors: LogOutput
  private let style: Style
  private let isJSON: Bool
  private let names: [ServiceProgram]

  /// Creates a log. With `isJSON` the lines of services are passed on unchanged, and the supervisor's messages are JSON
  /// as well.
  init(output: LogOutput, errors: LogOutput, style: Style, isJSON: Bool, names: [ServiceProgram]) {
    self.output = output
    self.errors = errors
    self.style = style
    self.isJSON = isJSON
    self.names = names
  }

  var outputs: [LogOutput] { [output, errors] }

  func print(_ text: String) { output.add(Array(text.utf8)) }

  func add(_ lines: [[UInt8]], of service: ServiceProgram) {
    let hue = names.firstIndex(of: service) ?? names.count
    for line in lines { errors.add(isJSON ? line : Array(prefix(service.description, hue: hue).utf8) + line) }
  }

  func add(_ report: SupervisorReport) { own(report.text, isWarning: report.isWarning, fields: [:]) }

  func add(_ error: LunaraError) {
    own(error.description, isWarning: true, fields: ["code": .text(error.code), "cause": .text(error.cause)])
  }

  /// Writes the remaining output; waits at most 100 ms each time that a descriptor cannot be written.
  func finish() {
    for output in outputs { output.finish(patience: 100) }
  }

  private func own(_ text: String, isWarning: Bool, fields: KeyValuePairs<String, JSON>) {
    if isJSON {
      // The line has the form of the services' log lines.
      let line = JSON.object([
        "fields": .object(fields.map { JSON.Member(key: $0.key, value: $0.value) }),
        "level": .string(isWarning ? "warning" : "info"), "message": .text(text), "service": .string("up"),
        "time": .text(Timestamp.now()),
      ])
      errors.add(Array(line.description.utf8))
    } else {
      errors.add(Array((prefix("up", hue: nil) + (isWarning ? style.notable(text) : text)).utf8))
    }
  }

  private func prefix(_ name: String, hue: Int?) -> String {
    let width = names.map(\.description.count).max() ?? 0
    let padded = name + String(repeating: " ", count: max(0, width - name.count))
    return "\(hue.map { style.hue($0, padded) } ?? style.strong(padded)) \(style.faint("|")) "
  }
}

enum SupervisorReport: Hashable, Sendable {
  case restarting(ServiceProgram, Ending, after: Milliseconds)
  case back(ServiceProgram, after: Milliseconds)
  case slow([ServiceProgram])
  case notPrepared(Ending)
  case stopping
  case killing([ServiceProgram])
  case leaving([ServiceProgram])

  var text: String {
    switch self {
    case .restarting(let service, let ending, .zero): "\(service) \(ending); starting it again"
    case .restarting(let service, let ending, let delay):
      "\(service) \(ending); starting it again in \(delay.rawValue / 1000) s"
    case .back(let service, let time): "\(service) is back after \(time.rawValue) ms"
    case .slow(let services): "still waiting for \(Self.list(services)): their lines above say more"
    case .notPrepared(let ending): "the demo library could not be made: compose-demo \(ending)"
    case .stopping: "stopping"
    case .killing(let services): "\(Self.list(services)) did not stop in time and had to be killed"
    case .leaving(let services):
      "\(Self.list(services)) cannot end: a disk or a share does not answer. What waits for it ends when it answers, or when it is unmounted (umount -f)."
    }
  }

  var isWarning: Bool {
    switch self {
    case .restarting, .slow, .notPrepared, .killing, .leaving: true
    case .back, .stopping: false
    }
  }

  private static func list(_ services: [ServiceProgram]) -> String {
    services.map(\.description).joined(separator: ", ")
  }
}

/// Writes to a terminal, pipe or file without blocking: while a terminal is held with Ctrl-S the household continues.
/// Lines that do not fit into the buffer are dropped and counted.
final class LogOutput {
  let number: Int32
  private var pending: [UInt8] = []
  private var dropped = 0
  private var isClosed = false
  private let capacity: Int

  init(_ number: Int32, capacity: Int = 262_144) {
    self.number = number
    self.capacity = capacity
  }

  var hasPending: Bool { !pending.isEmpty }

  func add(_ line: [UInt8]) {
    guard !isClosed else { return }
    guard pending.count + line.count < capacity else {
      dropped += 1
      return
    }
    logDropped()
    pending += line
    pending.append(UInt8(ascii: "\n"))
  }

  /// Adds a line with the number of lines that were dropped, if there are any.
  private func logDropped() {
    guard dropped > 0 else { return }
    pending += Array("… \(dropped == 1 ? "1 line was" : "\(dropped) lines were") left out …\n".utf8)
    dropped = 0
  }

  /// Writes at most 4096 bytes; call it when `poll` says that the descriptor can be written. A writable pipe takes 4096
  /// bytes without blocking (pipe(7), PIPE_BUF).
  func writeSome() {
    let count = pending.withUnsafeBytes { Glibc.write(number, $0.baseAddress, min(4096, $0.count)) }
    if count > 0 {
      pending.removeFirst(count)
      // Without this a quiet household would never tell that lines are missing.
      if pending.isEmpty { logDropped() }
    } else if count < 0, errno != EINTR, errno != EAGAIN {
      // The reader is gone: the household runs on without this output.
      isClosed = true
      pending = []
    }
  }

  /// Writes the remaining output, waiting at most `patience` milliseconds for each part.
  func finish(patience: Int32) {
    var polled = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    while hasPending, poll(&polled, 1, patience) > 0 { writeSome() }
  }
}

import Glibc
import Model
import System

/// Reads a password or token, which is never an argument, as every process on the machine can read those.
enum SecretPrompt {
  /// Returns the value of a variable, or else a line that is typed on the terminal without being shown, or else the
  /// first line of standard input; nil if it is empty.
  static func read(_ question: String, from variable: String?) async throws -> String? {
    if let variable, !variable.isEmpty { return variable }
    guard isatty(0) == 1 else { return line(try await bytes()) }
    Descriptor.write(Array(question.utf8), to: 2)
    let shown = try hide()
    defer {
      restore(shown)
      Descriptor.write([10], to: 2)
    }
    return line(try await bytes())
  }

  /// Asks a question that is answered with yes or no, on the terminal or on standard input. Anything but yes is no.
  static func confirm(_ question: String) async throws -> Bool {
    if isatty(0) == 1 { Descriptor.write(Array(question.utf8), to: 2) }
    return ["y", "yes"].contains(line(try await bytes())?.lowercased())
  }

  static func line(_ bytes: [UInt8]) -> String? {
    let line = bytes.prefix { $0 != 10 && $0 != 13 }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Reads up to the end of a line. Checks every 200 ms if Ctrl-C has cancelled the task, so that the terminal is
  /// restored before the process ends.
  private static func bytes() async throws -> [UInt8] {
    let input = Descriptor(owning: fcntl(0, F_DUPFD_CLOEXEC, 10))
    var bytes: [UInt8] = []
    while bytes.count < 65_536, !bytes.contains(10) {
      try Task.checkCancellation()
      var polled = pollfd(fd: input.number, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 200) > 0 else {
        await Task.yield()
        continue
      }
      switch input.read() {
      case .bytes(let more): bytes += more
      case .nothingYet: continue
      case .end: return bytes
      }
    }
    return bytes
  }

  private static func hide() throws -> termios {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0 else {
      throw LunaraError(
        "cli.noTerminal", "The terminal cannot be kept from showing a password. Give it on standard input.",
        cause: Errno.current.text)
    }
    let shown = settings
    settings.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(0, TCSAFLUSH, &settings)
    return shown
  }

  private static func restore(_ settings: termios) {
    var settings = settings
    tcsetattr(0, TCSANOW, &settings)
  }
}

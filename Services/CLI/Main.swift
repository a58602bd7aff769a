import System
import CPlatform
import Glibc
import Model
import ServiceKit
import Synchronization

@main
struct Main {
  static func main() {
    let environment = Environment.ofProcess()
    // Commands hold keys and tokens: `up` those of its environment while the household runs.
    if !Settings.isOn(environment[Settings.debuggable]) { lunara_refuse_inspection() }
    let status = Program(root: .lunara).run(Array(CommandLine.arguments.dropFirst()), environment: environment) {
      Console.ofProcess(isJSON: $0, environment: environment)
    }
    exit(status.rawValue)
  }
}

struct Program: Sendable {
  let root: Command

  /// Parses the arguments and runs their command; `console` creates the console, for JSON or for text.
  func run(_ words: [String], environment: Environment, console: (Bool) -> Console) -> ExitStatus {
    let invocation: Invocation
    do {
      invocation = try Parser(root: root).parse(words)
    } catch {
      let console = console(words.prefix { $0 != "--" }.contains(Option.json.name))
      return report(error, to: console)
    }
    let console = console(invocation.arguments.has(.json))
    if invocation.arguments.has(.version) {
      console.print("lunara \(LunaraVersion.current)\n")
      return .done
    }
    if invocation.wantsHelp {
      console.print(Help(path: invocation.path, command: invocation.command).text(console.style))
      return .done
    }
    let context = Context(arguments: invocation.arguments, console: console, environment: environment)
    do {
      switch invocation.command.action {
      case .blocking(let action): return try action(context)
      case .asynchronous(let action):
        try Interruptible.run { try await action(context) }
        return .done
      case nil: return .done
      }
    } catch {
      return report(error, to: console, path: invocation.path)
    }
  }

  private func report(_ error: any Error, to console: Console, path: [String] = []) -> ExitStatus {
    if let error = error as? UsageError {
      let path = error.path.isEmpty ? path : error.path
      var command = root
      for word in path { command = command.commands.first { $0.name == word } ?? command }
      console.report(error, hint: Help(path: path, command: command).hint)
    } else if ExitStatus(error) != .interrupted {
      console.report(LunaraError(error))
    }
    return ExitStatus(error)
  }
}

enum ExitStatus: Int32, Sendable {
  /// The command succeeded.
  case done = 0
  /// The command was refused or failed; the message says what to do.
  case failed = 1
  case wrongUsage = 2
  /// No household runs, or a service cannot be reached. One that is reached and does not answer in time has failed.
  case nothingReachable = 3
  /// A person ended it with Ctrl-C.
  case interrupted = 130

  init(_ error: any Error) {
    if error is CancellationError || LunaraError(error).code == "bus.cancelled" {
      self = .interrupted
    } else if error is UsageError {
      self = .wrongUsage
    } else {
      self = Self.unreachable.contains(LunaraError(error).code) ? .nothingReachable : .failed
    }
  }

  private static let unreachable: Set<String> = [
    "cli.noHousehold", "cli.noReplayTarget", "cli.pairNobody", "bus.unreachable",
  ]
}

/// Runs an asynchronous command while the main thread waits for its end or for Ctrl-C.
enum Interruptible {
  /// Runs `body`. SIGINT or SIGTERM cancels it; a second signal ends the process at once.
  ///
  /// Call it on the main thread before other threads run, so that all of them inherit the blocked signals.
  static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
    let signals = Descriptor(owning: lunara_signal_descriptor([SIGINT, SIGTERM], 2))
    let (ended, ending) = try Descriptor.pipe()
    let outcome = Outcome()
    let task = Task {
      do {
        try await body()
      } catch {
        outcome.failure.withLock { $0 = error }
      }
      Descriptor.write([1], to: ending.number)
    }
    var isCancelled = false
    var polled = [signals.number, ended.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&polled, 2, -1) < 0 || polled[1].revents == 0 {
      if lunara_next_signal(signals.number) != 0 {
        if isCancelled { _exit(ExitStatus.interrupted.rawValue) }
        isCancelled = true
        task.cancel()
      }
    }
    if let failure = outcome.failure.withLock({ $0 }) { throw failure }
  }

  private final class Outcome: Sendable {
    let failure = Mutex<(any Error)?>(nil)
  }
}

import Model
import ServiceKit

/// Runs one command line from its words to an exit status.
struct Program: Sendable {
  /// All commands.
  let root: Command

  /// Reads the words and runs the command they name; `console` makes the console once it is known whether JSON is
  /// wanted.
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
      case .held(let action): return try action(context)
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

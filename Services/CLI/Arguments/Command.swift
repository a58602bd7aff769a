import System

struct Context: Sendable {
  let arguments: Arguments
  let console: Console
  let environment: Environment
}

/// One command of the program: its options and operands, its help and its action. Commands form a tree.
struct Command: Sendable {
  let name: String
  let summary: String
  /// A longer explanation; empty if the summary is enough.
  var discussion: String = ""
  var examples: KeyValuePairs<String, String> = [:]
  var options: [Option] = []
  var operand: Operand?
  var commands: [Command] = []
  /// The action; nil for a command that only groups subcommands.
  var action: Action?

  enum Action: Sendable {
    /// Runs on the main thread, and blocks it until it returns.
    case blocking(@Sendable (Context) throws -> ExitStatus)
    /// Runs as a task on the concurrent pool; Ctrl-C cancels the task.
    case asynchronous(@Sendable (Context) async throws -> Void)
  }

  var allOptions: [Option] { options + Option.common }
}

/// One option of a command, such as `--room NAME`.
struct Option: Sendable, Hashable {
  let name: String
  /// The placeholder of its value in the help; nil for an option without a value.
  let value: String?
  let repeats: Bool
  let help: String

  init(_ name: String, _ value: String? = nil, repeats: Bool = false, help: String) {
    (self.name, self.value, self.repeats, self.help) = (name, value, repeats, help)
  }

  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

extension Option {
  static let common = [help, json, home, run]
  static let help = Option("--help", help: "show this help")
  static let version = Option("--version", help: "show the version")
  static let json = Option("--json", help: "print JSON, for programs")
  static let home = Option("--home", "DIR", help: "the folder of the data (LUNARA_HOME)")
  static let run = Option("--run", "DIR", help: "the folder of the services' sockets (LUNARA_RUN)")
  static let room = Option("--room", "NAME", help: "the room; needed only where there are several (LUNARA_ROOM)")
  static let after = Option("--after", "CURSOR", help: "go on after this cursor, the \"next\" of the page before")
  static let limit = Option("--limit", "N", help: "how many at most")
}

/// The words of a command that are not options, such as the ids of `lunara play ID…`.
struct Operand: Sendable, Hashable {
  let name: String
  let count: ClosedRange<Int>
  let help: String

  static func one(_ name: String, help: String) -> Operand { exactly(1, name, help: help) }
  static func exactly(_ count: Int, _ name: String, help: String) -> Operand {
    Operand(name: name, count: count...count, help: help)
  }
  static func some(_ name: String, help: String) -> Operand { Operand(name: name, count: 1...10_000, help: help) }

  var usage: String { count.upperBound > 1 && count.lowerBound == 1 ? "\(name)…" : name }
}

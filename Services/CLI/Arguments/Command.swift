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
  /// The values that shells complete.
  let completes: Completion

  /// Creates an option. If `completes` is nil, the placeholder tells if the value is a file or a folder.
  init(_ name: String, _ value: String? = nil, repeats: Bool = false, help: String, completes: Completion? = nil) {
    self.name = name
    self.value = value
    self.repeats = repeats
    self.help = help
    self.completes = completes ?? value.flatMap { Completion(placeholder: $0) } ?? .nothing
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
  static let room = Option(
    "--room", "NAME", help: "the room; else the one that plays or was used last (LUNARA_ROOM)",
    completes: .household(.rooms))
  static let after = Option("--after", "CURSOR", help: "go on after this cursor, the \"next\" of the page before")
  static let limit = Option("--limit", "N", help: "how many at most")
}

/// The words of a command that are not options, such as the ids of `lunara play ID…`.
struct Operand: Sendable, Hashable {
  let name: String
  let count: ClosedRange<Int>
  let help: String
  /// The values that shells complete.
  let completes: Completion

  /// Creates an operand. If `completes` is nil, the name tells if it is a file or a folder.
  init(name: String, count: ClosedRange<Int>, help: String, completes: Completion? = nil) {
    self.name = name
    self.count = count
    self.help = help
    self.completes = completes ?? Completion(placeholder: name) ?? .nothing
  }

  static func one(_ name: String, help: String, completes: Completion? = nil) -> Operand {
    exactly(1, name, help: help, completes: completes)
  }
  static func optional(_ name: String, help: String, completes: Completion? = nil) -> Operand {
    Operand(name: name, count: 0...1, help: help, completes: completes)
  }
  static func exactly(_ count: Int, _ name: String, help: String, completes: Completion? = nil) -> Operand {
    Operand(name: name, count: count...count, help: help, completes: completes)
  }
  static func some(_ name: String, help: String, completes: Completion? = nil) -> Operand {
    Operand(name: name, count: 1...10_000, help: help, completes: completes)
  }

  var usage: String {
    switch count {
    case 0...0, 1...1: name
    case 0...1 where !name.hasPrefix("["): "[\(name)]"
    default: count.upperBound > 1 && count.lowerBound == 1 && !name.hasSuffix("…") ? "\(name)…" : name
    }
  }
}

/// The values of an option or an operand that shells complete.
enum Completion: Sendable, Hashable {
  case folders, files, nothing
  /// One of these words.
  case words([String])
  /// Values that the household knows, as `lunara completions values` prints them.
  case household(CompletionValues.Kind)

  /// Creates the completion for a placeholder that means a folder or a file; nil for any other.
  init?(placeholder: String) {
    switch placeholder {
    case "DIR": self = .folders
    case "FILE": self = .files
    default: return nil
    }
  }
}

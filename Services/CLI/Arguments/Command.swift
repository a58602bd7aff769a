import System

/// The arguments, the console and the environment of a command that runs.
struct Context: Sendable {
  /// The options and operands of the command line.
  let arguments: Arguments
  /// The console for output.
  let console: Console
  /// The environment variables.
  let environment: Environment
}

/// One command of the program: what it takes, how it is explained and what it does. Commands form a tree.
struct Command: Sendable {
  /// The word that chooses it.
  let name: String
  /// One line for lists of commands.
  let summary: String
  /// A longer explanation; empty where the summary is enough.
  var discussion: String = ""
  /// Lines to try, each with what it does.
  var examples: [Example] = []
  /// Its options beside those that every command takes.
  var options: [Option] = []
  /// Its words; nil where it takes none.
  var operand: Operand?
  /// The commands below it.
  var commands: [Command] = []
  /// The action; nil for a command that only holds others.
  var action: Action?

  /// A line to try.
  struct Example: Sendable {
    let line: String
    let effect: String

    init(_ line: String, _ effect: String) {
      self.line = line
      self.effect = effect
    }
  }

  /// The way in which a command runs.
  enum Action: Sendable {
    /// Holds the main thread until it is done.
    case held(@Sendable (Context) throws -> ExitStatus)
    /// Runs on the concurrent pool; cancelled by Ctrl-C.
    case asynchronous(@Sendable (Context) async throws -> Void)
  }

  /// All options that may be given to it.
  var allOptions: [Option] { options + Option.common }
}

/// One option of a command, such as `--room NAME`.
struct Option: Sendable, Hashable {
  /// Its name with both dashes.
  let name: String
  /// The placeholder of its value in the help; nil for an option without a value.
  let value: String?
  /// True if the option may be given more than once.
  let repeats: Bool
  /// One line for the help.
  let help: String

  /// An option that takes a value.
  init(_ name: String, _ value: String, repeats: Bool = false, help: String) {
    self.name = name
    self.value = value
    self.repeats = repeats
    self.help = help
  }

  /// An option that is there or not.
  init(_ name: String, help: String) {
    self.name = name
    value = nil
    repeats = false
    self.help = help
  }

  /// As it is written in the help.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

extension Option {
  /// The options of every command.
  static let common = [help, json, home, run]
  /// Prints the help of the command it is given to.
  static let help = Option("--help", help: "show this help")
  /// Prints the version of the program.
  static let version = Option("--version", help: "show the version")
  /// Results and errors as JSON.
  static let json = Option("--json", help: "print JSON, for programs")
  /// The folder of the data.
  static let home = Option("--home", "DIR", help: "where the data lies (LUNARA_HOME)")
  /// The runtime folder of the services.
  static let run = Option("--run", "DIR", help: "where the services meet (LUNARA_RUN)")
  /// The room a command is for.
  static let room = Option("--room", "NAME", help: "the room; needed only where there are several (LUNARA_ROOM)")
  /// The cursor at which a list continues.
  static let after = Option("--after", "CURSOR", help: "go on after this cursor, the \"next\" of the page before")
  /// The longest length of a list.
  static let limit = Option("--limit", "N", help: "how many at most")
}

/// The words of a command that are no options, such as the ids of `lunara play ID…`.
struct Operand: Sendable, Hashable {
  /// The placeholder in the help, in capitals.
  let name: String
  /// The allowed number of words.
  let count: ClosedRange<Int>
  /// One line for the help.
  let help: String

  /// Exactly one word.
  static func one(_ name: String, help: String) -> Operand { Operand(name: name, count: 1...1, help: help) }
  /// A number of words, all needed.
  static func exactly(_ count: Int, _ name: String, help: String) -> Operand {
    Operand(name: name, count: count...count, help: help)
  }
  /// One word or more.
  static func some(_ name: String, help: String) -> Operand { Operand(name: name, count: 1...10_000, help: help) }

  /// As it is written in the help.
  var usage: String { count.upperBound > 1 && count.lowerBound == 1 ? "\(name)…" : name }
}

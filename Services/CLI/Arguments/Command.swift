/// What a command is run with.
struct Context: Sendable {
  /// What was given to it.
  let arguments: Arguments
  /// Where it speaks.
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
  /// What a line cannot say; empty where the summary is enough.
  var discussion: String = ""
  /// Lines to try, each with what it does.
  var examples: [Example] = []
  /// Its options beside those that every command takes.
  var options: [Option] = []
  /// Its words; nil where it takes none.
  var operand: Operand?
  /// The commands below it.
  var commands: [Command] = []
  /// What it does; nil for one that only holds others.
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

  /// How a command is run.
  enum Action: Sendable {
    /// Holds the main thread until it is done.
    case held(@Sendable (Context) throws -> ExitStatus)
    /// Runs on the concurrent pool; cancelled by Ctrl-C.
    case asynchronous(@Sendable (Context) async throws -> Void)
  }

  /// All options that may be given to it.
  var allOptions: [Option] { options + Option.common }
}

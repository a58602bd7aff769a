/// One option of a command, such as `--room NAME`.
struct Option: Sendable, Hashable {
  /// Its name with both dashes.
  let name: String
  /// What stands for its value in the help; nil for one that takes none.
  let value: String?
  /// Whether it may be given more than once.
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
  /// What every command takes.
  static let common = [help, json, home, run]
  /// Prints the help of the command it is given to.
  static let help = Option("--help", help: "show this help")
  /// Prints the version of the program.
  static let version = Option("--version", help: "show the version")
  /// Results and errors as JSON.
  static let json = Option("--json", help: "print JSON, for programs")
  /// Where the data lies.
  static let home = Option("--home", "DIR", help: "where the data lies (LUNARA_HOME)")
  /// Where the services meet.
  static let run = Option("--run", "DIR", help: "where the services meet (LUNARA_RUN)")
  /// The room a command is for.
  static let room = Option("--room", "NAME", help: "the room; needed only where there are several (LUNARA_ROOM)")
  /// Where a list goes on.
  static let after = Option("--after", "CURSOR", help: "go on after this cursor, the \"next\" of the page before")
  /// How long a list may be.
  static let limit = Option("--limit", "N", help: "how many at most")
}

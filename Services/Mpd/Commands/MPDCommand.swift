/// A command of the protocol.
struct MPDCommand: Sendable {
  typealias Body = @Sendable (Session, [String], inout Reply) async throws -> Void

  let name: String
  /// The numbers of arguments that it takes.
  let arguments: ClosedRange<Int>
  /// True if a client without the password may send it.
  var isOpen = false
  let run: Body

  init(_ name: String, _ arguments: ClosedRange<Int> = 0...0, isOpen: Bool = false, _ run: @escaping Body) {
    self.name = name
    self.arguments = arguments
    self.isOpen = isOpen
    self.run = run
  }

  /// Checks the number of arguments.
  func check(_ count: Int) throws(CommandError) {
    guard !arguments.contains(count) else { return }
    let problem =
      arguments.count == 1
      ? "wrong number of arguments" : count < arguments.lowerBound ? "too few arguments" : "too many arguments"
    throw CommandError(.argument, "\(problem) for \"\(name)\"")
  }
}

/// All commands.
enum CommandTable {
  /// The commands by name. `idle`, `noidle` and lists of commands belong to the connection.
  static let commands: [String: MPDCommand] = Dictionary(
    uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The commands that nobody may send.
  static let refused: Set<String> = [
    "config", "delpartition", "kill", "mount", "moveoutput", "newpartition", "unmount",
  ]

  private static let all: [MPDCommand] =
    ConnectionCommands.all + PlayerCommands.all + OptionCommands.all + OutputCommands.all + QueueCommands.all
    + QueueEditCommands.all + BrowsingCommands.all + SearchCommands.all + PictureCommands.all
    + MessageCommands.all + PlaylistCommands.all + PlaylistEditCommands.all + StickerCommands.all

  /// Returns the names of the commands that a client may send, or of the others, sorted.
  static func names(allowed: Bool, hasAccess: Bool) -> [String] {
    let usable = commands.values.filter { hasAccess || $0.isOpen }.map(\.name) + (hasAccess ? ["idle"] : [])
    let names = allowed ? usable : Set(commands.keys).union(["idle"]).union(refused).subtracting(usable).sorted()
    return names.sorted()
  }

  /// Returns true for the name of a command, also of one that nobody may send.
  static func exists(_ name: String) -> Bool { commands[name] != nil || refused.contains(name) }

  /// Returns the command of a name.
  ///
  /// - Throws: `CommandError` with the codes `unknown` and `permission`.
  static func command(_ name: String, hasAccess: Bool) throws(CommandError) -> MPDCommand {
    let denied = CommandError(.permission, "you don't have permission for \"\(name)\"")
    if refused.contains(name) { throw denied }
    guard let command = commands[name] else { throw CommandError(.unknown, "unknown command \"\(name)\"") }
    guard hasAccess || command.isOpen else { throw denied }
    return command
  }
}

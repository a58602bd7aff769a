/// A command with the words that lead to it, for what is made from the whole tree: completions and manual pages.
struct CommandPath: Sendable {
  /// The words that lead to it; none for the program itself.
  let words: [String]
  /// The command.
  let command: Command

  /// A command and all below it, in the order in which they are declared.
  static func all(below command: Command, _ words: [String] = []) -> [CommandPath] {
    [CommandPath(words: words, command: command)]
      + command.commands.flatMap { all(below: $0, words + [$0.name]) }
  }

  /// The words, with a space between them.
  var text: String { words.joined(separator: " ") }
}

extension Option {
  /// What a shell offers for its value.
  var completes: Completion {
    switch value {
    case "DIR": .folders
    case "FILE": .files
    default: .nothing
    }
  }
}

extension Operand {
  /// What a shell offers for it.
  var completes: Completion {
    switch name {
    case "DIR": .folders
    case "FILE": .files
    default: .nothing
    }
  }
}

/// What a shell offers where a word of a person's own is expected.
enum Completion: Hashable, Sendable {
  case folders, files, nothing
}

import Text

struct Invocation: Sendable {
  let path: [String]
  let command: Command
  let arguments: Arguments
  var wantsHelp: Bool { arguments.has(.help) || command.action == nil }
}

/// Reads command lines: the words of commands first, then options and operands in any order.
struct Parser: Sendable {
  /// The root command, which has no name and contains all others.
  let root: Command

  /// Returns the command of a command line, which lacks the program's name, and its arguments.
  ///
  /// `--name value` and `--name=value` are the same; `--` ends the options; a word that begins with `-` and a digit is
  /// an operand or a value, and `-rating` may be a value. Throws a `UsageError`.
  func parse(_ words: [String]) throws -> Invocation {
    var reader = Reader(command: root, words: words[...])
    do {
      try reader.readAll()
    } catch let error as UsageError {
      throw UsageError(error.message, path: reader.path)
    }
    reader.arguments.path = reader.path
    reader.arguments.known = reader.command.allOptions
    return Invocation(path: reader.path, command: reader.command, arguments: reader.arguments)
  }

  private struct Reader {
    var path: [String] = []
    var command: Command
    var words: ArraySlice<String>
    var arguments = Arguments()

    mutating func readAll() throws {
      var optionsEnded = false
      while let word = words.popFirst() {
        if optionsEnded || !Self.isOption(word) {
          try readWord(word)
        } else if word == "--" {
          optionsEnded = true
        } else {
          try readOption(word)
        }
      }
      try check()
    }

    /// Returns true for an option, or `--`. No option ends with a hyphen, as the name of the artist “-M-” does.
    static func isOption(_ word: String) -> Bool {
      guard word.hasPrefix("-"), word != "--" else { return word == "--" }
      return !word.hasSuffix("-") && !(word.dropFirst().first?.isNumber ?? false)
    }

    /// Returns true for a word with one hyphen before several letters, as no option is written.
    static func mayBeValue(_ word: String) -> Bool { !word.hasPrefix("--") && word.count > 2 }

    mutating func readWord(_ word: String) throws {
      if arguments.operands.isEmpty, let next = command.commands.first(where: { $0.name == word }) {
        command = next
        path.append(word)
      } else if command.operand == nil, !command.commands.isEmpty {
        let hint = path.isEmpty ? OtherWords.hint(for: word) : nil
        throw UsageError(
          "There is no command “\(word)”." + (hint ?? Spelling.guess(word, in: command.commands.map(\.name))))
      } else {
        arguments.operands.append(word)
      }
    }

    mutating func readOption(_ word: String) throws {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts[0] == "-h" ? "--help" : parts[0]
      // An option before a subcommand must be known to both: `lunara queue --room den clear`. `check` tests the latter.
      guard let option = command.allOptions.first(where: { $0.name == name }) else {
        throw UsageError(
          "There is no option “\(name)” here.\(Spelling.guess(name, in: command.allOptions.map(\.name)))")
      }
      if arguments.has(option), !option.repeats, option.value != nil {
        throw UsageError("\(option.name) can be given only once.")
      }
      if option.value == nil {
        guard parts.count == 1 else { throw UsageError("\(option.name) takes no value.") }
        arguments.add(option, "")
      } else if parts.count == 2 {
        arguments.add(option, parts[1])
      } else if let value = words.first, !Self.isOption(value) || Self.mayBeValue(value) {
        words.removeFirst()
        arguments.add(option, value)
      } else {
        throw UsageError("\(option.usage): the value is missing.")
      }
    }

    func check() throws {
      if arguments.has(.help) { return }
      let known = Set(command.allOptions.map(\.name))
      if let foreign = arguments.options.keys.filter({ !known.contains($0) }).min() {
        throw UsageError("There is no option “\(foreign)” here.")
      }
      guard command.action != nil else {
        if arguments.has(.version) { return }
        guard path.isEmpty, arguments.options.isEmpty else {
          throw UsageError("A command is missing: \(command.commands.map(\.name).joined(separator: ", ")).")
        }
        return
      }
      let count = arguments.operands.count
      let allowed = command.operand?.count ?? 0...0
      if count < allowed.lowerBound, let operand = command.operand { throw UsageError("\(operand.usage) is missing.") }
      if count > allowed.upperBound {
        throw UsageError("“\(arguments.operands[allowed.upperBound])” is one word too many.")
      }
    }
  }
}

enum Spelling {
  /// Returns the question “Did you mean …?” for the error message about an unknown word; empty if no candidate is
  /// similar.
  static func guess(_ word: String, in candidates: [String]) -> String {
    nearest(to: word, in: candidates).map { " Did you mean “\($0)”?" } ?? ""
  }

  /// Returns the most similar word of `candidates`; nil if none is within two edits, and within fewer edits than `word`
  /// has letters.
  static func nearest(to word: String, in candidates: [String]) -> String? {
    let near = candidates.map { (word: $0, changes: EditDistance.between(word, $0)) }.min { $0.changes < $1.changes }
    guard let near, near.changes <= 2, near.changes < word.count else { return nil }
    return near.word
  }
}

struct UsageError: Error, Equatable {
  let message: String
  /// The names of the command and its parents, such as `["queue", "move"]`.
  let path: [String]

  init(_ message: String, path: [String] = []) {
    self.message = message
    self.path = path
  }
}

extension Optional {
  /// Returns the value; throws a `UsageError` with `message` if it is nil.
  func orUsage(_ message: @autoclosure () -> String) throws -> Wrapped {
    guard let self else { throw UsageError(message()) }
    return self
  }
}

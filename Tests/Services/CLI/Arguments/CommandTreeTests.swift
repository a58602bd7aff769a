import Testing

@testable import lunara

/// Rules that hold for every command of the program.
struct CommandTreeTests {
  @Test func everyCommandHasAHelpWithExamples() {
    for (path, command) in Self.all(.lunara) where command.action != nil {
      let help = Help(path: path, command: command).text(.plain)
      #expect(!command.summary.isEmpty && !command.examples.isEmpty, "lunara \(path.joined(separator: " "))")
      #expect(help.contains("Examples") && help.contains("--json") && help.contains("Usage"))
    }
  }

  @Test func everyExampleIsACommandLineThatIsUnderstood() throws {
    for (_, command) in Self.all(.lunara) {
      for example in command.examples {
        let words = Self.words(example.key)
        #expect(words.first == "lunara")
        let found = try Parser(root: .lunara).parse(Array(words.dropFirst()))
        #expect(found.command.action != nil, "\(example.key)")
      }
    }
  }

  @Test func noTwoOptionsOfACommandHaveOneName() {
    for (path, command) in Self.all(.lunara) {
      let names = command.allOptions.map(\.name)
      #expect(Set(names).count == names.count, "\(path)")
    }
  }

  @Test func theContractsCommandsAreThere() {
    let names = Set(Command.lunara.commands.map(\.name))
    let wanted = [
      "up", "status", "rooms", "albums", "artists", "album", "search", "play", "pause", "resume", "next", "previous",
      "stop", "seek", "volume", "queue", "sync", "scrobbles", "tap", "key", "pair", "join", "doctor", "explain",
      "collections", "playlists",
      "tracks",
      "artist", "collection", "playlist", "track", "rate", "sources", "login", "logout", "plays", "mute", "repeat",
      "sleep", "output", "tags", "pin",
    ]
    #expect(names.isSuperset(of: wanted))
  }

  private static func all(_ command: Command, _ path: [String] = []) -> [([String], Command)] {
    [(path, command)] + command.commands.flatMap { all($0, path + [$0.name]) }
  }

  private static func words(_ line: String) -> [String] {
    var words: [String] = []
    for (index, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      words += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
    return words
  }
}

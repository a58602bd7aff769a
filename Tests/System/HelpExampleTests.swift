import TestSupport
import Testing

extension SystemTests {
  /// The examples of `lunara help` are run as they stand, by a shell, in a household with the demo's music.
  @Suite struct HelpExampleTests {
    /// The beginnings of examples that the demo cannot run, by what they need.
    private static let needs = [
      "a household that does not run yet": ["lunara up", "lunara restore", "lunara compose-demo", "lunara replay"],
      "systemd": ["lunara enable", "lunara disable"],
      "a second machine": ["lunara pair", "lunara join"],
      "a server or an account": [
        "lunara login", "lunara logout", "lunara sources add subsonic", "lunara sources add plex",
        "lunara sources order", "lunara sources remove subsonic", "lunara sources on", "lunara sources off",
        "lunara scrobbles on", "lunara scrobbles off", "lunara collection ", "lunara playlist ", "lunara pin",
        "lunara rate plex:", "lunara providers link", "lunara providers set", "lunara providers unlink",
        "lunara concerts", "lunara plugins devices",
        "lunara play --artist \"Nova Kessler\" --title \"Tram at Night\" --on",
        "lunara ask", "lunara play --queue", "lunara plugins scrobble", "lunara plugins history",
        "lunara plugins unwanted",
        "lunara providers sync", "lunara providers report", "lunara providers answer", "lunara providers undo",
      ],
      "a person who types": ["lunara web password"],
      "music that the demo does not have": [
        "lunara works \"Bach\"", "lunara work library:w", "lunara artist \"Bach\"", "lunara folders /music",
        "lunara play library:folder:/music", "lunara play /music", "lunara sync --read-again ~/Music/New",
        "lunara editions prefer", "lunara lyrics",
        "lunara import ratings --folder", "lunara import plays --folder", "lunara playlists export Sunday /music",
        "lunara playlists cover Sunday boat",
      ],
      "playlists and wishes of these ids, and entries of these numbers": [
        "lunara playlists add lunara:p4", "lunara playlists remove", "lunara playlists move",
        "lunara playlists undo lunara:p4", "lunara wishes remove", "lunara themes change 3", "lunara themes delete 3",
        "lunara themes undo 3",
      ],
      "files that are there": ["lunara scrobbles import player.jsonl", "lunara review settings --endpoint https"],
      "a language model": ["lunara review files:"],
      "a second room": ["lunara move", "lunara rooms forget", "lunara queue restore"],
      "suggestions of the library, and a listening that counted": [
        "lunara todos accept", "lunara todos dismiss", "lunara note files:a3 --session",
      ],
      "the network": [
        "lunara discovery sources listenbrainz-popularity on", "lunara discovery sources musicbrainz on",
        "lunara discovery refresh lastfm-artists", "lunara wishes add f32fab67",
        "lunara article files:", "lunara article \"Nova Kessler", "lunara article choose",
        "lunara todos webhook https",
        "lunara playlists import https", "lunara plugins add https", "lunara plugins update archive",
        "lunara play https", "lunara queue add https", "lunara playlists add Sunday https",
      ],
      "a sound card": ["lunara output alsa"],
    ]

    /// Returns the line that runs an example, with what has to come before it; a tap ends after a second.
    private static func line(of example: String) -> String {
      if example.hasPrefix("lunara tap"), !example.contains("--for") { return example + " --for 1s" }
      if example.hasPrefix("lunara seek") { return "lunara play files:a3 && \(example)" }
      if example.hasPrefix("lunara queue") { return "lunara play --all && \(example)" }
      if example.hasPrefix("lunara scrobbles export listens") { return "rm -f listens.jsonl && \(example)" }
      if example.hasPrefix("lunara scrobbles import listens") {
        let listen = #"{"listened_at":1600000000,"track_metadata":{"artist_name":"A","track_name":"T"}}"#
        return "echo '\(listen)' >listens.jsonl && \(example)"
      }
      // Other examples have set the volume to zero, play music, and have added the folder.
      if example.hasPrefix("lunara output test") { return "lunara stop; lunara volume 50 && \(example)" }
      if example.hasPrefix("lunara sources remove Music") { return "lunara sources add Music; \(example)" }
      if example == "lunara sources add ~/Music" { return "lunara sources remove ~/Music; \(example)" }
      // There is one playlist, with a change that can be taken back.
      if example.hasPrefix("lunara playlists ") {
        return """
          for id in $(lunara playlists | cut -f 1); do lunara playlists delete $id; done
          rm -f *.m3u8 *.xspf
          lunara playlists new Sunday files:a3 && lunara playlists add Sunday files:t12 && \(listFile(example))\(example)
          """
      }
      // There are three plugins, one with the address of a server, and a person who agrees to them.
      if example.hasPrefix("lunara plugins") || example.hasPrefix("lunara resolve") {
        return """
          for id in archive bandcamp ask; do
            printf '{"manifest":{"id":"%s"},"settings":{"configurable":{"collection":{},"server":' $id >$id.axe
            printf '{"default":"http://localhost:11434"}}},"implementation":{' >>$id.axe
            printf '"resolve":"async (artist, title) => ({ artist, title, id: title })"}}' >>$id.axe
            lunara plugins add $id.axe --yes
          done
          \(example.hasPrefix("lunara plugins revert") ? "printf ' ' >>archive.axe; lunara plugins add archive.axe --yes" : "")
          echo y | \(example)
          """
      }
      // There are notes, marks and todos with the numbers up to four.
      if example.hasPrefix("lunara notes") {
        return "for id in 1 2 3 4; do lunara note files:a3 \"Note $id.\"; done; \(example)"
      }
      if example.hasPrefix("lunara marks") { return "for id in 1 2 3 4; do lunara mark files:a$id; done; \(example)" }
      if example.hasPrefix("lunara todos") {
        return "for id in 1 2 3 4; do lunara todo files:a3 \"Todo $id.\"; done; \(example)"
      }
      if example.hasPrefix("lunara garden") {
        return "rm -f garden.*; \(example.contains("import") ? "lunara garden export garden.md && " : "")\(example)"
      }
      if example.hasPrefix("lunara backup") { return "rm -f lunara.tar.zst && \(example)" }
      return example
    }

    /// Returns what makes the list file that an example imports.
    private static func listFile(_ example: String) -> String {
      let words = example.split(separator: " ")
      guard words.count > 3, words[2] == "import" else { return "" }
      return "lunara playlists export Sunday \(words[3]) && "
    }

    @Test func everyExampleWorksOnTheDemo() async throws {
      try await Household.with(.init()) { household in
        try await household.up("--demo", within: .seconds(240))
        try await soon("the demo library is read", equals: "ready") {
          try await household.json("status").sources[0].health.asString
        }
        let shell = try ExampleShell(household)
        try await shell.run("mkdir -p Music")
        var tried = 0
        for example in try await Self.examples(of: household) {
          guard !Self.needs.values.joined().contains(where: { example.hasPrefix($0) }) else { continue }
          let outcome = try await shell.run(Self.line(of: example))
          // The machine of a test may lack sound, which the doctor reports.
          let isDone = outcome.status == 0 || example.hasPrefix("lunara doctor") && outcome.status == 1
          #expect(isDone, "\(example): \(outcome.output) \(outcome.errors)")
          tried += 1
        }
        #expect(tried > 100)
      }
    }

    /// Returns the examples of all commands and their subcommands, as `lunara help` prints them.
    private static func examples(of household: Household, _ path: [String] = []) async throws -> [String] {
      let help = try await household.lunara(["help"] + path)
      try #require(help.status == 0, "\(help.errors)")
      var (section, examples, commands) = ("", [String](), [String]())
      for line in help.output.split(separator: "\n") {
        if !line.hasPrefix("  ") { section = String(line) }
        let words = String(line.drop { $0 == " " })
        if section == "Commands", line.hasPrefix("  ") {
          commands += words.split(separator: " ").prefix(1).map(String.init)
        }
        // Two spaces are between an example and its explanation.
        if section == "Examples", line.hasPrefix("  "), let end = words.firstRange(of: "  ") {
          examples.append(String(words[..<end.lowerBound]))
        }
      }
      for command in commands { examples += try await Self.examples(of: household, path + [command]) }
      return examples
    }
  }
}

/// A shell in a folder of its own, which is the home as well, with `lunara` in its path.
private struct ExampleShell {
  private let folder = TemporaryDirectory()
  private let environment: [String: String]

  init(_ household: Household) throws {
    let program = try Programs.lunara()
    let path = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
    environment = household.environment.merging([
      "HOME": folder.path, "PATH": "\(path):\(household.environment["PATH"] ?? "/usr/bin:/bin")",
    ]) { $1 }
  }

  /// Runs a line and returns its outcome; a question gets the end of the input as its answer.
  @discardableResult
  func run(_ line: String) async throws -> Outcome {
    let child = try ChildProcess(
      [try Programs.tool("sh"), "-c", "cd '\(folder.path)' && { \(line); } < /dev/null"], environment: environment)
    guard let status = await child.ended(within: patience) else {
      await child.kill()
      throw ChildProcess.Failure(description: "\(line) does not end: \(child.output)\(child.errors)")
    }
    return Outcome(command: line, status: status, output: child.output, errors: child.errors)
  }
}

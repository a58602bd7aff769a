import Glibc

/// Sends mutated frames to a node: `lunara-flood [NUMBER]`, by default ten million. Exits with 1 where they did harm.
@main struct Program {
  static func main() async {
    let number = CommandLine.arguments.dropFirst().first.map { Int($0) } ?? 10_000_000
    guard let number, number > 0 else {
      say("usage: lunara-flood [NUMBER]")
      exit(2)
    }
    do {
      // The limit leaves room for what a table, a buffer or the allocator takes once. A leak of 8 bytes a frame would
      // be 80 MB after ten million.
      let outcome = try await Flood(frames: number, growthLimit: 24 * 1024, tell: say).run()
      say(
        """
        \(outcome.arrived) frames in \(Int(outcome.seconds)) s, \(Int(Double(outcome.arrived) / outcome.seconds))/s: \
        \(outcome.bad) were none, \(outcome.refused) did not open
        meanwhile \(outcome.facts) facts of good publishers applied, \(outcome.answers) questions answered
        memory grew by \(outcome.growth) KiB after the first tenth
        """)
      for harm in outcome.harm { say("HARM  \(harm)") }
      exit(outcome.harm.isEmpty ? 0 : 1)
    } catch {
      say("lunara-flood: \(error)")
      exit(1)
    }
  }
}

/// Prints a line at once, without buffering.
private func say(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}

import AudioDigests
import Confinement
import Glibc
import Model
import MusicTags
import System

/// Reads tags and pictures of music files until its socket, standard input, is closed. It is a process of its own
/// because some files are made to break the programs that read them.
@main struct Main {
  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    let rules = TagRules.rules(&arguments)
    let program = WorkerProgram("lunara-tags", "reads tags for lunara-library") { _ in
      rules != nil && (arguments.isEmpty || arguments.first == "--encodings" && arguments.count > 1)
    }
    let encodings = Array(arguments.dropFirst())
    ConfinementProfile.tags.isolate()
    guard let rules, let reader = TagReader(encodings: encodings) else {
      program.fail("there is no memory, or one of these encodings is unknown: \(encodings.joined(separator: ", "))")
    }
    do {
      try ConfinementProfile.tags.refuseSystemCalls()
      try reader.answerRequests(on: MessageSocket(Descriptor(owning: STDIN_FILENO)), rules)
    } catch Errno.brokenPipe {
      // The library is gone, so nobody needs the answers.
    } catch {
      program.fail("\(LunaraError(error))")
    }
  }
}

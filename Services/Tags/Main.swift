import AudioDigests
import Confinement
import Glibc
import Model
import System

/// Reads tags and pictures of music files until its socket, standard input, is closed. It is a process of its own
/// because some files are made to break the programs that read them.
@main struct Main {
  static func main() {
    let program = WorkerProgram("lunara-tags", "reads tags for lunara-library") {
      $0.isEmpty || ($0.first == "--encodings" && $0.count > 1)
    }
    let encodings = Array(CommandLine.arguments.dropFirst(2))
    ConfinementProfile.tags.isolate()
    guard let reader = TagReader(encodings: encodings) else {
      program.fail("there is no memory, or one of these encodings is unknown: \(encodings.joined(separator: ", "))")
    }
    do {
      try ConfinementProfile.tags.refuseSystemCalls()
      try reader.answerRequests(on: MessageSocket(Descriptor(owning: STDIN_FILENO)))
    } catch Errno.brokenPipe {
      // The library is gone, so nobody needs the answers.
    } catch {
      program.fail("\(LunaraError(error))")
    }
  }
}

import AudioDigests
import Confinement
import Glibc
import Model
import MusicTags
import System

/// Reads tags and pictures of music files that TagLib does not know, until its socket, standard input, is closed. It is
/// a process of its own because some files are made to break the programs that read them, and it is apart from
/// `lunara-tags` because libavformat loads a hundred libraries, which most households never need for their files.
@main struct Main {
  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    let rules = TagRules.rules(&arguments)
    let program = WorkerProgram("lunara-formats", "reads tags of rare formats for lunara-library") { _ in
      rules != nil && arguments.isEmpty
    }
    guard let rules else { return }
    ConfinementProfile.formats.isolate()
    AudioFile.silenceLibrary()
    do {
      try ConfinementProfile.formats.refuseSystemCalls()
      try FormatReader().answerRequests(on: MessageSocket(Descriptor(owning: STDIN_FILENO)), rules)
    } catch Errno.brokenPipe {
      // The library is gone, so nobody needs the answers.
    } catch {
      program.fail("\(LunaraError(error))")
    }
  }
}

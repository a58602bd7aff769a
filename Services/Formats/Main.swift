import AudioDigests
import Confinement
import Glibc
import Model
import System

/// Reads tags and pictures of music files that TagLib does not know, until its socket, standard input, is closed. It is
/// a process of its own because some files are made to break the programs that read them, and it is apart from
/// `lunara-tags` because libavformat loads a hundred libraries, which most households never need for their files.
@main struct Main {
  static func main() {
    let program = WorkerProgram("lunara-formats", "reads tags of rare formats for lunara-library")
    ConfinementProfile.formats.isolate()
    AudioFile.silenceLibrary()
    do {
      try ConfinementProfile.formats.refuseSystemCalls()
      try FormatReader().answerRequests(on: MessageSocket(Descriptor(owning: STDIN_FILENO)))
    } catch Errno.brokenPipe {
      // The library is gone, so nobody needs the answers.
    } catch {
      program.fail("\(LunaraError(error))")
    }
  }
}

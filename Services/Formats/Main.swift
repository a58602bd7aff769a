import CPlatform
import Confinement
import Glibc
import Messages
import Model
import System

/// Reads tags and pictures of music files that TagLib does not know, until its socket, standard input, is closed. It is
/// a process of its own because some files are made to break the programs that read them, and it is apart from
/// `lunara-tags` because libavformat loads a hundred libraries, which most households never need for their files.
@main struct Main {
  /// The most seconds of processor time that one file may take; then the kernel ends this process.
  private static let patience: Int32 = 10

  static func main() {
    let program = WorkerProgram("lunara-formats", "reads tags of rare formats for lunara-library")
    ConfinementProfile.formats.isolate()
    AudioFile.silenceLibrary()
    do {
      try ConfinementProfile.formats.refuseSystemCalls()
      try answer(on: MessageSocket(Descriptor(owning: STDIN_FILENO)))
    } catch Errno.brokenPipe {
      // The library is gone, so nobody needs the answers.
    } catch {
      program.fail("\(LunaraError(error))")
    }
  }

  private static func answer(on socket: MessageSocket) throws {
    try socket.send(TagReading.ready)
    while let message = try socket.receive() {
      let files = message.descriptors
      switch TagReading.Request(message.bytes) {
      case .tags(let requested) where files.count == requested.count + 1:
        for (file, descriptor) in zip(requested, files) {
          lunara_limit_processor_time(patience)
          try files[requested.count].write(FormatReader.tags(of: file, descriptor).bytes)
        }
        try socket.send(TagReading.ready)
      case .picture(let file) where files.count == 2:
        lunara_limit_processor_time(patience)
        try socket.send(FormatReader.picture(of: file, files[0], to: files[1]).bytes)
      case .lyrics(let file) where files.count == 2:
        lunara_limit_processor_time(patience)
        try socket.send(FormatReader.lyrics(of: file, files[0], to: files[1]).bytes)
      case .allTags(let file) where files.count == 2:
        lunara_limit_processor_time(patience)
        try socket.send(FormatReader.allTags(of: file, files[0], to: files[1]).bytes)
      default: throw Errno.invalidArgument
      }
      lunara_limit_processor_time(0)
    }
  }
}

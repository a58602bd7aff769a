import CPlatform
import Confinement
import Glibc
import Messages
import Model
import System

/// Reads tags and pictures of music files until its socket, standard input, is closed. It is a process of its own
/// because some files are made to break the programs that read them.
@main struct Main {
  /// The most seconds of processor time that one file may take; then the kernel ends this process.
  private static let patience: Int32 = 10

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
      try answer(on: MessageSocket(Descriptor(owning: STDIN_FILENO)), with: reader)
    } catch Errno.brokenPipe {
      // The library is gone, so nobody needs the answers.
    } catch {
      program.fail("\(LunaraError(error))")
    }
  }

  private static func answer(on socket: MessageSocket, with reader: borrowing TagReader) throws {
    try socket.send(TagReading.ready)
    while let message = try socket.receive() {
      let files = message.descriptors
      switch TagReading.Request(message.bytes) {
      case .tags(let requested) where files.count == requested.count + 1:
        for (file, descriptor) in zip(requested, files) {
          lunara_limit_processor_time(patience)
          try files[requested.count].write(reader.tags(of: file, descriptor).bytes)
        }
        try socket.send(TagReading.ready)
      case .picture(let file) where files.count == 2:
        lunara_limit_processor_time(patience)
        try socket.send(reader.picture(of: file, files[0], to: files[1]).bytes)
      case .lyrics(let file) where files.count == 2:
        lunara_limit_processor_time(patience)
        try socket.send(reader.lyrics(of: file, files[0], to: files[1]).bytes)
      case .allTags(let file) where files.count == 2:
        lunara_limit_processor_time(patience)
        try socket.send(reader.allTags(of: file, files[0], to: files[1]).bytes)
      default: throw Errno.invalidArgument
      }
      lunara_limit_processor_time(0)
    }
  }
}

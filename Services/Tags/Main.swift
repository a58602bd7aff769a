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
    let arguments = CommandLine.arguments.dropFirst()
    let encodings = arguments.first == "--encodings" ? Array(arguments.dropFirst()) : []
    guard arguments.isEmpty || !encodings.isEmpty else {
      let asksVersion = arguments.first == "--version"
      print(
        asksVersion
          ? "lunara-tags \(LunaraVersion.current)"
          : "lunara-tags: reads tags for lunara-library, which starts it when it needs some.")
      exit(asksVersion || arguments.first == "--help" ? 0 : 2)
    }
    ConfinementProfile.tags.isolate()
    guard let reader = TagReader(encodings: encodings) else {
      fail("there is no memory, or one of these encodings is unknown: \(encodings.joined(separator: ", "))")
    }
    do {
      try ConfinementProfile.tags.refuseSystemCalls()
      try answer(on: MessageSocket(Descriptor(owning: STDIN_FILENO)), with: reader)
    } catch Errno.brokenPipe {
      // The library is gone, so nobody needs the answers.
    } catch {
      fail("\(LunaraError(error))")
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

  private static func fail(_ reason: String) -> Never {
    Descriptor.write(Array("lunara-tags: \(reason)\n".utf8), to: STDERR_FILENO)
    exit(1)
  }
}

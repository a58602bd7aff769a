import Glibc
import Messages
import Model
import System
import TestSupport
import Testing

@testable import Sources

extension TagReaders {
  /// Writes a program that runs `start`, is ready at once, and then runs `line` for each request, both in Python:
  /// `answer` gives a number of equal answers for tags. Returns readers that use it.
  static func fake(
    _ line: String, start: String = "pass", ready: [UInt8] = TagReading.ready,
    patience: Milliseconds = Milliseconds(500), in tree: MusicTree
  ) throws -> TagReaders {
    let path = tree.beside("reader")
    var refused = TagReading.Answer(.unreadable)
    refused.systemError = EACCES
    let program = """
      #!/usr/bin/python3
      import ctypes, os, pathlib, signal, socket, time
      folder = pathlib.Path("\(tree.beside(""))")
      refused = bytes(\(refused.bytes))
      def answer(one, count=1):
        os.write(files[-1], one * count)
        library.send(bytes(\(ready)))
      \(start)
      library = socket.socket(fileno=0)
      library.send(bytes(\(ready)))
      while (received := socket.recv_fds(library, 65536, 64))[0]:
        request, files = received[:2]
        \(line)
        for file in files: os.close(file)
      """
    try TestProgram.install(program, at: path)
    return TagReaders(program: path, patience: patience)
  }
}

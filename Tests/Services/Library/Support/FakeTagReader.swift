import Glibc
import Model
import System
import Testing

@testable import lunara_library

extension TagReaders {
  /// Writes a program that runs `start`, is ready at once, and then runs `line` for each request, both in Python.
  /// Returns readers that use it.
  static func fake(
    _ line: String, start: String = "pass", patience: Milliseconds = Milliseconds(500), in tree: MusicTree
  ) throws -> TagReaders {
    let path = tree.beside("reader")
    let program = """
      #!/usr/bin/python3
      import ctypes, os, pathlib, signal, socket, struct, time
      folder = pathlib.Path("\(tree.beside(""))")
      refused = struct.pack("<BBiq", 2, 0, 13, 0)
      \(start)
      library = socket.socket(fileno=0)
      library.send(b"\\x01")
      while request := library.recv(65536):
        \(line)
      """
    try tree.write(Array(program.utf8), to: Array(path.utf8))
    try #require(chmod(path, 0o700) == 0)
    return TagReaders(program: path, patience: patience)
  }
}

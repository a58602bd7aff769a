import Bus
import Glibc
import Model

/// Reads what `tap --record` wrote.
enum RecordingFile {
  /// All lines of a file.
  ///
  /// - Throws: `cli.badRecording` where it cannot be read, or a line is none of a recording.
  static func read(_ path: String) throws -> [RecordedMessage] {
    guard let file = fopen(path, "re") else {
      throw LunaraError(
        "cli.badRecording", "The recording \(path) cannot be opened.", cause: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var recorded: [RecordedMessage] = []
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    var number = 0
    while true {
      let count = getline(&line, &capacity, file)
      guard count >= 0, let start = line else { break }
      number += 1
      var bytes = UnsafeRawBufferPointer(start: start, count: count).map { $0 }
      while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
      if bytes.isEmpty { continue }
      guard let one = RecordedMessage(line: bytes) else {
        throw LunaraError(
          "cli.badRecording", "Line \(number) of \(path) is none of a recording. `lunara tap --record FILE` makes one.")
      }
      recorded.append(one)
    }
    guard ferror(file) == 0 else {
      throw LunaraError(
        "cli.badRecording", "The recording \(path) cannot be read.", cause: String(cString: strerror(errno)))
    }
    return recorded
  }
}

import Bus
import Client
import System
import Glibc
import Model

/// A file of envelopes, one JSON object a line.
struct Recording: Sendable {
  /// Its path.
  let path: String
  private let file: Descriptor

  /// Begins a file anew; only its owner may read it, as it tells what a person listens to.
  init(_ path: String) throws {
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw Self.failure(path) }
    self.path = path
    file = Descriptor(owning: number)
  }

  /// Adds an envelope.
  func add(_ json: JSON) throws {
    guard Descriptor.write(Array("\(json)\n".utf8), to: file.number) else { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> LunaraError {
    LunaraError(
      "cli.cannotRecord", "Cannot write the recording \(path). Is there room, and may you write there?",
      cause: String(cString: strerror(errno)))
  }
}

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

import Bus
import Client
import System
import Glibc
import Model

/// A file of envelopes, with one JSON object per line.
struct Recording: Sendable {
  let path: String
  private let file: Descriptor

  /// Creates or empties a file. Only its owner may read a new one, as it shows what a person listens to.
  init(_ path: String) throws {
    self.path = path
    do { file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_TRUNC) } catch { throw Self.failure(path, error) }
  }

  func add(_ json: JSON) throws {
    do { try file.write("\(json)\n") } catch { throw Self.failure(path, error) }
  }

  private static func failure(_ path: String, _ error: Errno) -> LunaraError {
    LunaraError(
      "cli.cannotRecord", "Cannot write the recording \(path). Is there room, and may you write there?", cause: error)
  }
}

extension Recording {
  /// Returns all messages of a file. Throws `cli.badRecording` if it cannot be read, or if a line is not that of a
  /// recording.
  static func read(_ path: String) throws -> [RecordedMessage] {
    var recorded: [RecordedMessage] = []
    do {
      var lines = try LineReader(path)
      while let line = try lines.next() {
        guard let one = RecordedMessage(line: line) else {
          throw LunaraError(
            "cli.badRecording",
            "Line \(lines.number) of \(path) is not a line of a recording. `lunara tap --record FILE` makes one.")
        }
        recorded.append(one)
      }
    } catch let error as Errno {
      throw LunaraError("cli.badRecording", "The recording \(path) cannot be read.", cause: error)
    }
    return recorded
  }
}

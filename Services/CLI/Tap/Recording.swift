import System
import Glibc
import Model

/// A file of envelopes, one JSON object a line.
struct Recording: Sendable {
  /// Where it is.
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

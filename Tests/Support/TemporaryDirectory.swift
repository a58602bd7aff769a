import FoundationEssentials
import Glibc

/// A fresh directory with a short path, removed with its owner.
public final class TemporaryDirectory: Sendable {
  /// Its path.
  public let path: String

  /// Makes the directory.
  public init() {
    var name = Array("/tmp/lu-XXXXXX".utf8CString)
    precondition(mkdtemp(&name) != nil, "no temporary directory can be made")
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // What cannot be removed is left to the system's own tidying of /tmp.
    }
  }
}

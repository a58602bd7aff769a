import System

/// A fresh directory with a short path, removed with its owner.
public final class TemporaryDirectory: Sendable {
  /// Its path.
  public let path: String

  public init() {
    do { path = try Files.makeTemporaryFolder("/tmp/lu-") } catch { fatalError("No temporary directory: \(error)") }
  }

  deinit {
    do {
      try Files.removeTree(path)
    } catch {
      // What cannot be removed is left to the system's own tidying of /tmp.
    }
  }
}

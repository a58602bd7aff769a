import System

/// A new directory with a short path, removed with this value.
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
      // Files that cannot be removed are left to the system's cleaning of /tmp.
    }
  }
}

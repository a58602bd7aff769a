import FoundationEssentials
import Glibc

/// A temporary folder that goes with the test.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = "/tmp/lunara-st-\(UInt32.random(in: 0...UInt32.max))"
    guard mkdir(path, 0o700) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  deinit { do { try FileManager.default.removeItem(atPath: path) } catch {} }

  func path(_ name: String) -> String { "\(path)/\(name)" }
}

import Glibc
import TestSupport
import Testing

/// A session bus for one test: `dbus-daemon` on a socket in a temporary folder.
final class PrivateBus: Sendable {
  let address: String
  private let folder: TemporaryDirectory
  private let daemon: ChildProcess

  static func start() async throws -> PrivateBus {
    let folder = TemporaryDirectory()
    let address = "unix:path=\(folder.path)/bus"
    let daemon = try ChildProcess(
      [
        try Programs.tool("dbus-daemon"), "--session", "--nofork", "--nopidfile", "--address=\(address)",
        "--print-address",
      ],
      environment: Programs.environment())
    let bus = PrivateBus(address: address, folder: folder, daemon: daemon)
    try await soon("dbus-daemon listens") { daemon.output.hasPrefix("unix:") }
    return bus
  }

  private init(address: String, folder: TemporaryDirectory, daemon: ChildProcess) {
    self.address = address
    self.folder = folder
    self.daemon = daemon
  }

  func stop() async { await daemon.kill() }

  /// Runs playerctl for Lunara's player in the kitchen and returns its output without the last line break.
  @discardableResult
  func playerctl(_ words: String...) async throws -> String {
    let output = try await Programs.run(
      ["playerctl", "--player=lunara.kitchen"] + words, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
    return output.hasSuffix("\n") ? String(output.dropLast()) : output
  }
}

import Glibc
import TestSupport

/// A session bus for one test: `dbus-daemon` on a socket in a temporary directory.
final class PrivateBus: Sendable {
  let directory: TemporaryDirectory
  let address: String
  private let daemon: TestProcess

  /// Starts a bus, on a socket of the given directory where one is given.
  static func start(in directory: TemporaryDirectory = TemporaryDirectory()) async throws -> PrivateBus {
    let address = "unix:path=\(directory.path)/bus"
    unlink("\(directory.path)/bus")
    let daemon = try TestProcess([
      "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address=1",
    ])
    for await line in daemon.lines where line.hasPrefix("unix:") {
      return PrivateBus(directory: directory, address: address, daemon: daemon)
    }
    throw TestProcess.Failure(what: "dbus-daemon did not start")
  }

  private init(directory: TemporaryDirectory, address: String, daemon: TestProcess) {
    self.directory = directory
    self.address = address
    self.daemon = daemon
  }

  /// Kills the daemon; its socket file stays, as after a crash.
  func stop() async { await daemon.stop(SIGKILL) }

  /// Runs `playerctl` and returns what it prints.
  func playerctl(_ player: String, _ arguments: String...) async throws -> String {
    try await TestProcess.output(
      of: ["playerctl", "--player=\(player)"] + arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
  }

  /// The players on the bus, as playerctl names them.
  func players() async throws -> [String] {
    let list = try await TestProcess.output(
      of: ["playerctl", "--list-all"], environment: ["DBUS_SESSION_BUS_ADDRESS": address])
    return list == "No players found" ? [] : list.split(separator: "\n").map(String.init).sorted()
  }

  /// Runs `busctl` and returns what it prints.
  func busctl(_ arguments: String...) async throws -> String {
    try await TestProcess.output(of: ["busctl", "--address=\(address)"] + arguments)
  }

  /// The value of a player's property, as busctl prints it.
  func property(_ name: String, of player: String) async throws -> String {
    try await busctl(
      "get-property", "org.mpris.MediaPlayer2.lunara.\(player)", "/org/mpris/MediaPlayer2",
      "org.mpris.MediaPlayer2.Player", name)
  }

  /// Runs `gdbus` and returns what it prints.
  func gdbus(_ arguments: [String]) async throws -> String {
    try await TestProcess.output(of: ["gdbus"] + arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
  }

  /// Calls a method of a player; returns an empty text where it succeeded. Waits for a late answer longer than by
  /// default.
  func call(_ method: String, of player: String, _ arguments: String...) async throws -> String {
    try await TestProcess.output(
      of: [
        "busctl", "--address=\(address)", "--timeout=120", "call", "org.mpris.MediaPlayer2.lunara.\(player)",
        "/org/mpris/MediaPlayer2",
        "org.mpris.MediaPlayer2.Player", method,
      ] + arguments.prefix(1) + ["--"].prefix(arguments.count) + arguments.dropFirst())
  }
}

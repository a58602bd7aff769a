/// The logind of dbusmock, on a bus that belongs to the test and can be ended and started again.
public final class MockLogind: Sendable {
  /// The bus's address, for `busAddress` or DBUS_SYSTEM_BUS_ADDRESS.
  public let address: String

  private let folder: TemporaryDirectory
  private let bus: TestProgram
  private let logind: TestProgram?

  /// Starts a bus, and logind on it; returns when it answers.
  ///
  /// - Parameters:
  ///   - folder: where the bus's socket lies; the same again for a bus that comes back.
  ///   - isThere: whether there is a logind on it.
  public static func start(in folder: TemporaryDirectory = TemporaryDirectory(), isThere: Bool = true) async throws
    -> MockLogind
  {
    let address = "unix:path=\(folder.path)/system"
    let output = "\(folder.path)/output-\(UInt32.random(in: 0...UInt32.max))"
    let bus = try TestProgram(
      ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address=1"],
      output: output)
    while !TestProgram.contents(of: output).hasPrefix("unix:") { try await Task.sleep(for: .milliseconds(5)) }
    let logind =
      isThere
      ? try TestProgram(
        ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"],
        environment: ["DBUS_SYSTEM_BUS_ADDRESS": address], output: output + ".logind") : nil
    let mock = MockLogind(address: address, folder: folder, bus: bus, logind: logind)
    while isThere, try await mock.call("ListInhibitors").status != 0 { try await Task.sleep(for: .milliseconds(20)) }
    return mock
  }

  private init(address: String, folder: TemporaryDirectory, bus: TestProgram, logind: TestProgram?) {
    self.address = address
    self.folder = folder
    self.bus = bus
    self.logind = logind
  }

  /// Kills both, as in a crash.
  public func end() {
    logind?.end()
    bus.end()
  }

  /// The locks that are held, each as `WHAT MODE`, sorted.
  public func locks() async throws -> [String] {
    let list = try await call("ListInhibitors").output
    // Example: a(ssssuu) 1 "sleep" "Lunara" "Plays music in kitchen" "delay" 1000 123456
    let words = list.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    return stride(from: 0, to: words.count - 3, by: 4).map { "\(words[$0]) \(words[$0 + 3])" }.sorted()
  }

  /// Announces that the host goes to sleep, or that it is awake again.
  public func prepareForSleep(_ isSleeping: Bool) async throws {
    let path = "/org/freedesktop/login1"
    let manager = "org.freedesktop.login1.Manager"
    let flag = isSleeping ? "true" : "false"
    _ = try await busctl(
      "call", "org.freedesktop.login1", path, "org.freedesktop.DBus.Mock", "UpdateProperties", "sa{sv}", manager, "1",
      "PreparingForSleep", "b", flag)
    _ = try await busctl(
      "call", "org.freedesktop.login1", path, "org.freedesktop.DBus.Mock", "EmitSignal", "sssav", manager,
      "PrepareForSleep", "b", "1", "b", flag)
  }

  private func call(_ method: String) async throws -> (output: String, status: Int32) {
    try await busctl(
      "call", "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", method)
  }

  private func busctl(_ words: String...) async throws -> (output: String, status: Int32) {
    try await TestProgram.run(["busctl", "--address=\(address)"] + words)
  }
}

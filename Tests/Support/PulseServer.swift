/// A PulseAudio server that belongs to the test: its socket and its state are in a temporary folder, and its outputs
/// are null sinks that the test adds and removes.
public final class PulseServer: Sendable {
  /// Its address, as PULSE_SERVER or libmpv's `pulse-host`.
  public let address: String

  private let folder: TemporaryDirectory
  private let program: TestProgram

  /// Starts a server without an output; returns when it answers.
  ///
  /// - Parameter folder: where its socket lies; the same again for a server that comes back.
  public static func start(in folder: TemporaryDirectory = TemporaryDirectory()) async throws -> PulseServer {
    let output = "\(folder.path)/output-\(UInt32.random(in: 0...UInt32.max))"
    let program = try TestProgram(
      [
        "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes",
        "--realtime=no", "--high-priority=no",
        "--load=module-native-protocol-unix socket=\(folder.path)/native auth-anonymous=1",
      ],
      environment: [
        "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PULSE_RUNTIME_PATH": folder.path,
        "PULSE_STATE_PATH": folder.path, "PULSE_CONFIG_PATH": folder.path,
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
      ], output: output)
    let server = PulseServer(folder: folder, program: program)
    while try await server.pactl("info").status != 0 { try await Task.sleep(for: .milliseconds(20)) }
    return server
  }

  private init(folder: TemporaryDirectory, program: TestProgram) {
    address = "unix:\(folder.path)/native"
    self.folder = folder
    self.program = program
  }

  /// Kills it, as in a crash.
  public func end() { program.end() }

  /// Adds an output and returns the number of its module. The server chooses the default output.
  ///
  /// - Parameter form: its kind, as in `device.form_factor`: `headphone`, `headset`, `speaker` …
  @discardableResult
  public func addSink(_ name: String, form: String? = nil) async throws -> Int {
    let properties = "device.description=\(name)" + (form.map { " device.form_factor=\($0)" } ?? "")
    let (text, status) = try await pactl(
      "load-module", "module-null-sink", "sink_name=\(name)", "sink_properties='\(properties)'")
    guard status == 0, let module = Int(text) else { throw TestProgram.Failure(description: "pactl: \(text)") }
    return module
  }

  /// Removes an output. Its sound moves to the default output, or is cut off where there is none.
  public func remove(_ module: Int) async throws { try await check(pactl("unload-module", "\(module)")) }

  /// Makes an output the default one.
  public func setDefault(_ name: String) async throws { try await check(pactl("set-default-sink", name)) }

  /// Moves all sound to an output.
  public func moveStreams(to name: String) async throws {
    let list = try await pactl("list", "short", "sink-inputs").output
    for line in list.split(separator: "\n") {
      guard let number = line.split(separator: "\t").first else { continue }
      try await check(pactl("move-sink-input", String(number), name))
    }
  }

  /// The names of the outputs that play at the moment, sorted.
  public func playing() async throws -> [String] {
    try await pactl("list", "short", "sinks").output.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t")
      return fields.last == "RUNNING" ? String(fields[1]) : nil
    }.sorted()
  }

  /// Runs `pactl` for this server.
  @discardableResult
  public func pactl(_ words: String...) async throws -> (output: String, status: Int32) {
    try await TestProgram.run(
      ["pactl", "--server=\(address)"] + words,
      environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "LC_ALL": "C"])
  }

  private func check(_ result: (output: String, status: Int32)) throws {
    guard result.status == 0 else { throw TestProgram.Failure(description: "pactl: \(result.output)") }
  }
}

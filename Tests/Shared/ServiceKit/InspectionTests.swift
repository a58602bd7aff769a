import Glibc
import Model
import ServiceKit
import System
import TestSupport
import Testing

/// Other processes of the same user cannot look into a service or `lunara`, which hold keys and tokens. They can look
/// into a room's player, which holds no key of the household.
@Suite(.timeLimit(.minutes(2))) struct InspectionTests {
  private let folder = TemporaryDirectory()

  /// The words before a program that take away the right of root to look into every process.
  private let plain = getuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []

  private func start(_ words: [String], _ environment: Environment, output: Descriptor) throws -> ChildProcess {
    try ChildProcess(
      "/usr/bin/env", ["env"] + plain + words, environment: environment,
      descriptors: [try .null(), output, try .null()])
  }

  /// Returns a file of the kernel about a process as another process of the same user sees it, or what `command` prints
  /// about the file; nil if that is refused.
  private func file(_ name: String, of process: ChildProcess, _ command: String = "cat") throws -> String? {
    let (read, write) = try Descriptor.pipe()
    let path = Environment(["PATH": "/usr/bin:/bin"])
    let reader = try start([command, "/proc/\(process.pid)/\(name)"], path, output: write)
    write.close()
    let text = String(decoding: try read.readToEnd(limit: 1 << 20), as: UTF8.self)
    return reader.wait() == 0 ? text : nil
  }

  /// Starts the scrobbler, or the program in `words`, which is to start it.
  private func withService(
    _ settings: [String: String], _ words: [String] = [WorkerProcess.program("lunara-scrobble")],
    _ body: (ChildProcess) async throws -> Void
  ) async throws {
    let own = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "LUNARA_HOME": "\(folder.path)/home",
      "LUNARA_RUN": "\(folder.path)/run", "LUNARA_PLEX_TOKEN": "a-token",
    ]
    let library = Environment.ofProcess()["LD_LIBRARY_PATH"].map { ["LD_LIBRARY_PATH": $0] } ?? [:]
    let service = try start(
      words, Environment(own.merging(library) { $1 }.merging(settings) { $1 }), output: try .null())
    defer {
      service.send(SIGTERM)
      service.wait()
    }
    // The database is opened after the settings were read.
    #expect(await eventually { Files.exists("\(folder.path)/home/scrobble.sqlite") })
    try await body(service)
  }

  @Test func aServiceShowsItsMemoryToNobody() async throws {
    try await withService([:]) { (service: ChildProcess) async throws in
      #expect(try file("environ", of: service) == nil)
    }
  }

  @Test func aDeveloperMayLookIntoAService() async throws {
    try await withService([Settings.debuggable: "1"]) { (service: ChildProcess) async throws in
      #expect(try file("environ", of: service)?.contains("a-token") == true)
    }
  }

  @Test func whatRunsTheHouseholdShowsItsEnvironmentToDevelopersOnly() async throws {
    let up = [WorkerProcess.program("lunara"), "up", "--services", "scrobble"]
    try await withService([:], up) { (up: ChildProcess) async throws in
      #expect(try file("environ", of: up) == nil)
    }
    try Files.removeFile("\(folder.path)/home/scrobble.sqlite")
    try await withService([Settings.debuggable: "1"], up) { (up: ChildProcess) async throws in
      #expect(try file("environ", of: up)?.contains("a-token") == true)
    }
  }

  @Test func theDesktopMayIdentifyAPlayerWhichLeavesNoCore() async throws {
    let (room, player) = try MessageSocket.pair()
    let library = Environment.ofProcess()["LD_LIBRARY_PATH"].map { ["LD_LIBRARY_PATH": $0] } ?? [:]
    let program = WorkerProcess.program("lunara-playback")
    let process = try ChildProcess(
      "/usr/bin/env", ["env"] + plain + [program, "--engine"],
      environment: Environment(library.merging(["PATH": "/usr/bin:/bin"]) { $1 }),
      descriptors: [player.descriptor, try .null(), try .null()])
    player.descriptor.close()
    defer {
      process.send(SIGKILL)
      process.wait()
    }
    // The filter of system calls is the last of the player's own limits.
    #expect(try await eventually(equals: true) { try file("status", of: process)?.contains("\nSeccomp:\t2\n") })
    // The portal that grants real-time priority opens this link of the process that asks.
    #expect(try file("root", of: process, "readlink") == "/\n")
    let limits = try #require(try file("limits", of: process)).split(separator: "\n")
    let core = limits.first { $0.hasPrefix("Max core file size") }?.split(separator: " ")
    #expect(core?.suffix(3) == ["0", "0", "bytes"])
    withExtendedLifetime(room) {}
  }

  @Test func whatEverybodyMayReadOfAServiceStaysReadable() async throws {
    try await withService([:]) { (service: ChildProcess) async throws in
      for name in ["statm", "stat", "status", "cmdline"] {
        #expect(try file(name, of: service)?.isEmpty == false, "\(name)")
      }
    }
  }
}

import Glibc
import Synchronization
import TestSupport
import Testing

/// A household on this machine: the real `lunara up` with all services, in folders and on ports of its own.
final class Household: Sendable {
  /// The settings of a household.
  struct Settings {
    var room = "kitchen"
    /// The speed of playback, as a multiple of real time.
    var speed = "1"
    var music: [String] = []
    /// Variables that are added to the usual ones or replace them.
    var environment: [String: String] = [:]
    /// The home folder; one of its own when nil.
    var home: String?
    /// Words before `lunara up`: a program that starts it, for instance in a namespace of its own.
    var wrapper: [String] = []
  }

  let settings: Settings
  let home: String
  let run: String
  let web: UInt16
  private let folder = TemporaryDirectory()
  private let runs = Mutex<[ChildProcess]>([])

  init(_ settings: Settings) throws {
    self.settings = settings
    home = settings.home ?? folder.path + "/home"
    run = folder.path + "/run"
    web = try FreePort.find()
    media = try FreePort.find()
  }

  private let media: UInt16

  /// The environment of everything that belongs to it.
  var environment: [String: String] {
    Programs.environment().merging([
      "HOME": folder.path, "LUNARA_HOME": home, "LUNARA_RUN": run, "LUNARA_ROOM": settings.room, "LUNARA_AUDIO": "null",
      "LUNARA_AUDIO_SPEED": settings.speed, "LUNARA_WEB": "127.0.0.1:\(web)", "LUNARA_MEDIA": "127.0.0.1:\(media)",
      // `Processes` reads the environment of the services.
      "LUNARA_DEBUGGABLE": "1",
    ]) { $1 }.merging(settings.environment) { $1 }
  }

  /// Starts `lunara up` and waits until it prints that everything is ready.
  @discardableResult
  func up(_ arguments: String..., environment: [String: String] = [:], within limit: Duration = patience)
    async throws -> ChildProcess
  {
    let up = try begin(arguments, environment: environment)
    let isReady = await eventually(within: limit) { up.isReady || up.ending != nil }
    try #require(isReady && up.isReady, "`\(up.command)` is not ready: \(up.transcript)")
    return up
  }

  /// Starts `lunara up` and does not wait.
  func begin(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> ChildProcess {
    let folders = settings.music.flatMap { ["--music", $0] }
    let words = settings.wrapper + [try Programs.lunara(), "up"] + folders + arguments
    let up = try ChildProcess(words, environment: self.environment.merging(environment) { $1 })
    runs.withLock { $0.append(up) }
    return up
  }

  /// The output of every `lunara up` of this household, for looking into a failure.
  var transcript: String { runs.withLock { $0.map(\.transcript).joined(separator: "\n---\n") } }

  /// All its processes, also those that lost their parent.
  var processes: [pid_t] { Processes.having("LUNARA_HOME", home) }

  /// Ends all of it. A process that outlives its `lunara up` is recorded as a failure.
  func end() async {
    for up in runs.withLock({ $0 }) where up.ending == nil {
      up.signal(SIGTERM)
      if await up.ended() == nil {
        Issue.record("lunara up does not end: \(up.transcript)")
        await up.kill()
      }
    }
    let isEmpty = await eventually(equals: [], within: patience) { processes }
    if isEmpty { return }
    let orphans = processes
    Issue.record("orphans: \(orphans.map { "\(Processes.program(of: $0)) \($0)" })")
    for orphan in orphans { kill(orphan, SIGKILL) }
  }

  /// Makes a household for `body`, and ends it in every case.
  static func with<Result>(
    _ settings: Settings, _ body: (Household) async throws -> Result
  ) async throws -> Result {
    let household = try Household(settings)
    do {
      let result = try await body(household)
      await household.end()
      return result
    } catch {
      await household.end()
      Issue.record("the household's log:\n\(household.transcript)")
      throw error
    }
  }
}

extension ChildProcess {
  /// True if this `lunara up` has printed that everything is ready.
  var isReady: Bool { output.split(separator: "\n").contains { $0.contains("READY") } }

  /// All that it has printed.
  var transcript: String { output + errors }
}

/// Finds ports of the loopback interface that nobody uses at the moment.
enum FreePort {
  static func find() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard result else { throw ChildProcess.Failure(description: "no free port on the loopback interface") }
    return UInt16(bigEndian: address.sin_port)
  }
}

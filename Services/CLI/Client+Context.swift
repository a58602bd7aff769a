import Bus
import Client
import Glibc
import Messages
import Model
import ServiceKit
import System

extension Client {
  /// Connects to the household that a command is for.
  ///
  /// - Parameters:
  ///   - settings: the settings, if they are not those of the context.
  ///   - first: the service that the command will ask, if known. It is also the first one asked for nodes.
  /// - Throws: `cli.noHousehold` if no service runs.
  init(_ context: Context, settings: Settings? = nil, asking first: NodeID? = nil) async throws {
    let settings = if let settings { settings } else { try context.settings() }
    let network = try settings.network(identity: "")
    do {
      let node = Node.client(in: try Self.directory(settings), version: LunaraVersion.current, network: network)
      await node.discover(asking: first)
      self.init(node: node, isClientOnly: true)
    } catch  where !network.seeds.isEmpty {
      // No service runs here, but the household may be on other machines.
      let node = Node.client(in: try RuntimeDirectory(settings.run), version: LunaraVersion.current, network: network)
      await node.discover()
      guard node.nodes().contains(where: { Self.isService($0) }) else { throw error }
      self.init(node: node, isClientOnly: true)
    }
  }

  /// Connects to the household, and starts a service where none runs: the household starts it once the home folder has
  /// the service's folder, which `begin` makes.
  static func starting(
    _ service: NodeID, _ context: Context, begin: (_ home: String) throws -> Void,
    notStarted: (_ home: String) -> LunaraError
  ) async throws -> Client {
    let client = try await Client(context)
    if client.nodes().contains(service) { return client }
    let home = try context.settings().home
    try begin(home)
    let end = ContinuousClock.now + discoveryStartTime
    while ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(100))
      let client = try await Client(context)
      if client.nodes().contains(service) { return client }
    }
    throw notStarted(home)
  }

  /// Sends a request to the service whose role is the domain of the request's kind, and returns its answer.
  func ask<R: Request>(_ request: R, within patience: Duration? = nil) async throws -> R.Answer {
    let services: [NodeID] = [.library, .discovery, .resolver, .router, .scrobble]
    let service = services.first { R.kind.hasPrefix("\($0.role).") } ?? .library
    return try await ask(request, of: service, within: patience)
  }

  /// Returns the room that a command is for: the one of `--room`, else the only one, else that of `LUNARA_ROOM` in the
  /// environment, else by the rule of `RoomChoice`. The room of the file of settings is not a person's choice, but the
  /// name of this machine's own room. Throws `client.noRoom`, `client.roomNeeded`, `client.roomUnknown`.
  func room(for context: Context) async throws -> RoomName {
    let usual = context.environment["LUNARA_ROOM"].flatMap { $0.isEmpty ? nil : $0 }
    return try await room(named: context.arguments.value(.room), usual: usual)
  }

  /// Returns the first runtime directory with a running service: the one of the settings, or else the user's or the
  /// system's.
  ///
  /// - Throws: `cli.noHousehold`.
  static func directory(_ settings: Settings) throws -> RuntimeDirectory {
    let candidates = settings["LUNARA_RUN"] == nil ? [settings.run, "/run/lunara"] : [settings.run]
    for path in candidates where access(path, R_OK | X_OK) == 0 {
      let directory = try RuntimeDirectory(path)
      if directory.liveNodes().contains(where: { isService($0) }) { return directory }
    }
    let folders = OtherHouseholds()
    if let other = folders.remark(besides: settings.run) {
      throw LunaraError("cli.noHousehold", "No household of yours is running here. \(other)")
    }
    throw LunaraError(
      "cli.noHousehold",
      "No household is running here. Start one with `lunara up --music DIR`, or with `lunara up --demo`.",
      cause: "no live service in \(Set(candidates).sorted().joined(separator: ", "))")
  }

  /// Returns true if a node is a service, and not the node of a command such as `lunara tap`.
  static func isService(_ node: NodeID) -> Bool { ServiceProgram.all.contains { $0.name == node.role } }
}

extension Context {
  /// Returns the settings; `--home` and `--run` take precedence over the environment and the file. Without
  /// `readingFile` those of the file are left out, for a command that works without it.
  ///
  /// - Throws: `settings.badFile`.
  func settings(readingFile: Bool = true) throws -> Settings {
    var environment = environment
    if !arguments.has(.home), !arguments.has(.run) {
      let personal = try Settings(environment: environment.variables, readingFile: readingFile).run
      environment = SystemHousehold.environment(environment, personal: personal)
    }
    var settings = try Settings(environment: environment.variables, readingFile: readingFile)
    if let home = arguments.value(.home) { settings["LUNARA_HOME"] = home }
    if let run = arguments.value(.run) { settings["LUNARA_RUN"] = run }
    return settings
  }
}

/// The household that runs as services of the system; people in its group may control it.
enum SystemHousehold {
  private static let folder = "/run/lunara"

  /// Returns the environment of the system's services if no variable names other folders and no household runs in
  /// `personal`, the person's own runtime directory; otherwise `environment`.
  static func environment(_ environment: Environment, personal: String) -> Environment {
    guard environment["LUNARA_RUN"] == nil, environment["LUNARA_HOME"] == nil, isHere else { return environment }
    guard personal == folder || !runs(personal) else { return environment }
    var changed = environment
    changed["RUNTIME_DIRECTORY"] = folder
    changed["STATE_DIRECTORY"] = "/var/lib/lunara"
    changed["CONFIGURATION_DIRECTORY"] = "/etc/lunara"
    return changed
  }

  /// Returns true if services run in a folder, or if the folder cannot be used: its error is reported later.
  private static func runs(_ folder: String) -> Bool {
    guard access(folder, F_OK) == 0 else { return false }
    do { return try RuntimeDirectory(folder).liveNodes().contains { Client.isService($0) } } catch { return true }
  }

  /// True if this person may use the system's household: its folder belongs to a system user other than root, and this
  /// person can enter and write it.
  private static var isHere: Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_uid != 0 && status.st_uid < 1000
      && access(folder, R_OK | W_OK | X_OK) == 0
  }
}

import Bus
import Glibc
import Messages
import Model
import ServiceKit

/// The services that are running, as a command asks them.
protocol Household: Sendable {
  /// Those that are alive here.
  func nodes() -> [NodeID]
  /// The process that holds a node's name.
  func pid(of node: NodeID) -> Int32?
  /// Asks one of them.
  func ask<R: Request>(_ request: R, of node: NodeID, within patience: Duration) async throws -> R.Answer
  /// The newest value of a state of one of them; nil where it has said none.
  func state<S: State>(_ type: S.Type, of node: NodeID, within patience: Duration) async throws -> Observed<S>?
}

extension Household {
  /// Asks with the usual patience.
  func ask<R: Request>(_ request: R, of node: NodeID) async throws -> R.Answer {
    try await ask(request, of: node, within: .seconds(5))
  }

  /// The rooms, by name.
  func rooms() -> [RoomName] {
    nodes().filter { $0.role == "playback" && !$0.isRetired }.compactMap { RoomName($0.name) }.sorted()
  }
}

/// The household of this machine, asked over the bus.
struct Client: Household {
  private let node: Node

  /// Finds the household that a command is meant for.
  ///
  /// - Parameter first: which service the command will ask, where that is known: it is asked who is there as well.
  /// - Throws: `cli.noHousehold` where no service runs.
  init(_ context: Context, asking first: NodeID? = nil) async throws {
    let settings = try context.settings()
    let network = try settings.network(identity: "")
    do {
      node = Node.guest(
        in: try Self.directory(settings), version: LunaraVersion.current, network: network)
    } catch  where !network.seeds.isEmpty {
      // Nothing runs here, but the household may be on other machines.
      node = Node.guest(
        in: try RuntimeDirectory(settings.run), version: LunaraVersion.current, network: network)
      await node.discover()
      guard node.nodes().contains(where: { Self.isService($0) }) else { throw error }
      return
    }
    await node.discover(asking: first)
  }

  func nodes() -> [NodeID] { node.nodes() }

  func pid(of node: NodeID) -> Int32? { NodeLock.holder(self.node.directory.lock(of: node)) }

  func ask<R: Request>(_ request: R, of node: NodeID, within patience: Duration) async throws -> R.Answer {
    try await self.node.request(request, to: node, within: self.patience(with: node, patience))
  }

  func state<S: State>(_ type: S.Type, of node: NodeID, within patience: Duration) async throws -> Observed<S>? {
    try await self.node.state(type, of: node, within: self.patience(with: node, patience))
  }

  /// One that others do not hear either is not waited for, in case it has just come back aside; one that nobody runs is
  /// for as long as a restart takes.
  private func patience(with node: NodeID, _ patience: Duration) -> Duration {
    if self.node.isMissing(node) { return min(patience, .milliseconds(200)) }
    return pid(of: node) != nil || nodes().contains(node) ? patience : min(patience, .seconds(5))
  }

  /// The runtime directory in which somebody lives: the one that was set, else the user's, else the system's.
  static func directory(_ settings: Settings) throws -> RuntimeDirectory {
    let candidates = settings["LUNARA_RUN"] == nil ? [settings.run, "/run/lunara"] : [settings.run]
    for path in candidates where access(path, R_OK | X_OK) == 0 {
      let directory = try RuntimeDirectory(path)
      if directory.liveNodes().contains(where: { isService($0) }) { return directory }
    }
    throw LunaraError(
      "cli.noHousehold",
      "No household is running here. Start one with `lunara up --music DIR`, or with `lunara up --demo`.",
      cause: "no live service in \(Set(candidates).sorted().joined(separator: ", "))")
  }

  /// Whether a node is more than another command's tap.
  static func isService(_ node: NodeID) -> Bool { Service.all.contains { $0.name == node.role } }
}

extension Context {
  /// The settings with the options of this command before them.
  func settings() throws -> Settings {
    var environment = environment
    if !arguments.has(.home), !arguments.has(.run) {
      let personal = try Settings(environment: environment.variables).run
      environment = SystemHousehold.environment(environment, personal: personal)
    }
    var settings = try Settings(environment: environment.variables)
    if let home = arguments.value(.home) { settings["LUNARA_HOME"] = home }
    if let run = arguments.value(.run) { settings["LUNARA_RUN"] = run }
    return settings
  }
}

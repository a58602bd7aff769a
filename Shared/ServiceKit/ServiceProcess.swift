public import Bus
import CPlatform
import CSystemd
import Glibc
import Model
public import Storage
import System

/// The part of `main` that all services share.
public enum ServiceProcess {
  /// Runs a service to its end: reads the settings, locks the name, runs `body`, and ends the process.
  ///
  /// `body` sets up the service, calls `ready`, awaits `stopRequested` and closes what it opened. An error that it
  /// throws is logged, and the exit status is 1.
  ///
  /// - Parameters:
  ///   - role: the first part of the node's name, for example `library`.
  ///   - name: returns the second part for the settings; `main` for roles that exist once in a household.
  ///   - schema: the tables of the service's database; nil for a service without one.
  ///   - body: the service's own work.
  public static func run(
    role: String, name: @Sendable (Settings) -> String = { _ in "main" }, schema: ServiceSchema? = nil,
    _ body: @Sendable (ServiceContext) async throws -> Void
  ) async {
    lunara_keep_heap_small()
    lunara_allow_descriptors()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") || arguments.contains("-h") { return print(help(role)) }
    if arguments.contains("--version") { return print("lunara-\(role) \(LunaraVersion.current)") }
    if arguments == [ServiceSchema.option] { return print(schema?.migrationNames.joined(separator: "\n") ?? "") }
    do {
      let settings = try Settings(arguments: arguments, environment: Environment.ofProcess().variables)
      // The keys of the household and the tokens of servers are read after this.
      if !settings.isDebuggable { lunara_refuse_inspection() }
      let log = Log(source: role, name: name(settings), settings: settings)
      let stop = StopRequest(parent: descriptor("LUNARA_PARENT_FD") ?? -1, log: log)
      do {
        guard let id = NodeID(role: role, name: name(settings)) else {
          throw LunaraError("settings.badName", "\(name(settings)) is no name for a node. Use a-z, 0-9 and -.")
        }
        let context = try ServiceContext(id: id, settings: settings, log: log, schema: schema, stop: stop)
        try await body(context)
        // The service is started again, and then only serves its journal to readers that have not read all of it.
        if stop.isDisplaced { _exit(1) }
        log.debug("The service has stopped.")
      } catch {
        log.error(error)
        _exit(1)
      }
    } catch {
      let error = LunaraError(error)
      let line = Array("lunara-\(role): \(error)\n".utf8)
      _ = write(2, line, line.count)
      exit(error.code == "settings.unknownOption" ? 2 : 1)
    }
    // Databases and sockets are closed. Threads of libraries may still run, so no destructors may run.
    _exit(0)
  }

  private static func help(_ role: String) -> String {
    var text =
      "lunara-\(role): one service of Lunara. `lunara up` starts all of them.\n\nOptions, each also an environment variable:\n"
    for setting in Settings.known {
      let value = Settings.flags.contains(setting.name) ? "" : " VALUE"
      text += "  \(Settings.option(for: setting.name))\(value)  (\(setting.name))\n      \(setting.meaning)\n"
    }
    return text
  }

  /// Returns the number of a descriptor that the supervisor passed in a variable.
  static func descriptor(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
}

/// The settings, the log and the identity of a running service.
public struct ServiceContext: Sendable {
  /// The settings.
  public let settings: Settings
  /// The log.
  public let log: Log
  /// The node's name.
  public let id: NodeID
  /// The directory in which the nodes of this machine meet.
  public let directory: RuntimeDirectory
  /// The id of this host, which rooms compare with their own; stored in the home folder.
  public let hostID: String

  private let formerHostIDs: [String]
  private let schema: ServiceSchema
  private let lock: NodeLock
  private let stop: StopRequest

  init(id: NodeID, settings: Settings, log: Log, schema: ServiceSchema?, stop: StopRequest) throws {
    self.id = id
    self.settings = settings
    self.log = log
    self.stop = stop
    self.schema = schema ?? ServiceSchema([])
    directory = try RuntimeDirectory(settings.run)
    lock = try NodeLock(of: id, in: directory)
    let home = try HomeFolder(settings.home)
    hostID = try home.hostID()
    formerHostIDs = try home.formerHostIDs()
  }

  /// Opens the database of this service, `NAME.sqlite` in the home folder, with the tables of its schema. If it is
  /// damaged, the journal and the tables that the schema names are saved. If it is too large to be checked at once, it
  /// is checked while it is used.
  ///
  /// - Parameters:
  ///   - name: the file's name without `.sqlite`.
  ///   - readers: the number of threads that read at a time.
  /// - Throws: The errors of `Database.init`.
  public func database(_ name: String, readers: Int = 2) throws -> Database {
    let log = log
    let database = try Journal.database(
      at: "\(settings.home)/\(name).sqlite", migrations: Journal.migrations + schema.migrations, readers: readers,
      saving: schema.saved, finish: schema.repairs, report: { log.error($0) })
    if database.needsCheck {
      Task {
        guard let damage = await database.findDamage() else { return }
        log.error(
          LunaraError(
            "bus.databaseDamaged",
            "A part of \(database.path) is damaged. Restart the service: it saves all that can be read.",
            cause: damage.cause))
      }
    }
    return database
  }

  /// Opens the journal in a database of this service.
  public func journal(in database: Database) async throws -> Journal {
    let log = log
    return try await Journal(database, retention: try settings.retention, report: { log.warning($0) })
  }

  /// Starts the node under this service's name.
  public func startNode(journal: Journal? = nil) async throws -> Node {
    let (log, stop) = (log, stop)
    let network = try settings.network(identity: hostID, formerIdentities: formerHostIDs)
    if let keys = network.keys {
      stop.onReload {
        do {
          try keys.reload()
          log.info("The household's keys were read again.", ["keys": "\(keys.ids.count)"])
        } catch {
          log.error(error)
        }
      }
    }
    let node: Node
    do {
      node = try await Node.start(
        id, in: directory, version: LunaraVersion.current, journal: journal, lock: lock, network: network,
        isUnderTest: settings.isUnderTest, report: { log.warning($0) })
    } catch let error as LunaraError where error.code == "bus.nameTaken" {
      guard let journal, !journal.isEmpty else { throw error }
      log.error(error)
      try await serve(journal, as: network)
      _exit(0)
    }
    await node.onDisplaced { error in
      log.error(error)
      stop.displaced()
    }
    ProcessMetrics.register(in: node.metrics)
    return node
  }

  /// Serves the journal under a retired name until a stop is requested, so that its facts still reach their readers
  /// after another node took this one's name.
  private func serve(_ journal: Journal, as network: Network) async throws {
    guard let retired = id.retired(with: journal.identity) else { return }
    var network = network
    network.formerName = id
    let log = log
    let node = try await Node.start(
      retired, in: directory, version: LunaraVersion.current, journal: journal, network: network,
      report: { log.warning($0) })
    log.info("The journal is served to the services that have yet to read it.", ["node": retired.description])
    await ready(node)
    await stopRequested()
    await node.close()
  }

  /// Reports that the service is ready: to `lunara up`, to systemd and to the log. From then on systemd's watchdog is
  /// fed as long as the node's I/O loop runs and `healthCheck` returns.
  ///
  /// - Parameters:
  ///   - node: the service's node, whose loop drives the watchdog.
  ///   - healthCheck: a call through the parts that the service depends on, such as its database and its actor. The
  ///     default returns at once, so it only checks the pool of threads on which tasks run.
  public func ready(_ node: Node, healthCheck: @escaping @Sendable () async throws -> Void = {}) async {
    if let patience = Watchdog.patience() {
      let watchdog = Watchdog(patience: patience, log: log, healthCheck: healthCheck)
      await node.onRound { watchdog.round() }
    }
    log.info("ready", ["node": id.description, "pid": "\(getpid())"])
    if let descriptor = ServiceProcess.descriptor("LUNARA_READY_FD") {
      _ = write(descriptor, "R\n", 2)
      close(descriptor)
      unsetenv("LUNARA_READY_FD")
    }
    sd_notify(0, "READY=1")
    Task {
      // Hellos and catching up follow the start; only then does the code in use stay mapped alone.
      do { try await Task.sleep(for: .seconds(20)) } catch { return }
      SystemMemory.giveBack()
    }
  }

  /// Returns when a stop is requested; the process is ended after 2 s in any case.
  public func stopRequested() async {
    await stop.requested()
    sd_notify(0, "STOPPING=1")
  }

  /// Calls `body` at each SIGHUP, on the thread that waits for signals.
  public func onReload(_ body: @escaping @Sendable () -> Void) { stop.onReload(body) }
}

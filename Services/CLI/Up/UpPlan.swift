import Model
import ServiceKit

/// What `lunara up` is to run, from its options, the environment and the configuration file.
struct UpPlan: Sendable {
  /// The folder of the household's data.
  let home: String
  /// The folder in which the services meet.
  let run: String
  /// Where the page is served.
  let web: String
  /// Whether it is encrypted.
  let isPageEncrypted: Bool
  /// Whether a proxy stands in front of it.
  let hasProxy: Bool
  /// What runs.
  let services: [Service]
  /// Whether the demo library is wanted.
  let isDemo: Bool
  /// Whether any folder of music is known.
  let hasMusic: Bool
  /// The environment of every service.
  let environment: Environment
  /// Whether the log is JSON.
  let hasJSONLog: Bool
  /// Whether other terminals need `LUNARA_RUN` to find this household.
  let needsRunHint: Bool

  /// Reads a plan; `folder` is the working directory, which relative paths begin in.
  init(_ arguments: Arguments, environment: Environment, folder: String) throws {
    func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(folder)/\(path)" }
    let plain = try Settings(environment: environment.variables)
    var settings = plain
    if let home = arguments.value(.home) { settings["LUNARA_HOME"] = absolute(home) }
    if let run = arguments.value(.run) { settings["LUNARA_RUN"] = absolute(run) }
    home = absolute(settings.home)
    run = absolute(settings.run)
    isDemo = arguments.has(.demo)

    var changed = environment
    changed["LUNARA_HOME"] = home
    changed["LUNARA_RUN"] = run
    if let room = arguments.value(.roomOfUp) { changed["LUNARA_ROOM"] = room }
    if arguments.has(.discover) { changed["LUNARA_DISCOVER"] = "1" }
    if arguments.has(.takeOver) { changed["LUNARA_TAKE_OVER"] = "1" }
    var music = arguments.values(.music).map(absolute)
    for path in music where path.contains(":") {
      throw UsageError(
        "The folder \(path) has a colon in its name, which separates folders. Give a link to it instead.")
    }
    if isDemo { music.append(DemoLibrary(home: home).folder) }
    if !music.isEmpty { changed["LUNARA_MUSIC"] = music.joined(separator: ":") }
    hasMusic = !music.isEmpty || !settings.music.isEmpty
    if let web = arguments.value(.web) {
      _ = try Self.address(web)
      changed["LUNARA_WEB"] = UInt16(web) == nil ? web : "127.0.0.1:\(web)"
    }
    web = changed["LUNARA_WEB"] ?? settings.web
    isPageEncrypted = settings["LUNARA_WEB_CERT"] != nil
    hasProxy = settings["LUNARA_WEB_PROXY"] != nil
    self.environment = changed

    if let list = arguments.value(.services) {
      services = try Service.list(list)
    } else {
      // Another machine of the household has the library, the router and the scrobbler.
      services = settings["LUNARA_SEEDS"] == nil ? Service.all : Service.roomOnly
    }
    hasJSONLog = settings["LUNARA_LOG_FORMAT"] == "json"
    needsRunHint = absolute(plain.run) != run
  }

  /// The environment of a service that is started again: a name is taken over once. Else two machines that were told to
  /// take one over would take it from each other for ever.
  var environmentOfRestart: Environment {
    var changed = environment
    changed["LUNARA_TAKE_OVER"] = "0"
    return changed
  }

  /// The page's address.
  var page: String { "\(isPageEncrypted ? "https" : "http")://\(web)/" }

  /// Whether the page belongs to it.
  var hasPage: Bool { services.contains { $0.name == "web" } }

  private static func address(_ text: String) throws -> (host: String, port: UInt16) {
    do {
      return try Settings.address(text, of: "--web")
    } catch {
      throw UsageError(LunaraError(error).message)
    }
  }
}

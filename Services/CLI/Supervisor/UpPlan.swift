import System
import Model
import ServiceKit

/// The services and settings of `lunara up`, from its options, the environment and the configuration file.
struct UpPlan: Sendable {
  let home: String
  let run: String
  let web: String
  let isPageEncrypted: Bool
  let hasProxy: Bool
  let services: [ServiceProgram]
  /// The services that are started once the household uses them.
  let laterServices: [ServiceProgram]
  let isDemo: Bool
  let hasMusic: Bool
  let environment: Environment
  let hasJSONLog: Bool
  /// True if other terminals need `LUNARA_RUN` to find this household.
  let needsRunHint: Bool

  /// Reads a plan; `folder` is the working directory, from which relative paths start.
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
    try Self.apply(rooms: arguments.values(.roomOfUp), to: &changed)
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
      do { _ = try Settings.address(web, of: "--web") } catch { throw UsageError(LunaraError(error).message) }
      changed["LUNARA_WEB"] = UInt16(web) == nil ? web : "127.0.0.1:\(web)"
    }
    web = changed["LUNARA_WEB"] ?? settings.web
    isPageEncrypted = settings["LUNARA_WEB_CERT"] != nil
    hasProxy = settings["LUNARA_WEB_PROXY"] != nil
    self.environment = changed

    let rooms = try Settings(environment: changed.variables)
    let further = rooms.furtherRooms.map(\.name).reduce(into: [RoomName]()) {
      if $1 != rooms.room, !$0.contains($1) { $0.append($1) }
    }
    if let list = arguments.value(.services) {
      let chosen = try ServiceProgram.list(list)
      services = Self.players(of: further, in: chosen)
      // They belong to the library: other machines may ask for its music, and a person may link a provider.
      let isOfLibrary = chosen.contains { $0.name == "library" }
      laterServices = isOfLibrary ? [.media, .providers].filter { !chosen.contains($0) } : []
    } else {
      let clients: [ServiceProgram] = settings["LUNARA_MPD"] == nil ? [] : [.mpd]
      // Another machine of the household has the library, the router and the scrobbler.
      let isWhole = settings["LUNARA_SEEDS"] == nil
      services = Self.players(of: further, in: isWhole ? ServiceProgram.everywhere : ServiceProgram.roomOnly) + clients
      laterServices = isWhole ? ServiceProgram.awaited : []
    }
    hasJSONLog = settings["LUNARA_LOG_FORMAT"] == "json"
    needsRunHint = absolute(plain.run) != run
  }

  /// Returns services with a player for each of the further rooms.
  private static func players(of further: [RoomName], in services: [ServiceProgram]) -> [ServiceProgram] {
    services.flatMap { service in
      service.name == "playback" ? [service] + further.map { service.further($0) } : [service]
    }
  }

  /// Sets the rooms of `--room`: the first is that of `LUNARA_ROOM`, the others those of `LUNARA_ROOMS`. Each may have
  /// an output behind its name.
  private static func apply(rooms: [String], to environment: inout Environment) throws {
    let named = try rooms.map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard !parts[0].isEmpty, parts.last?.isEmpty == false, parts.count == 1 || !parts[1].contains(" ") else {
        throw UsageError("--room \(text) names no room. Write NAME, or NAME=OUTPUT, such as bath=alsa/hdmi.")
      }
      return (name: parts[0], output: parts.count == 2 ? parts[1] : nil)
    }
    guard Set(named.map { RoomName(from: $0.name) }).count == named.count else {
      throw UsageError("--room names a room twice.")
    }
    guard let first = named.first else { return }
    environment["LUNARA_ROOM"] = first.name
    if let output = first.output { environment["LUNARA_AUDIO"] = output }
    guard named.count > 1 else { return }
    environment["LUNARA_ROOMS"] = named.dropFirst().map { room in
      let name = RoomName(from: room.name)
      // A name in other letters stays as it is written, as the title of the room.
      let word = room.name.split(whereSeparator: \.isWhitespace).joined(separator: "-")
      return (name.title(from: word) ?? name.rawValue) + (room.output.map { "=\($0)" } ?? "")
    }.joined(separator: " ")
  }

  /// The environment of a service that is started again: it does not take a room's name over once more. Two machines
  /// that take over the same name would otherwise take it from each other for ever.
  var environmentOfRestart: Environment {
    var changed = environment
    changed["LUNARA_TAKE_OVER"] = "0"
    return changed
  }

  var page: String { "\(isPageEncrypted ? "https" : "http")://\(web)/" }

  var hasPage: Bool { services.contains { $0.name == "web" } }
}

extension UpPlan {
  /// Returns the text for when the household is ready: a line that begins with READY, then what to do next with
  /// `program`, the name by which the person called this program.
  func ready(after elapsed: Milliseconds, program: String, _ style: Style) -> String {
    var lines = [style.strong("READY") + " in \(elapsed.rawValue) ms"]
    if hasPage {
      lines.append(
        web.hasSuffix(":0")
          ? "  the page's address is in the line of web above" : "  the page   \(style.good(browsable))")
    }
    if needsRunHint { lines.append("  first      export LUNARA_RUN=\(run)") }
    let title = isDemo ? "\"\(DemoAlbum.all[0].title)\"" : "ALBUM"
    lines.append("  albums     \(program) albums")
    lines.append("  music      \(program) play \(title)")
    lines.append("  the bus    \(program) tap")
    if !hasMusic {
      lines.append(
        "  No folder of music is set: \(program) sources add DIR; for a Plex server \(program) login plex; or start with --demo."
      )
    }
    return lines.joined(separator: "\n")
  }

  /// The page's address, with 127.0.0.1 for the hosts 0.0.0.0 and [::], which browsers cannot open.
  private var browsable: String {
    page.replacing("//0.0.0.0:", with: "//127.0.0.1:").replacing("//[::]:", with: "//127.0.0.1:")
  }
}

struct ServiceProgram: Hashable, Sendable, CustomStringConvertible {
  /// The name, as in `--services`.
  let name: String
  /// The room of a further player of this machine; nil for the room of `LUNARA_ROOM`, and for other services.
  private(set) var room: RoomName?

  /// The services of every household.
  static let everywhere = ["library", "playback", "router", "scrobble", "nowplaying", "web"].map(ServiceProgram.init)
  /// The service that only households with rooms or pages on other machines have.
  static let media = ServiceProgram(name: "media")
  /// The service that only households with plugins have.
  static let resolver = ServiceProgram(name: "resolver")
  /// The service that only households with walls have.
  static let discovery = ServiceProgram(name: "discovery")
  /// The service that only households with linked providers have.
  static let providers = ServiceProgram(name: "providers")
  /// The service for MPD clients, which runs only where `LUNARA_MPD` is set.
  static let mpd = ServiceProgram(name: "mpd")
  /// The services that run only in households that use them, each once its folder is there.
  static let awaited = [media, resolver, discovery, providers]
  static let all = everywhere + awaited + [mpd]
  static let roomOnly = ["playback", "nowplaying"].map(ServiceProgram.init)
  static let demo = ServiceProgram(name: "demo")

  var summary: String {
    switch name {
    case "library": "Knows what music there is: reads folders and servers, keeps the catalogue, searches."
    case "media": "Gives rooms and pages on other machines music and pictures; runs only where there are some."
    case "playback": "Plays in one room: keeps its queue, and what was really heard."
    case "router": "Brings an album into a room: asks the library and loads the room. Keeps nothing."
    case "scrobble": "Decides what counts as heard, and sends it to the accounts of a person."
    case "nowplaying": "Shows rooms on a desktop's lock screen and takes its media keys (MPRIS)."
    case "resolver": "Finds music beyond the library by plugins; runs only where there is a folder of them."
    case "discovery": "Makes walls of albums and feeds of genres; runs only where they are used."
    case "providers": "Talks to services that keep playlists and likes; runs only where one is linked."
    case "mpd": "Serves MPD clients, such as mpc and Cantata; runs only where LUNARA_MPD is set."
    case "web": "Serves the page, and the interface that it uses."
    default: "Composes the demo library."
    }
  }

  var program: String { "lunara-\(name)" }
  /// The folder in the home folder that says that a household uses the service; nil for one that every household has.
  var folder: String? { name == "resolver" ? "plugins" : Self.awaited.contains { $0.name == name } ? name : nil }
  /// The name before each of its log lines.
  var description: String { room.map { "\(name)@\($0)" } ?? name }

  /// Returns the player of a further room of this machine.
  func further(_ room: RoomName) -> ServiceProgram {
    var further = self
    further.room = room
    return further
  }

  private init(name: String) { self.name = name }

  static func list(_ text: String) throws -> [ServiceProgram] {
    let names = text.split(separator: ",").map { $0.hasPrefix("lunara-") ? String($0.dropFirst(7)) : String($0) }
    guard !names.isEmpty else { throw UsageError("--services needs at least one name.") }
    for name in names where !all.contains(where: { $0.name == name }) {
      throw UsageError("There is no service “\(name)”. There are \(all.map(\.name).joined(separator: ", ")).")
    }
    return all.filter { names.contains($0.name) }
  }
}

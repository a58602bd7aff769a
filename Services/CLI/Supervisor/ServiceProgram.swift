struct ServiceProgram: Hashable, Sendable, CustomStringConvertible {
  /// Its name, as in `--services` and before its lines of log.
  let name: String

  static let all = ["library", "playback", "router", "scrobble", "nowplaying", "web"].map(ServiceProgram.init)
  /// The services that a machine runs when another machine runs the rest.
  static let roomOnly = ["playback", "nowplaying"].map(ServiceProgram.init)
  /// The composer of the demo library, which runs once before the others.
  static let demo = ServiceProgram(name: "demo")

  var summary: String {
    switch name {
    case "library": "Knows what music there is: reads folders and servers, keeps the catalogue, searches."
    case "playback": "Plays in one room: keeps its queue, and what was really heard."
    case "router": "Brings an album into a room: asks the library and loads the room. Keeps nothing."
    case "scrobble": "Decides what counts as heard, and sends it to the accounts of a person."
    case "nowplaying": "Shows rooms on a desktop's lock screen and takes its media keys (MPRIS)."
    case "web": "Serves the page, and the interface that it uses."
    default: "Composes the demo library."
    }
  }

  var program: String { "lunara-\(name)" }
  var description: String { name }

  private init(name: String) { self.name = name }

  /// Reads a comma-separated list, each name once.
  static func list(_ text: String) throws -> [ServiceProgram] {
    let names = text.split(separator: ",").map { $0.hasPrefix("lunara-") ? String($0.dropFirst(7)) : String($0) }
    guard !names.isEmpty else { throw UsageError("--services needs at least one name.") }
    for name in names where !all.contains(where: { $0.name == name }) {
      throw UsageError("There is no service “\(name)”. There are \(all.map(\.name).joined(separator: ", ")).")
    }
    return all.filter { names.contains($0.name) }
  }
}

import System
import Bus
import Glibc
import Model
import ServiceKit

/// The household's key, and whether what other machines say can be read with it.
struct KeyCheck: HealthCheck, Equatable {
  var path = ""
  var ids: [String] = []
  var rotation: String?
  var problem: LunaraError?
  var meetsOthers = false
  /// The number of frames that nodes of this machine could not open, by node.
  var refused: [String: Int] = [:]

  var findings: [Finding] {
    if let problem {
      .failure("key", problem)
    } else if let first = ids.first {
      .ok("key", "\(path) holds \(ids.count == 1 ? "key" : "\(ids.count) keys, the first") \(first).")
      if let rotation { .warning("key", "A rotation of the key is under way.", rotation) }
      for (node, count) in refused.sorted(by: { $0.key < $1.key }) where count > 0 {
        .warning(
          "key", "\(node) has heard \(count) frames that it cannot open.",
          "Compare `lunara key show` on all machines; on one with another key: `lunara join CODE --replace`. A stranger's are nothing.",
          code: "bus.cannotOpen")
      }
    } else if meetsOthers {
      .failure(
        "key", "There is no key in \(path), so this machine speaks to no other.",
        "`lunara pair` on the machine that has it, and `lunara join CODE` here.", code: "bus.noKeyFile")
    } else {
      .ok("key", "There is none; this machine speaks to itself only.")
    }
  }

  static func gather(_ settings: Settings) -> KeyCheck {
    var evidence = KeyCheck(path: settings.keyFile)
    evidence.meetsOthers = settings.listen != nil || !settings.seeds.isEmpty || settings.discovers
    do {
      let file = try KeyFile(at: settings.keyFile)
      evidence.ids = file.entries.map(\.key.id.description)
      switch file.stage {
      case .settled: break
      case .announced: evidence.rotation = "When all machines have the new key: `lunara key rotate --promote`."
      case .promoted: evidence.rotation = "When all machines seal with the new key: `lunara key rotate --finish`."
      }
    } catch {
      let error = LunaraError(error)
      if error.code != "bus.noKeyFile" || settings["LUNARA_KEY_FILE"] != nil { evidence.problem = error }
    }
    return evidence
  }
}

struct SeedCheck: HealthCheck, Equatable {
  enum State: Sendable, Equatable {
    case unknownName, silent, heard
    /// It takes connections, and none of its nodes is heard.
    case unheard
  }

  var seeds: [String: State] = [:]

  var findings: [Finding] {
    for (seed, state) in seeds.sorted(by: { $0.key < $1.key }) {
      switch state {
      case .unknownName:
        .failure(
          "seeds", "Nobody knows where \(seed) is.",
          "Write its address into LUNARA_SEEDS, or have the name looked up: getent hosts \(seed)",
          code: "bus.badAddress")
      case .silent:
        .failure(
          "seeds", "Nobody listens at \(seed).",
          "Look whether it is on and runs Lunara, whether LUNARA_LISTEN is set there, and whether a firewall lets ports 7700 to 7763 pass.",
          code: "bus.seedsSilent")
      case .unheard:
        .failure(
          "seeds", "\(seed) takes connections, and none of its services is understood.",
          "Its key is another, or its version: compare `lunara key show` and `lunara --version`. `lunara join CODE --replace` takes its key.",
          code: "bus.seedsSilent")
      case .heard: .ok("seeds", "\(seed) answers.")
      }
    }
  }

  /// Tries each seed; `heard` are the hosts at which nodes were heard.
  static func gather(_ settings: Settings, heard: Set<String>) -> SeedCheck {
    SeedCheck(seeds: settings.seeds.reduce(into: [:]) { $0[$1] = state(of: $1, heard) })
  }

  private static func state(of seed: String, _ heard: Set<String>) -> State {
    guard let place = Network.place(seed) else { return .unknownName }
    let found = SocketAddress.resolve(place.host, place.port)
    if found.isEmpty { return .unknownName }
    if heard.contains(place.host) || found.contains(where: { heard.contains($0.host) }) { return .heard }
    // Of a machine's services the first ones have the first ports.
    let listens = (0..<4).contains { pair in
      found.contains {
        NetworkSocket.connect(to: $0.with(port: place.port &+ UInt16(2 * pair)), within: Milliseconds(500)) != nil
      }
    }
    return listens ? .unheard : .silent
  }
}

struct PortCheck: HealthCheck, Equatable {
  /// A port that another program has, though no service of ours runs.
  struct Taken: Sendable, Equatable {
    var address: String
    var setting: String
  }

  var taken: [Taken] = []
  var free: [String] = []

  var findings: [Finding] {
    for port in taken {
      .failure(
        "ports", "\(port.address) is used by another program.",
        "End it (`ss -ltnp` names it), or set \(port.setting) to another port.", code: "cli.portBusy")
    }
    if !free.isEmpty { .ok("ports", "\(free.joined(separator: ", ")) can be listened on.") }
  }

  /// Tries the ports, where no service has them.
  static func gather(_ settings: Settings) -> PortCheck {
    var evidence = PortCheck()
    let web = settings.seeds.isEmpty ? settings.web : nil
    for case (let setting, let text?) in [("LUNARA_WEB", web), ("LUNARA_MEDIA", settings["LUNARA_MEDIA"])] {
      do {
        let (host, port) = try Settings.address(text, of: setting)
        guard let address = SocketAddress.resolve(host, port).first else { continue }
        switch NetworkSocket.refusal(toListenAt: address) {
        case nil: evidence.free.append(text)
        case .addressInUse?: evidence.taken.append(Taken(address: text, setting: setting))
        case _?: continue
        }
      } catch {
        // The service that reads it says so.
      }
    }
    return evidence
  }
}

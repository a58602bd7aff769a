import System
import Bus
import Glibc
import Model
import ServiceKit

/// Checks the household's key, and if nodes can open the frames of other machines with it.
struct KeyCheck: HealthCheck, Equatable {
  var path = ""
  var ids: [String] = []
  var rotation: String?
  var problem: LunaraError?
  var usesNetwork = false
  /// The number of frames that nodes received under a key that is not in their key file, by node.
  var refused: [String: Int] = [:]

  var findings: [Finding] {
    if let problem {
      .failure("key", problem)
    } else if let first = ids.first {
      .ok("key", "\(path) holds \(ids.count == 1 ? "key" : "\(ids.count) keys, the first") \(first).")
      if let rotation { .warning("key", "A rotation of the key is under way.", rotation) }
      for (node, count) in refused.sorted(by: { $0.key < $1.key }) where count > 0 {
        .warning(
          "key", "\(node) received \(count) frames that are sealed with another key.",
          "Compare `lunara key show` on all machines; on one with another key: `lunara join CODE --replace`. Frames from strangers can be ignored.",
          code: "bus.cannotOpen")
      }
    } else if usesNetwork {
      .failure(
        "key", "There is no key in \(path), so this machine cannot reach others.",
        "`lunara pair` on the machine that has it, and `lunara join CODE` here.", code: "bus.noKeyFile")
    } else {
      .ok("key", "There is no key, and none is needed: this machine uses no network.")
    }
  }

  static func observe(_ settings: Settings) -> KeyCheck {
    var check = KeyCheck(path: settings.keyFile)
    check.usesNetwork = settings.listen != nil || !settings.seeds.isEmpty || settings.discovers
    do {
      let file = try KeyFile(at: settings.keyFile)
      check.ids = file.entries.map(\.key.id.description)
      switch file.stage {
      case .idle: break
      case .announced: check.rotation = "When all machines have the new key: `lunara key rotate --promote`."
      case .promoted: check.rotation = "When all machines seal with the new key: `lunara key rotate --finish`."
      }
    } catch {
      let error = LunaraError(error)
      if error.code != "bus.noKeyFile" || settings["LUNARA_KEY_FILE"] != nil { check.problem = error }
    }
    return check
  }
}

struct SeedCheck: HealthCheck, Equatable {
  enum State: Sendable, Equatable {
    case unknownName, silent, answering
    /// It accepts connections, but none of its nodes answered.
    case notUnderstood
  }

  var seeds: [String: State] = [:]

  var findings: [Finding] {
    for (seed, state) in seeds.sorted(by: { $0.key < $1.key }) {
      switch state {
      case .unknownName:
        .failure(
          "seeds", "The name \(seed) cannot be resolved.",
          "Write its address into LUNARA_SEEDS, or have the name looked up: getent hosts \(seed)",
          code: "bus.badAddress")
      case .silent:
        .failure(
          "seeds", "Nobody listens at \(seed).",
          "Look whether it is on and runs Lunara, whether LUNARA_LISTEN is set there, and whether a firewall lets ports 7700 to 7763 pass.",
          code: "bus.seedsSilent")
      case .notUnderstood:
        .failure(
          "seeds", "\(seed) accepts connections, but its answers cannot be opened.",
          "If it was just started or restored, run `lunara doctor` again in 10 s. Otherwise compare `lunara --version` and `lunara key show`; where the keys differ, `lunara join CODE --replace` takes its key.",
          code: "bus.seedsSilent")
      case .answering: .ok("seeds", "\(seed) answers.")
      }
    }
  }

  /// Connects to each seed; `reached` are the hosts at which nodes answered.
  static func observe(_ settings: Settings, reached: Set<String>) -> SeedCheck {
    SeedCheck(seeds: settings.seeds.reduce(into: [:]) { $0[$1] = state(of: $1, reached) })
  }

  private static func state(of seed: String, _ reached: Set<String>) -> State {
    guard let place = Network.place(seed) else { return .unknownName }
    let found = SocketAddress.resolve(place.host, place.port)
    if found.isEmpty { return .unknownName }
    if reached.contains(place.host) || found.contains(where: { reached.contains($0.host) }) { return .answering }
    // Each service of a machine listens on a pair of ports, the first from the seed's port on; the first four pairs are
    // tried.
    let listens = (0..<4).contains { pair in
      found.contains {
        NetworkSocket.connect(to: $0.with(port: place.port &+ UInt16(2 * pair)), within: Milliseconds(500)) != nil
      }
    }
    return listens ? .notUnderstood : .silent
  }
}

struct PortCheck: HealthCheck, Equatable {
  /// A port that is in use although no service of Lunara runs.
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

  /// Tries to listen on the ports; for use while no service runs.
  static func observe(_ settings: Settings) -> PortCheck {
    var check = PortCheck()
    let web = settings.seeds.isEmpty ? settings.web : nil
    for case (let setting, let text?) in [("LUNARA_WEB", web), ("LUNARA_MEDIA", settings["LUNARA_MEDIA"])] {
      do {
        let (host, port) = try Settings.address(text, of: setting)
        guard let address = SocketAddress.resolve(host, port).first else { continue }
        switch NetworkSocket.refusal(toListenAt: address) {
        case nil: check.free.append(text)
        case .addressInUse?: check.taken.append(Taken(address: text, setting: setting))
        case _?: continue
        }
      } catch {
        // The service that reads the setting reports the error.
      }
    }
    return check
  }
}

import Bus
import Messages
import Model
import ServiceKit

/// The services of the household, as they are heard here: whether they answer, their versions and clocks.
struct NodeCheck: HealthCheck, Equatable {
  /// One of them.
  struct Node: Sendable, Equatable {
    var name: String
    /// Nil where it did not answer.
    var version: String?
    /// By how many seconds its clock is ahead, at least; below nought where it is behind.
    var skew: Double = 0
    var isAway = false
  }

  var nodes: [Node] = []
  var own = LunaraVersion.current
  /// True if this machine's clock is set by the network; nil where that is not known.
  var isSynchronised: Bool?

  /// From here on clocks are told to be apart.
  static let skew = 5.0
  private static let setClock = "timedatectl set-ntp true, on both machines."

  var findings: [Finding] {
    guard !nodes.isEmpty else {
      return [
        .warning(
          "services", "No service of Lunara is heard here.", "Start them with `lunara up`.", code: "cli.noHousehold")
      ] + clock
    }
    var found: [Finding] = []
    let silent = nodes.filter { $0.version == nil || $0.isAway }.map(\.name)
    if !silent.isEmpty {
      found.append(
        .failure(
          "services", "\(silent.joined(separator: ", ")) \(silent.count == 1 ? "does" : "do") not answer.",
          "Look into the log of where it runs, and start it again. A room that is gone for good is forgotten after a while.",
          code: "bus.timeout"))
    } else {
      found.append(.ok("services", "\(nodes.count) answer."))
    }
    let others = nodes.filter { $0.version.map { $0 != own } ?? false }
    for (version, nodes) in Dictionary(grouping: others, by: { $0.version ?? "" }).sorted(by: { $0.key < $1.key }) {
      found.append(
        .warning(
          "versions",
          "\(nodes.map(\.name).joined(separator: ", ")) \(nodes.count == 1 ? "is" : "are") of version \(version), this program of \(own).",
          "Install one version on all machines, and start services again that ran before."))
    }
    if others.isEmpty, nodes.contains(where: { $0.version != nil }) {
      found.append(.ok("versions", "All are of version \(own)."))
    }
    return found + clock
  }

  private var clock: [Finding] {
    let apart = nodes.filter { abs($0.skew) >= Self.skew }
    var found = apart.map { node in
      Finding.warning(
        "clocks", "The clock of \(node.name) is \(Int(abs(node.skew))) s \(node.skew > 0 ? "ahead" : "behind").",
        "\(Self.setClock) What is heard there is listed at the wrong time.")
    }
    switch isSynchronised {
    case false?: found.append(.warning("clocks", "This machine's clock is not set by the network.", Self.setClock))
    case true? where apart.isEmpty: found.append(.ok("clocks", "They are set by the network."))
    default: break
    }
    return found
  }
}

/// The sources of music and the folders of `LUNARA_MUSIC`.
struct SourceCheck: HealthCheck, Equatable {
  /// A folder of `LUNARA_MUSIC`.
  enum Folder: Sendable, Equatable {
    case missing
    case unreadable
    case empty
    case there
  }

  /// A source as the library says it stands.
  struct Source: Sendable, Equatable {
    var name: String
    var kind: String
    var health: String
    var tracks: Int
    var problemCount = 0
    var problem: LunaraError?
  }

  /// By the folder.
  var folders: [String: Folder] = [:]
  var sources: [Source] = []
  /// The kinds of sources that the library offers.
  var kinds: [Library.SourceKind] = []
  /// True if a library was asked.
  var isKnown = false

  var findings: [Finding] {
    var found = folders.sorted { $0.key < $1.key }.compactMap { path, state -> Finding? in
      switch state {
      case .missing:
        .failure(
          "sources", "The music folder \(path) is not there.", "Mount it, or correct LUNARA_MUSIC.",
          code: "library.folderMissing")
      case .unreadable:
        .failure(
          "sources", "The music folder \(path) cannot be read.", "Let this user read it: chmod -R go+rX, or setfacl.")
      case .empty:
        .warning("sources", "The music folder \(path) is empty.", "Is the disk mounted that should be there?")
      case .there: nil
      }
    }
    for source in sources {
      switch source.health {
      case "ready", "scanning":
        found.append(.ok("sources", "\(source.name) is \(source.health), with \(source.tracks) tracks."))
      case "signed-out":
        found.append(
          .failure(
            "sources", "\(source.name) refuses its sign-in.", signIn(at: source.kind), code: source.problem?.code))
      case "empty":
        found.append(
          .warning(
            "sources", "\(source.name) has no music.", "Look whether it is the right folder, or the right account."))
      default:
        found.append(
          source.problem.map {
            .failure("sources", LunaraError($0.code, "\(source.name) is \(source.health). \($0.message)"))
          }
            ?? .failure(
              "sources", "\(source.name) is \(source.health).", "Look whether its server runs and can be reached."))
      }
      if source.problemCount > 0, ["ready", "scanning"].contains(source.health) {
        let first = source.problem.map { " The first: \($0.message)" } ?? ""
        found.append(
          .warning(
            "sources", "\(source.problemCount) files or items of \(source.name) could not be read.\(first)",
            "`lunara status` lists them.", code: source.problem?.code))
      }
    }
    if isKnown, sources.isEmpty, folders.isEmpty {
      let logins = kinds.filter { $0.signIn.first == .link }.map { ", or lunara login \($0.kind)" }.joined()
      found.append(.warning("sources", "There is no music yet.", "lunara sources add DIR\(logins)."))
    }
    return found
  }

  /// Returns the command that signs in at a kind of source.
  private func signIn(at name: String) -> String {
    let kind = kinds.first { $0.kind == name }
    if kind?.signIn.first == .link { return "lunara login \(name)" }
    let secret = kind?.settings.first { $0.isSecret }?.title.lowercased() ?? "password or token"
    return "lunara sources add \(name), with its \(secret)."
  }
}

/// The scrobble accounts and their outbox.
struct ScrobbleCheck: HealthCheck, Equatable {
  /// The accounts, as the scrobbler says they stand; nil where none was asked.
  var accounts: [Scrobble.Account]?
  /// Deliveries that were refused for good.
  var failed = 0

  var findings: [Finding] {
    guard let accounts else { return [] }
    var found = accounts.compactMap { account -> Finding? in
      let name = "\(account.service)/\(account.account)"
      switch account.state {
      case "ready", "off": return nil
      case "waiting":
        return .warning(
          "scrobbling", "\(name) is waited for; \(account.pending) listens are kept for it.",
          "Nothing; it is tried again by itself.",
          code: account.error?.code)
      default:
        return account.error.map { .failure("scrobbling", LunaraError($0.code, "\(name): \($0.message)")) }
          ?? .failure("scrobbling", "\(name) is paused (\(account.state)).", "lunara login \(account.service)")
      }
    }
    if failed > 0 {
      found.append(
        .warning(
          "scrobbling", "\(failed) listens were refused.",
          "`lunara scrobbles --failed` says why; `lunara scrobbles retry` sends them again."))
    }
    let ready = accounts.count { $0.state == "ready" }
    if found.isEmpty, ready > 0 {
      found.append(.ok("scrobbling", "\(ready) \(ready == 1 ? "account is" : "accounts are") served."))
    }
    return found
  }
}

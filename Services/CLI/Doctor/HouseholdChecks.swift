import Bus
import Messages
import Model

/// Checks the services of the household: if they answer, their versions and their clocks.
struct NodeCheck: HealthCheck, Equatable {
  struct Node: Sendable, Equatable {
    var name: String
    /// The version of its program; nil if it did not answer.
    var version: String?
    /// The least number of seconds by which its clock is ahead of this machine's; negative if it is behind.
    var skew: Double = 0
    var isAway = false
    /// The problem that the node reports of itself; nil if it has none.
    var problem: LunaraError?
  }

  var nodes: [Node] = []
  var own = LunaraVersion.current
  var isSynchronised: Bool?

  /// The smallest difference of two clocks, in seconds, that causes a warning.
  static let skew = 5.0
  private static let setClock = "timedatectl set-ntp true, on both machines."

  var findings: [Finding] {
    let silent = nodes.filter { $0.version == nil || $0.isAway }.map(\.name)
    let others = nodes.filter { $0.version.map { $0 != own } ?? false }
    if nodes.isEmpty {
      .warning(
        "services", "No service of Lunara answers here.", "Start them with `lunara up`.", code: "cli.noHousehold")
    } else if silent.isEmpty {
      .ok("services", "\(nodes.count) answer.")
    } else {
      .failure(
        "services", "\(silent.joined(separator: ", ")) \(silent.count == 1 ? "does" : "do") not answer.",
        "Look into the log of where it runs, and start it again. A room that is gone for good is forgotten after a while.",
        code: "bus.timeout")
    }
    for (name, problem) in nodes.compactMap({ node in node.problem.map { (node.name, $0) } }) {
      .warning("services", LunaraError(problem.code, "\(name): \(problem.message)"))
    }
    for (version, nodes) in Dictionary(grouping: others, by: { $0.version ?? "" }).sorted(by: { $0.key < $1.key }) {
      .warning(
        "versions",
        "\(nodes.map(\.name).joined(separator: ", ")) \(nodes.count == 1 ? "is" : "are") of version \(version), this program of \(own).",
        "Install one version on all machines, and start services again that ran before.")
    }
    if others.isEmpty, nodes.contains(where: { $0.version != nil }) {
      .ok("versions", "All are of version \(own).")
    }
    let apart = nodes.filter { abs($0.skew) >= Self.skew }
    for node in apart {
      .warning(
        "clocks", "The clock of \(node.name) is \(Int(abs(node.skew))) s \(node.skew > 0 ? "ahead" : "behind").",
        "\(Self.setClock) What is heard there is listed at the wrong time.")
    }
    if isSynchronised == false {
      .warning("clocks", "This machine's clock is not set by the network.", Self.setClock)
    } else if isSynchronised == true, apart.isEmpty {
      .ok("clocks", "They are set by the network.")
    }
  }
}

/// Checks the sources of music and the folders of `LUNARA_MUSIC`.
struct SourceCheck: HealthCheck, Equatable {
  enum Folder: Sendable, Equatable {
    case missing, unreadable, empty, there
  }

  struct Source: Sendable, Equatable {
    var name: String
    var kind: String
    var health: String
    var tracks: Int
    var problemCount = 0
    var problem: LunaraError?
  }

  var folders: [String: Folder] = [:]
  var sources: [Source] = []
  var kinds: [Library.SourceKind] = []
  var isKnown = false
  /// The numbers of problems by their kinds; nil if the library did not tell them.
  var counts: [Library.ProblemCount]?
  /// The problems of music folders as a whole, such as that they cannot be watched.
  var ofFolders: [LunaraError] = []

  var findings: [Finding] {
    for (path, state) in folders.sorted(by: { $0.key < $1.key }) {
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
      case .there: []
      }
    }
    for source in sources {
      finding(source)
      if source.problemCount > 0, ["ready", "scanning"].contains(source.health) {
        problems(of: source)
      }
    }
    for problem in ofFolders where !sources.contains(where: { $0.problem?.code == problem.code }) {
      Finding.warning("sources", problem)
    }
    countedProblems
    if isKnown, sources.isEmpty, folders.isEmpty {
      let logins = kinds.filter { $0.signIn.first == .link }.map { ", or lunara login \($0.kind)" }.joined()
      Finding.warning("sources", "There is no music yet.", "lunara sources add DIR\(logins).")
    }
  }

  /// The codes of problems that are not about single files or items.
  private static let standing: Set = [
    "library.deletionsHeld", "library.folderEmpty", "library.folderMissing", "library.folderSilent",
    "library.folderSlow", "library.folderUnreadable", "library.listsHeld", "library.notWatched", "library.otherDevice",
    "library.watchLimit",
  ]

  private func problems(of source: Source) -> [Finding] {
    if let problem = source.problem, Self.standing.contains(problem.code) { return [.warning("sources", problem)] }
    guard counts == nil else { return [] }
    return [
      .warning(
        "sources",
        "\(source.name) has \(Printable.count(source.problemCount, "problem")).\(source.problem.map { " The first: \($0.message)" } ?? "")",
        "`lunara status` lists them.", code: source.problem?.code)
    ]
  }

  /// The numbers of problems, a finding a kind, so that files without tags are not among those that cannot be read.
  private var countedProblems: [Finding] {
    let kinds: [(Library.ProblemKind, thing: String, what: String)] = [
      (.damaged, "file", "damaged and cannot be read"),
      (.unreadable, "file", "not readable for this user, or its disk does not answer"),
      (.untagged, "file", "without tags, listed by name"), (.encoding, "file", "with tags in another encoding"),
      (.cue, "CUE sheet", "not used"), (.cover, "cover", "not shown"),
      (.source, "problem", "list files, or what a source reported"),
    ]
    return kinds.compactMap { kind, thing, what in
      let count = (counts ?? []).filter { $0.kind == kind && !Self.standing.contains($0.code) }.reduce(0) {
        $0 + $1.count
      }
      guard count > 0 else { return nil }
      return .warning(
        "sources", "\(Printable.count(count, thing)): \(what).", "`lunara problems --kind \(kind.rawValue)` lists them."
      )
    }
  }

  private func finding(_ source: Source) -> Finding {
    let name = source.name
    switch source.health {
    case "ready", "scanning":
      return .ok("sources", "\(name) is \(source.health), with \(Printable.count(source.tracks, "track")).")
    case "signed-out":
      return .failure("sources", "\(name) refuses its sign-in.", signIn(at: source.kind), code: source.problem?.code)
    case "empty":
      return .warning("sources", "\(name) has no music.", "Look whether it is the right folder, or the right account.")
    default:
      return source.problem.map {
        .failure("sources", LunaraError($0.code, "\(name) is \(source.health). \($0.message)"))
      } ?? .failure("sources", "\(name) is \(source.health).", "Look whether its server runs and can be reached.")
    }
  }

  private func signIn(at name: String) -> String {
    let kind = kinds.first { $0.kind == name }
    if kind?.signIn.first == .link { return "lunara login \(name)" }
    let secret = kind?.settings.first { $0.isSecret }?.title.lowercased() ?? "password or token"
    return "lunara sources add \(name) ADDRESS, with its \(secret)."
  }
}

struct ScrobbleCheck: HealthCheck, Equatable {
  var accounts: [Scrobble.Account]?
  var failed = 0

  var findings: [Finding] {
    let accounts = accounts ?? []
    let problems = accounts.compactMap { account -> Finding? in
      let name = "\(account.service)/\(account.account)"
      switch account.state {
      case "ready", "off": return nil
      case "waiting":
        return .warning(
          "scrobbling", "\(name) does not answer now; waiting for it: \(Printable.count(account.pending, "listen")).",
          "Nothing; it is tried again by itself.", code: account.error?.code)
      default:
        return account.error.map { .failure("scrobbling", LunaraError($0.code, "\(name): \($0.message)")) }
          ?? .failure("scrobbling", "\(name) is paused (\(account.state)).", "lunara login \(account.service)")
      }
    }
    problems
    let ready = accounts.count { $0.state == "ready" }
    if failed > 0 {
      .warning(
        "scrobbling", "\(Printable.count(failed, "listen")) refused.",
        "`lunara scrobbles --failed` says why; `lunara scrobbles retry` sends them again.")
    } else if problems.isEmpty, ready > 0 {
      .ok("scrobbling", "\(ready) \(ready == 1 ? "account is" : "accounts are") served.")
    }
  }
}

import Glibc
import Model

/// The units of systemd that run Lunara's services here.
struct UnitEvidence: Evidence, Equatable {
  /// A unit that failed.
  struct Failed: Sendable, Equatable {
    var name: String
    /// Whether it is a unit of the whole machine, and none of this user.
    var isSystem: Bool
  }

  var failed: [Failed] = []
  /// How many units run.
  var running = 0
  /// Whether this user's units go on without them being logged in; nil where they have none that run.
  var lingers: Bool?
  var user = ""

  var findings: [Finding] {
    var found = failed.map { unit in
      Finding.failure(
        "systemd", "\(unit.name) has failed.",
        unit.isSystem
          ? "journalctl -u \(unit.name) -n 50 says why; sudo systemctl restart \(unit.name)"
          : "journalctl --user -u \(unit.name) -n 50 says why; systemctl --user restart \(unit.name)")
    }
    if lingers == false {
      found.append(.warning("systemd", "Lunara ends when \(user) logs out.", "sudo loginctl enable-linger \(user)"))
    }
    if found.isEmpty, running > 0 { found.append(.ok("systemd", "\(running) units run.")) }
    return found
  }

  /// The units in what `systemctl list-units --plain --no-legend` prints, with how each stands.
  static func units(in text: String) -> [(name: String, state: Substring)] {
    text.split(separator: "\n").compactMap { line in
      // A bullet stands before those that failed where it was not asked to be plain.
      let words = line.split(separator: " ").drop { $0 == "●" || $0 == "*" }
      let parts = Array(words.prefix(4))
      guard parts.count == 4, parts[0].hasPrefix("lunara"), parts[0].contains(".") else { return nil }
      return (String(parts[0]), parts[2])
    }
  }

  /// Asks systemd, where there is one.
  static func gather(_ environment: Environment) -> UnitEvidence {
    var evidence = UnitEvidence()
    guard access("/run/systemd/system", F_OK) == 0, let systemctl = Tool("systemctl", environment: environment) else {
      return evidence
    }
    for isSystem in [false, true] {
      let words =
        (isSystem ? [] : ["--user"]) + ["list-units", "--all", "--plain", "--no-legend", "--no-pager", "lunara*"]
      let answer = systemctl.answer(words, environment)
      guard answer.status == 0 else { continue }
      let units = units(in: answer.output)
      evidence.failed += units.filter { $0.state == "failed" }.map { Failed(name: $0.name, isSystem: isSystem) }
      let active = units.count { $0.state == "active" && $0.name.hasSuffix(".service") }
      evidence.running += active
      if !isSystem, active > 0, let user = environment["USER"] ?? environment["LOGNAME"] {
        evidence.user = user
        evidence.lingers = access("/var/lib/systemd/linger/\(user)", F_OK) == 0
      }
    }
    return evidence
  }
}

extension NodeEvidence {
  /// Whether this machine's clock is set by the network, as systemd knows; nil where it does not.
  static func isSynchronised(_ environment: Environment) -> Bool? {
    guard let timedatectl = Tool("timedatectl", environment: environment) else { return nil }
    let answer = timedatectl.answer(["show", "--property=NTPSynchronized", "--value"], environment)
    guard answer.status == 0 else { return nil }
    return switch answer.output {
    case "yes": true
    case "no": false
    default: nil
    }
  }
}

import System
import Glibc
import Model
import ServiceKit

struct ProgramCheck: HealthCheck, Equatable {
  enum State: Sendable, Equatable {
    case version(String)
    case missing
    /// The program cannot be started; the text is its output.
    case broken(String)
  }

  var folder = ""
  var programs: [String: State] = [:]
  /// True if only the programs of a room are installed, and no seeds of a household are set.
  var isLoneRoom = false
  var lacksFFmpeg = false
  var own = LunaraVersion.current

  /// The Debian packages of the libraries, by the name of the library file.
  private static let packages = [
    "libmpv.so.2": "libmpv2", "libnanomsg.so.5": "libnanomsg5", "libsodium.so.23": "libsodium23",
    "libsqlite3.so.0": "libsqlite3-0", "libtag.so.1": "libtag1v5", "libcurl.so.4": "libcurl4",
    "libmicrohttpd.so.12": "libmicrohttpd12", "libutf8proc.so.2": "libutf8proc2", "libpulse.so.0": "libpulse0",
    "libvips.so.42": "libvips42", "libexpat.so.1": "libexpat1", "libcrypto.so.3": "libssl3", "libssl.so.3": "libssl3",
    "libsystemd.so.0": "libsystemd0", "libjavascriptcoregtk-4.1.so.0": "libjavascriptcoregtk-4.1-0",
  ]

  /// The program that runs plugins. The library of its engine is large, so packages leave it to a person's choice.
  private static let plugins = "lunara-plugin"

  /// The programs of every household, those included that run only where something is used.
  static let ofHousehold = ServiceProgram.all.map(\.program) + [plugins]

  var findings: [Finding] {
    let missing = programs.filter { $0.value == .missing }.keys.sorted()
    let wrong = programs.sorted { $0.key < $1.key }.compactMap { name, state -> Finding? in
      switch state {
      case .missing: return nil
      case .broken(let words):
        guard let library = Self.library(in: words) else {
          return .failure("programs", "\(name) cannot be started: \(words)", "Install Lunara again.")
        }
        let remedy = Self.packages[library].map { "apt install \($0)" } ?? "Install the package that has \(library)."
        if name == Self.plugins {
          return .warning("programs", "\(name) lacks the library \(library), which only plugins need.", remedy)
        }
        return .failure("programs", "\(name) lacks the library \(library).", remedy)
      case .version(let version) where version != own:
        return .warning(
          "programs", "\(name) is of version \(version), `lunara` of \(own).",
          "Install all of Lunara again, and restart it.")
      case .version: return nil
      }
    }
    wrong
    if !missing.isEmpty {
      .failure(
        "programs", "\(missing.joined(separator: ", ")) \(missing.count == 1 ? "is" : "are") not in \(folder).",
        "Install all of Lunara again, with the package or `make install`.", code: "cli.programMissing")
    } else if wrong.isEmpty, !programs.isEmpty {
      .ok("programs", "\(programs.count) programs of version \(own) can be started.")
    }
    if isLoneRoom {
      .warning(
        "programs", "Only a room is installed here, and it belongs to no household yet.",
        "Run `lunara pair` on the machine that has the library, then `lunara join CODE` here.")
    }
    if lacksFFmpeg {
      .warning("programs", "ffmpeg is not installed.", "apt install ffmpeg; only `lunara up --demo` needs it.")
    }
  }

  static func library(in words: String) -> String? {
    guard let start = words.firstRange(of: "error while loading shared libraries: ") else { return nil }
    return words[start.upperBound...].split(separator: ":").first.map(String.init)
  }

  static func observe(_ settings: Settings, _ environment: Environment) -> ProgramCheck {
    var check = ProgramCheck()
    do { check.folder = try ProgramLocation.folder() } catch { return check }
    // A room alone is complete if another machine of the household has the library, or will have it.
    let isThere = { (service: ServiceProgram) in access("\(check.folder)/\(service.program)", X_OK) == 0 }
    check.isLoneRoom =
      settings.seeds.isEmpty && ServiceProgram.roomOnly.allSatisfy(isThere)
      && !ServiceProgram.all.contains { !ServiceProgram.roomOnly.contains($0) && isThere($0) }
    let isWhole = settings.seeds.isEmpty && !check.isLoneRoom
    for name in isWhole ? ofHousehold : ServiceProgram.roomOnly.map(\.program) {
      guard let tool = SystemProgram(file: "\(check.folder)/\(name)") else {
        check.programs[name] = .missing
        continue
      }
      let answer = tool.answer(["--version"], environment: environment)
      let version = answer.output.split(separator: " ").last.map { String($0.prefix { !$0.isNewline }) }
      check.programs[name] = answer.status == 0 ? .version(version ?? "") : .broken(answer.output)
    }
    check.lacksFFmpeg = SystemProgram("ffmpeg", environment: environment) == nil
    return check
  }
}

struct UnitCheck: HealthCheck, Equatable {
  struct Failed: Sendable, Equatable {
    var name: String
    var isSystem: Bool
  }

  var failed: [Failed] = []
  var running = 0
  /// True if this user's units run without a login; nil if none of them runs, or the user's name is not known.
  var lingers: Bool?
  var user = ""

  var findings: [Finding] {
    for unit in failed {
      .failure(
        "systemd", "\(unit.name) has failed.",
        unit.isSystem
          ? "journalctl -u \(unit.name) -n 50 says why; sudo systemctl restart \(unit.name)"
          : "journalctl --user -u \(unit.name) -n 50 says why; systemctl --user restart \(unit.name)")
    }
    if lingers == false {
      .warning("systemd", "Lunara ends when \(user) logs out.", "sudo loginctl enable-linger \(user)")
    } else if failed.isEmpty, running > 0 {
      .ok("systemd", "\(running) units run.")
    }
  }

  /// Returns the units that `systemctl list-units --plain --no-legend` has printed, with the active state of each.
  static func units(in text: String) -> [(name: String, state: Substring)] {
    text.split(separator: "\n").compactMap { line in
      // Without `--plain`, systemctl prints a bullet before units that failed.
      let words = line.split(separator: " ").drop { $0 == "●" || $0 == "*" }
      let parts = Array(words.prefix(4))
      guard parts.count == 4, parts[0].hasPrefix("lunara"), parts[0].contains(".") else { return nil }
      // systemd restarts a failed unit, and only the next word of its status says so.
      return (String(parts[0]), parts[3] == "auto-restart" ? "failed" : parts[2])
    }
  }

  static func observe(_ environment: Environment) -> UnitCheck {
    var check = UnitCheck()
    guard access("/run/systemd/system", F_OK) == 0, let systemctl = SystemProgram("systemctl", environment: environment)
    else { return check }
    for isSystem in [false, true] {
      let words =
        (isSystem ? [] : ["--user"]) + ["list-units", "--all", "--plain", "--no-legend", "--no-pager", "lunara*"]
      let answer = systemctl.answer(words, environment: environment)
      guard answer.status == 0 else { continue }
      let units = units(in: answer.output)
      check.failed += units.filter { $0.state == "failed" }.map { Failed(name: $0.name, isSystem: isSystem) }
      let active = units.count { $0.state == "active" && $0.name.hasSuffix(".service") }
      check.running += active
      if !isSystem, active > 0, let user = environment["USER"] ?? environment["LOGNAME"] {
        check.user = user
        check.lingers = access("/var/lib/systemd/linger/\(user)", F_OK) == 0
      }
    }
    return check
  }
}

extension NodeCheck {
  /// Returns true if this machine's clock is set by the network, as systemd reports it; nil if systemd does not say.
  static func isSynchronised(_ environment: Environment) -> Bool? {
    guard let timedatectl = SystemProgram("timedatectl", environment: environment) else { return nil }
    let answer = timedatectl.answer(["show", "--property=NTPSynchronized", "--value"], environment: environment)
    guard answer.status == 0 else { return nil }
    return ["yes": true, "no": false][answer.output]
  }
}

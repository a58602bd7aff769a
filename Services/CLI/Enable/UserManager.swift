import System
import Glibc
import Model
import ServiceKit

/// A person's own systemd manager, controlled through `systemctl` and `loginctl`.
struct UserManager: Sendable {
  private let systemctl: SystemProgram
  private let loginctl: SystemProgram?
  private let environment: Environment
  let folder: String
  let configuration: String

  /// Checks that the manager runs.
  ///
  /// - Throws: `cli.noSystemd` if systemd does not run on this machine; `cli.noUserManager` if it does not run for this
  ///   person.
  init(_ environment: Environment) throws {
    guard let systemctl = SystemProgram("systemctl", environment: environment), access("/run/systemd/system", F_OK) == 0
    else {
      throw LunaraError(
        "cli.noSystemd",
        "This machine does not run systemd, so nothing can be turned on. Have whatever starts programs here run `lunara up`."
      )
    }
    guard let home = environment["HOME"], !home.isEmpty else {
      throw LunaraError("cli.noUserManager", "HOME is not set, so it is not known for whom. Log in as that person.")
    }
    self.systemctl = systemctl
    loginctl = SystemProgram("loginctl", environment: environment)
    self.environment = environment
    let config = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.config"
    folder = "\(config)/systemd/user"
    configuration = "\(config)/lunara"
    let answer = try systemctl.run(["--user", "show-environment"], environment: environment)
    guard answer.status == 0 else {
      throw LunaraError(
        "cli.noUserManager",
        "systemd runs nothing for this person here. Log in at the machine or by ssh instead of by su or sudo; for services of the whole machine, as root: systemctl enable --now lunara.target.",
        cause: Self.firstLine(answer.output))
    }
  }

  /// Creates a manager that is controlled through these programs, without checking that it runs.
  init(
    systemctl: SystemProgram, loginctl: SystemProgram?, environment: Environment, folder: String, configuration: String
  ) {
    self.systemctl = systemctl
    self.loginctl = loginctl
    self.environment = environment
    self.folder = folder
    self.configuration = configuration
  }

  /// Returns true if systemd finds the units that were installed with this program.
  static func isInstalled(programs: String) -> Bool {
    let units =
      switch programs {
      case "/usr/bin", "/bin": "/usr/lib/systemd/user"
      case "/usr/local/bin": "/usr/local/lib/systemd/user"
      default: ""
      }
    return !units.isEmpty && access("\(units)/\(UserUnits.target)", F_OK) == 0
  }

  /// Runs `systemctl --user` with these arguments. Throws `cli.unitFailed`.
  func runSystemctl(_ words: [String]) throws {
    let run = try systemctl.run(["--user", "--no-ask-password"] + words, environment: environment)
    guard run.status == 0 else {
      throw LunaraError(
        "cli.unitFailed",
        "systemd could not \(words[0]) what was asked for. journalctl --user -u 'lunara-*' -n 30 shows why.",
        cause: Self.firstLine(run.output))
    }
  }

  func enabled() throws -> [String] {
    let run = try systemctl.run(
      ["--user", "list-unit-files", "--no-legend", "--no-pager", "--plain", "--state=enabled", "lunara*"],
      environment: environment)
    return run.output.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
      .filter { $0.hasPrefix("lunara") && !$0.hasSuffix("@.service") } + instances()
  }

  /// Returns the enabled instances of the room's unit: `list-unit-files` shows only its template.
  private func instances() -> [String] {
    do {
      return try Files.names(in: "\(folder)/\(UserUnits.target).wants")
        .filter { $0.hasPrefix("lunara-playback@") && $0.hasSuffix(".service") }
    } catch {
      // Without the folder no instance is enabled.
      return []
    }
  }

  /// Makes the person's manager start with the machine, without a login. Returns false if this is refused or
  /// impossible.
  func enableLinger() throws -> Bool {
    guard let loginctl else { return false }
    return try loginctl.run(["--no-ask-password", "enable-linger"], environment: environment).status == 0
  }

  private static func firstLine(_ text: String) -> String? { text.split(separator: "\n").first.map(String.init) }
}

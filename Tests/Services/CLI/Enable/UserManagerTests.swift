import Model
import System
import TestSupport
import Testing

@testable import lunara

/// `lunara enable` with a script in place of systemctl.
struct UserManagerTests {
  @Test func aHouseholdThatCannotBeReplacedGoesOnWithItsFormerSettings() throws {
    let systemd = try FakeSystemd(failing: "start")
    try systemd.enable("lunara-library.service")
    let settings = "\(systemd.manager.configuration)/enabled.env"
    try Files.replace(settings, with: "\(UserUnits.mark)\nLUNARA_MUSIC=\"/former\"\n")
    let error = #expect(throws: LunaraError.self) { try systemd.replace("enable --services web --music /new") }
    #expect(error?.code == "cli.unitFailed")
    #expect(systemd.enabled == ["lunara-library.service"])
    #expect(Files.text(of: settings)?.contains("/former") == true)
    // The unit files of the attempt are gone as well.
    #expect(!Files.exists("\(systemd.manager.folder)/lunara-web.service"))
    #expect(systemd.calls.last == "enable --now lunara-library.service")
  }

  @Test func aHouseholdThatIsReplacedRunsTheNewServices() throws {
    let systemd = try FakeSystemd(failing: "nothing")
    try systemd.enable("lunara-library.service")
    try systemd.replace("enable --services web --music /new")
    #expect(systemd.enabled == ["lunara-web.service", "lunara.target"])
    #expect(Files.text(of: "\(systemd.manager.configuration)/enabled.env")?.contains("/new") == true)
  }
}

/// A folder with a script that notes its calls, keeps the enabled units as files, and fails at one verb once.
private final class FakeSystemd {
  let manager: UserManager
  private let folder = TemporaryDirectory()

  init(failing verb: String) throws {
    let script = "\(folder.path)/systemctl"
    try TestProgram.install(
      """
      #!/bin/sh
      cd "$(dirname "$0")"
      for word; do case $word in --user|--no-*|--plain|--state=*) ;; *) words="$words $word" ;; esac; done
      set -- $words
      echo "$*" >> calls
      case $1 in
        list-unit-files) ls enabled | sed 's/$/ enabled enabled/' ;;
        disable) shift 2; for unit; do rm -f "enabled/$unit"; done ;;
        enable) shift; for unit; do [ "$unit" = --now ] || touch "enabled/$unit"; done ;;
        \(verb)) exit 1 ;;
      esac
      """, at: script)
    try Files.makeFolder("\(folder.path)/enabled")
    let environment = Environment(["PATH": "/usr/bin:/bin"])
    manager = UserManager(
      systemctl: try #require(SystemProgram(file: script)), loginctl: nil, environment: environment,
      folder: "\(folder.path)/systemd/user", configuration: "\(folder.path)/lunara")
    try Files.makeFolder(manager.configuration)
  }

  var enabled: [String] {
    do { return try Files.names(in: "\(folder.path)/enabled").sorted() } catch { return [] }
  }

  var calls: [String] { (Files.text(of: "\(folder.path)/calls") ?? "").split(separator: "\n").map(String.init) }

  func enable(_ unit: String) throws { try Files.replace("\(folder.path)/enabled/\(unit)", with: "") }

  func replace(_ line: String) throws {
    let arguments = try Parser(root: .lunara).parse(line.split(separator: " ").map(String.init)).arguments
    let plan = try UpPlan(arguments, environment: Environment([:]), folder: "/")
    let units = UserUnits(plan, room: RoomName(from: "den"), programs: "/opt/lunara/bin", keepsRun: false)
    try manager.replaceUnits(by: units, checking: {}) { Issue.record("\($0)") }
  }
}

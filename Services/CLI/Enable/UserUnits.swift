import CEmbedded
import System
import Model
import ServiceKit

/// The systemd units with which a person's own systemd runs the services of `lunara up`. It does no I/O, except that it
/// reads the templates that are part of this program.
struct UserUnits: Sendable {
  /// The first line of each file that `lunara enable` writes, and of no other file.
  static let mark = "# Written by `lunara enable`; `lunara disable` removes it."
  static let target = "lunara.target"

  let services: [ServiceProgram]
  /// The services that run once their folder is there, and the home folder with it.
  let laterServices: [ServiceProgram]
  let home: String
  /// True if the home folder is the one of which the installed units know.
  private let hasUsualHome: Bool
  let room: RoomName
  let programs: String
  /// The settings for `enabled.env`, from the command's options and the environment.
  let settings: Environment

  /// Creates the units of a plan. `keepsRun` keeps the setting of the runtime directory.
  init(_ plan: UpPlan, room: RoomName, programs: String, keepsRun: Bool) {
    services = plan.services
    self.room = room
    self.programs = programs
    laterServices = plan.laterServices
    home = plan.home
    hasUsualHome = plan.home == "\(plan.environment["HOME"] ?? "")/.local/share/lunara"
    let kept = Set(Settings.known.map(\.name)).subtracting(Self.passing + (keepsRun ? [] : ["LUNARA_RUN"]))
    settings = Environment(plan.environment.variables.filter { kept.contains($0.key) })
  }

  /// The settings that are for one start only. LUNARA_ROOM is kept: services other than the room may be named after it.
  private static let passing = ["LUNARA_TAKE_OVER", "LUNARA_UNDER_TEST"]

  var names: [String] {
    services.map { Self.unit(of: $0, room: $0.room ?? room) } + laterServices.map { "\($0.program).path" }
  }

  static func unit(of service: ServiceProgram, room: RoomName) -> String {
    service.name == "playback" ? "lunara-playback@\(room).service" : "\(service.program).service"
  }

  /// The texts of the unit files, by name, for programs whose installed units systemd does not find.
  var files: [(name: String, text: String)] {
    var count = 0
    let units = UnsafeBufferPointer(start: lunara_units(&count), count: count)
    return units.map { unit in
      let bytes = UnsafeBufferPointer(start: unit.file.bytes, count: unit.file.count)
      let text = String(decoding: bytes, as: UTF8.self).replacing("@BIN@", with: Self.quoted(programs))
        .replacing("PathExists=%h/.local/share/lunara/", with: "PathExists=\(Self.escaped(home))/")
      return (String(cString: unit.name), "\(Self.mark)\n\(text)")
    }
  }

  /// The texts of the unit files that are written though systemd finds the installed units: those that wait for folders
  /// in a home folder that is not the usual one.
  var filesBesideInstalled: [(name: String, text: String)] {
    hasUsualHome ? [] : files.filter { $0.name.hasSuffix(".path") }
  }

  /// The text of `enabled.env`, in the format of systemd's `EnvironmentFile=`.
  var environmentFile: String {
    "\(Self.mark)\n"
      + settings.variables.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.value($0.value))\n" }.joined()
  }

  /// Returns a value in double quotes, as described in systemd.exec(5).
  private static func value(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("`", with: "\\`")
    return "\"\(escaped.replacing("$", with: "\\$"))\""
  }

  /// Returns a path escaped for a setting that takes one path.
  private static func escaped(_ path: String) -> String { path.replacing("%", with: "%%") }

  /// Returns a path escaped for `ExecStart=`, where it is a part of a word.
  private static func quoted(_ path: String) -> String {
    path.replacing("%", with: "%%").replacing(" ", with: "\\x20")
  }
}

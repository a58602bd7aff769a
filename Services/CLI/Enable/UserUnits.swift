import System
import Model
import ServiceKit

/// The units of one person: what `lunara up` runs, run by their own systemd instead. Pure but for the files that are
/// part of this program.
struct UserUnits: Sendable {
  /// The first line of each file that `lunara enable` writes, and of no other file.
  static let mark = "# Written by `lunara enable`; `lunara disable` removes it."
  static let target = "lunara.target"

  let services: [ServiceProgram]
  let room: RoomName
  let programs: String
  /// The settings for `enabled.env`: those of the options and of this shell.
  let settings: Environment

  /// Makes the units of a plan. `keepsRun` keeps the setting of the runtime folder.
  init(_ plan: UpPlan, room: RoomName, programs: String, keepsRun: Bool) {
    (services, self.room, self.programs) = (plan.services, room, programs)
    let kept = Set(Settings.known.map(\.name)).subtracting(Self.passing + (keepsRun ? [] : ["LUNARA_RUN"]))
    settings = Environment(plan.environment.variables.filter { kept.contains($0.key) })
  }

  /// The settings that hold for one start only. LUNARA_ROOM is not among them: services other than the room may be
  /// named after it.
  private static let passing = ["LUNARA_TAKE_OVER", "LUNARA_UNDER_TEST"]

  var names: [String] { services.map { Self.unit(of: $0, room: room) } }

  static func unit(of service: ServiceProgram, room: RoomName) -> String {
    service.name == "playback" ? "lunara-playback@\(room).service" : "\(service.program).service"
  }

  /// The files of units, by name, for an installation that systemd does not know of.
  var files: [(name: String, text: String)] {
    let all: [(String, [UInt8])] = [
      ("lunara.target", PackageResources.lunara_target),
      ("lunara-library.service", PackageResources.lunara_library_service),
      ("lunara-playback@.service", PackageResources.lunara_playback__service),
      ("lunara-router.service", PackageResources.lunara_router_service),
      ("lunara-scrobble.service", PackageResources.lunara_scrobble_service),
      ("lunara-nowplaying.service", PackageResources.lunara_nowplaying_service),
      ("lunara-web.service", PackageResources.lunara_web_service),
    ]
    return all.map { name, bytes in
      let text = String(decoding: bytes, as: UTF8.self).replacing("@BIN@", with: Self.quoted(programs))
      return (name, "\(Self.mark)\n\(text)")
    }
  }

  /// The file of settings, in the form that systemd reads.
  var environmentFile: String {
    "\(Self.mark)\n"
      + settings.variables.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.value($0.value))\n" }.joined()
  }

  /// A value between double quotes, as systemd.exec(5) reads one.
  private static func value(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("`", with: "\\`")
    return "\"\(escaped.replacing("$", with: "\\$"))\""
  }

  /// A path as `ExecStart=` takes it, where it is part of a word.
  private static func quoted(_ path: String) -> String {
    path.replacing("%", with: "%%").replacing(" ", with: "\\x20")
  }
}

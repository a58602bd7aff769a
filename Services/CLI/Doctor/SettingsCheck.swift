import Glibc
import Model
import ServiceKit

/// Checks the names and values of settings for mistakes that no service reports.
struct SettingsCheck: HealthCheck, Equatable {
  var file = ""
  var hasFile = false
  /// The names that no setting has.
  var unknown: [String] = []
  /// The settings whose values begin with `~`, with these values.
  var tildes: [String: String] = [:]
  var home = ""

  var findings: [Finding] {
    Finding.ok("settings", hasFile ? "\(file) can be read." : "There is no \(file); the defaults apply.")
    mistakes
  }

  /// The mistakes, those in names first.
  var mistakes: [Finding] {
    let known = Settings.known.map(\.name)
    let names = unknown.map { name -> Finding in
      let nearest = Spelling.nearest(to: name, in: known)
      let remedy =
        nearest.map { "If you mean \($0), correct it in \(file) or in the environment." }
        ?? "Take it out of \(file) or of the environment."
      return .warning("settings", "There is no setting \(name).", remedy)
    }
    let values = tildes.sorted { $0.key < $1.key }.map { name, value -> Finding in
      .failure(
        "settings", "\(name) is \(value), and only shells replace ~ by your home folder.",
        "Write \(value.replacing("~", with: home)).")
    }
    return names + values
  }

  static func observe(_ settings: Settings) -> SettingsCheck {
    var check = SettingsCheck(file: settings.file, hasFile: access(settings.file, F_OK) == 0)
    check.unknown = settings.unknownNames
    check.home = settings["HOME"] ?? "/home/NAME"
    for name in settings.namesWithTilde { check.tildes[name] = settings[name] }
    return check
  }
}

/// Checks for services that `lunara up` starts again and again.
struct FailingCheck: HealthCheck, Equatable {
  var services: [FailingServices.Service] = []

  var findings: [Finding] {
    for service in services {
      .failure(
        "services", "\(service.name) \(service.ending), again and again: \(service.message)",
        "Correct that; `lunara up` starts it again by itself. For a setting, stop `lunara up` and start it again.")
    }
  }
}

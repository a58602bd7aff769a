import Bus
import Glibc

/// The household that runs as services of the system, which a person may steer who is in its group.
enum SystemHousehold {
  private static let folder = "/run/lunara"

  /// The variables with which its services were started, where a command means it: nothing says where else to look, and
  /// the person has no household of their own running.
  ///
  /// - Parameters:
  ///   - environment: the variables of the command.
  ///   - personal: the runtime directory of a household of the person's own.
  static func environment(_ environment: Environment, personal: String) -> Environment {
    guard environment["LUNARA_RUN"] == nil, environment["LUNARA_HOME"] == nil, isHere else { return environment }
    guard personal == folder || !runs(personal) else { return environment }
    var changed = environment
    changed["RUNTIME_DIRECTORY"] = folder
    changed["STATE_DIRECTORY"] = "/var/lib/lunara"
    changed["CONFIGURATION_DIRECTORY"] = "/etc/lunara"
    return changed
  }

  /// Whether services meet in a folder; one that may not be used is somebody's, and is complained of later.
  private static func runs(_ folder: String) -> Bool {
    guard access(folder, F_OK) == 0 else { return false }
    do { return try RuntimeDirectory(folder).liveNodes().contains { Client.isService($0) } } catch { return true }
  }

  /// Whether it is there for this person: its folder belongs to a user of the system, and may be entered.
  private static var isHere: Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_uid != 0 && status.st_uid < 1000
      && access(folder, R_OK | W_OK | X_OK) == 0
  }
}

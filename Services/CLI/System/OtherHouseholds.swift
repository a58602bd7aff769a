import Glibc
import System

/// Looks for households that run on this machine and are not this person's.
struct OtherHouseholds {
  /// The runtime directory of services of the system.
  var system = "/run/lunara"
  /// The folder with the runtime directories of users, by their numbers.
  var users = "/run/user"
  /// The user of this process.
  var user = getuid()

  /// Returns what runs here for others and how this person may use it; nil if nothing is found.
  ///
  /// - Parameter own: the runtime directory in which this person's household was looked for.
  func remark(besides own: String) -> String? {
    if system != own, access(system, F_OK) == 0, access(system, R_OK | W_OK | X_OK) != 0 {
      let group = UserNames.group(of: system) ?? "lunara"
      return "One runs as services of the system, in \(system), for members of the group \(group). Join it with "
        + "`sudo usermod -aG \(group) \(UserNames.own)`, and sign in again."
    }
    for folder in names(in: users).map({ "\(users)/\($0)/lunara" }) where folder != own {
      guard names(in: folder).contains(where: { $0.hasSuffix(".lock") }),
        let owner = UserNames.owner(of: folder), owner.id != user
      else { continue }
      return
        "One of the user \(owner.name) is in \(folder): run the command as that user, with `sudo -u \(owner.name)`."
    }
    return nil
  }

  /// Returns the names in a folder; none for a folder that is not there, or that this user may not read.
  private func names(in folder: String) -> [String] {
    do throws(Errno) { return try Files.names(in: folder) } catch { return [] }
  }
}

/// The names of users and groups, for messages.
enum UserNames {
  /// The name of the user of this process, or their number.
  static var own: String { name(of: getuid()) }

  /// Returns the owner of a file; nil if there is none.
  static func owner(of path: String) -> (name: String, id: uid_t)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return (name(of: status.st_uid), status.st_uid)
  }

  /// Returns the name of the group of a file; nil if there is none.
  static func group(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, let entry = getgrgid(status.st_gid) else { return nil }
    return String(cString: entry.pointee.gr_name)
  }

  private static func name(of user: uid_t) -> String {
    guard let entry = getpwuid(user) else { return "\(user)" }
    return String(cString: entry.pointee.pw_name)
  }
}

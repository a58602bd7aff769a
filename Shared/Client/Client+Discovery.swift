public import Model
public import System

/// The service that makes walls runs only in households that use it.
extension Client {
  /// The error where a household does not use it.
  public static let noDiscovery = LunaraError(
    "discovery.notRunning", "This household shows no walls yet. `lunara wall` begins with it.")

  /// The time in which a household starts the service.
  public static let discoveryStartTime = Duration.seconds(10)

  /// Makes the folder that says that a household uses walls; the service is started then.
  ///
  /// - Parameter home: the home folder of the services on this machine.
  /// - Throws: `cli.noDiscovery`.
  public static func beginDiscovery(home: String) throws {
    let folder = "\(home)/discovery"
    do throws(Errno) { try makeMark(folder, in: home) } catch { throw notStarted(home: home, cause: error.text) }
  }

  /// Makes the folder that says that a household uses a service. Root gives it to the owner of the home folder, as
  /// otherwise the service itself could not read it.
  public static func makeMark(_ folder: String, in home: String) throws(Errno) {
    let status = Files.status(home, followingLinks: true)
    try Files.makeFolder(folder, owner: status.map { (user: $0.owner, group: $0.group) })
  }

  /// Returns the error for a service that has not started.
  public static func notStarted(home: String, cause: String? = nil) -> LunaraError {
    LunaraError(
      "cli.noDiscovery",
      "lunara-discovery does not run. The household starts it once there is the folder \(home)/discovery on the machine with its library; make that folder there (`sudo -u lunara mkdir \(home)/discovery` where Lunara runs as services of the system), or see that lunara-discovery is installed.",
      cause: cause)
  }
}

import System
import Bus
import Glibc
import Model
import ServiceKit

/// Checks, before any service is started, that the household can run here, so that a person gets one clear error
/// instead of six services that fail.
struct Preflight {
  private let homeLock: NodeLock
  private let runLock: NodeLock

  /// Locks the home folder and the runtime directory, and checks the other conditions.
  ///
  /// - Throws: `cli.alreadyUp` with the pid of the other household; `settings.homeUnusable`, `bus.unsafeDirectory`,
  ///   `bus.cannotUseDirectory`, `cli.portBusy`, `cli.programMissing`, `web.passwordNeeded`; if it uses the network,
  ///   also `bus.badAddress`, `bus.keyNeeded` and the errors of a key file.
  init(_ plan: UpPlan, programs: String) throws {
    _ = try HomeFolder(plan.home)
    try Settings(environment: plan.environment.variables).network(identity: "").check()
    homeLock = try NodeLock(at: "\(plan.home)/up.lock") { Self.alreadyUp($0, "with the home folder \(plan.home)") }
    let directory = try RuntimeDirectory(plan.run)
    runLock = try NodeLock(at: "\(directory.path)/up.lock") { Self.alreadyUp($0, "in \(plan.run)") }
    for service in plan.services where access("\(programs)/\(service.program)", X_OK) != 0 {
      throw LunaraError(
        "cli.programMissing",
        "\(programs)/\(service.program) is missing. Build everything with `make build`, or install it with `make install`.",
        cause: .current)
    }
    if plan.hasPage {
      try Self.checkPassword(plan)
      try Self.checkPort(plan.web)
    }
  }

  /// Frees the locks. The kernel also frees them when the process ends.
  func release() {
    homeLock.release()
    runLock.release()
  }

  private static func alreadyUp(_ pid: Int32?, _ place: String) -> LunaraError {
    let owner = pid.flatMap { UserNames.owner(of: "/proc/\($0)") }.flatMap { $0.id == getuid() ? nil : $0.name }
    return LunaraError(
      "cli.alreadyUp",
      "A household\(owner.map { " of the user \($0)" } ?? "") is already running \(place)\(pid.map { ", pid \($0)" } ?? ""). Use it, or stop it first"
        + "\(pid.map { " (kill \($0))" } ?? "").")
  }

  /// Throws `web.passwordNeeded` if the page should be reachable from other machines and has no password.
  private static func checkPassword(_ plan: UpPlan) throws {
    let host = try Settings.address(plan.web, of: "LUNARA_WEB").host
    guard !Loopback.isHost(host) || plan.hasProxy else { return }
    guard try PagePassword.read(home: plan.home) == nil else { return }
    throw LunaraError(
      "web.passwordNeeded",
      "Beyond this machine the page is served with a password only. Set one with `lunara web password`, or let LUNARA_WEB begin with 127.0.0.1."
    )
  }

  /// Throws `cli.portBusy` if the page's port is taken. Another program may still take it before the web service
  /// starts, which is rare.
  private static func checkPort(_ web: String) throws {
    let (host, port) = try Settings.address(web, of: "LUNARA_WEB")
    // The web service itself reports a name that does not resolve.
    guard let address = SocketAddress.resolve(host, port).first,
      let refusal = NetworkSocket.refusal(toListenAt: address)
    else { return }
    let why = refusal == .addressInUse ? "is used by another program" : "cannot be used"
    throw LunaraError(
      "cli.portBusy", "The page's address \(web) \(why). Choose another port with --web PORT.", cause: refusal)
  }
}

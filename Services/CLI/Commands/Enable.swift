import Client
import System
import Model
import ServiceKit

extension Command {
  static let enable = Command(
    name: "enable", summary: "have Lunara run from now on, after logout and reboot as well",
    discussion: """
      Runs what `lunara up` would run with the same options, by units of your own systemd, and remembers the options and
      the settings of this shell in ~/.config/lunara/enabled.env. Once more with others changes them. A `lunara up` that
      runs has to be stopped before. Restarts by itself what dies; journalctl --user -u 'lunara-*' shows what it says.
      """,
    examples: [
      "lunara enable --music ~/Music": "the whole household on this machine",
      "lunara enable --services playback,nowplaying --room kitchen": "a room only",
      "lunara enable --room kitchen --room bath=alsa/hdmi": "two rooms on this machine, each with an output",
    ],
    options: [.music, .roomOfUp, .web, .services, .discover],
    action: .blocking { context in
      let plan = try UpPlan(
        context.arguments, environment: context.environment, folder: ProgramLocation.workingDirectory())
      let manager = try UserManager(context.environment)
      let programs = try ProgramLocation.folder()
      let units = UserUnits(
        plan, room: try Settings(environment: plan.environment.variables).room, programs: programs,
        keepsRun: context.arguments.has(.run) || context.environment["LUNARA_RUN"] != nil)
      // Services that were enabled before may use the page's port and the names of nodes.
      try manager.replaceUnits(by: units, checking: { try Preflight(plan, programs: programs).release() }) {
        context.console.remark($0)
      }
      let lingers = try manager.enableLinger()
      context.console.print(
        ["units": units.names, "survivesLogout": lingers], text: units.names.map { "\($0)\n" }.joined())
      context.console.remark(
        lingers
          ? "They run, and will after logout and reboot. `lunara disable` turns them off."
          : "They run while you are logged in. So that they do without: sudo loginctl enable-linger $USER")
      return .done
    })

  static let disable = Command(
    name: "disable", summary: "end what `lunara enable` has turned on",
    discussion:
      "Music, data and settings stay as they are. That your systemd runs without a login is left as it is, too.",
    examples: ["lunara disable": "from then on `lunara up` runs it, where you want that"],
    action: .blocking { context in
      let manager = try UserManager(context.environment)
      let former = try manager.enabled()
      if !former.isEmpty { try manager.runSystemctl(["disable", "--now"] + former) }
      try UserUnits.remove(of: manager)
      try manager.runSystemctl(["daemon-reload"])
      context.console.print(["units": former], text: former.map { "\($0)\n" }.joined())
      context.console.remark(
        former.isEmpty
          ? "Nothing of Lunara was turned on."
          : "They are off. loginctl disable-linger, if nothing else of yours needs it.")
      return .done
    })
}

extension UserManager {
  /// Stops the units that are enabled, and writes, enables and starts others. If that fails, the former files are put
  /// back and the former units enabled and started again, so that a house that ran continues.
  ///
  /// - Parameters:
  ///   - units: the new units.
  ///   - check: checks that the new ones can start, once the former ones have stopped.
  ///   - report: receives a remark if the former units could not be started again.
  func replaceUnits(by units: UserUnits, checking check: () throws -> Void, report: (String) -> Void) throws {
    let former = try enabled()
    let files = UserUnits.files(of: self).map { (path: $0, text: Files.text(of: $0)) }
    do {
      if !former.isEmpty { try runSystemctl(["disable", "--now"] + former) }
      try check()
      try units.write(for: self)
      try runSystemctl(["daemon-reload"])
      try runSystemctl(["enable", UserUnits.target] + units.names)
      try runSystemctl(["start", UserUnits.target] + units.names)
    } catch {
      do { try putBack(former, files, insteadOf: units) } catch {
        report("What ran before could not be turned on again: \(LunaraError(error).message)")
      }
      throw error
    }
  }

  private func putBack(_ former: [String], _ files: [(path: String, text: String?)], insteadOf units: UserUnits) throws
  {
    let added = Set(try enabled()).intersection([UserUnits.target] + units.names).subtracting(former)
    if !added.isEmpty { try runSystemctl(["disable", "--now"] + added.sorted()) }
    for file in files {
      if let text = file.text {
        try Files.replace(file.path, with: text)
      } else {
        try UserUnits.removeMarked(file.path)
      }
    }
    try runSystemctl(["daemon-reload"])
    if !former.isEmpty { try runSystemctl(["enable", "--now"] + former) }
  }
}

extension UserUnits {
  fileprivate func write(for manager: UserManager) throws {
    try Files.makeFolder(manager.configuration)
    let settings = "\(manager.configuration)/enabled.env"
    // Settings may contain secrets, so only the owner can read the file, even while it is written.
    do { try Files.replace(settings, with: environmentFile) } catch {
      throw LunaraError(
        "cli.cannotWriteUnits",
        "Cannot write \(settings). Check the folder's owner and mode, and that its disk has room.", cause: error)
    }
    let isInstalled = UserManager.isInstalled(programs: programs)
    if isInstalled { try Self.removeUnits(of: manager) }
    let written = isInstalled ? filesBesideInstalled : files
    guard !written.isEmpty else { return }
    try Files.makeFolder(manager.folder)
    for file in written { try Files.replace("\(manager.folder)/\(file.name)", with: file.text) }
  }

  /// Removes the files that `write` wrote, and no files that a person wrote.
  fileprivate static func remove(of manager: UserManager) throws {
    for path in files(of: manager) { try removeMarked(path) }
  }

  private static func removeUnits(of manager: UserManager) throws {
    for path in files(of: manager).dropFirst() { try removeMarked(path) }
  }

  /// Returns the paths of the files that `write` may write: the settings, then the units.
  fileprivate static func files(of manager: UserManager) -> [String] {
    let names =
      [target] + ServiceProgram.all.map { $0.name == "playback" ? "\($0.program)@.service" : "\($0.program).service" }
      + ServiceProgram.awaited.map { "\($0.program).path" }
    return ["\(manager.configuration)/enabled.env"] + names.map { "\(manager.folder)/\($0)" }
  }

  fileprivate static func removeMarked(_ path: String) throws {
    if Files.text(of: path)?.hasPrefix(mark) == true { try Files.removeTree(path) }
  }
}

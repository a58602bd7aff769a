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
      let former = try manager.enabled()
      if !former.isEmpty { try manager.runSystemctl(["disable", "--now"] + former) }
      do {
        try Preflight(plan, programs: programs).release()
        try units.write(for: manager)
        try manager.runSystemctl(["daemon-reload"])
        try manager.runSystemctl(["enable", UserUnits.target] + units.names)
        try manager.runSystemctl(["start", UserUnits.target] + units.names)
      } catch {
        goOn(former, by: manager, context.console)
        throw error
      }
      let lingers = try manager.enableLinger()
      context.console.print(
        .object(["units": .list(units.names) { .string($0) }, "survivesLogout": .bool(lingers)]),
        text: units.names.map { "\($0)\n" }.joined())
      context.console.note(
        lingers
          ? "They run, and will after logout and reboot. `lunara disable` turns them off."
          : "They run while you are logged in. So that they do without: sudo loginctl enable-linger $USER")
      return .done
    })

  /// Enables the former units again after the new ones could not be enabled.
  private static func goOn(_ former: [String], by manager: UserManager, _ console: Console) {
    guard !former.isEmpty else { return }
    do { try manager.runSystemctl(["enable", "--now"] + former) } catch {
      console.note("What ran before could not be turned on again: \(LunaraError(error).message)")
    }
  }

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
      context.console.print(
        .object(["units": .list(former) { .string($0) }]), text: former.map { "\($0)\n" }.joined())
      context.console.note(
        former.isEmpty
          ? "Nothing of Lunara was turned on."
          : "They are off. loginctl disable-linger, if nothing else of yours needs it.")
      return .done
    })
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
    guard !UserManager.isInstalled(programs: programs) else { return try Self.removeUnits(of: manager) }
    try Files.makeFolder(manager.folder)
    for file in files { try Files.replace("\(manager.folder)/\(file.name)", with: file.text) }
  }

  /// Removes the files that `write` wrote, and no files that a person wrote.
  fileprivate static func remove(of manager: UserManager) throws {
    try removeMarked("\(manager.configuration)/enabled.env")
    try removeUnits(of: manager)
  }

  private static func removeUnits(of manager: UserManager) throws {
    let names =
      [target] + ServiceProgram.all.map { $0.name == "playback" ? "\($0.program)@.service" : "\($0.program).service" }
    for name in names { try removeMarked("\(manager.folder)/\(name)") }
  }

  private static func removeMarked(_ path: String) throws {
    if Files.text(of: path)?.hasPrefix(mark) == true { try Files.removeTree(path) }
  }
}

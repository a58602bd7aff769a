import Client
import Model
import ServiceKit
import System

extension Option {
  static let music = Option(
    "--music", "DIR", repeats: true, help: "a folder of music; may be given again (LUNARA_MUSIC)")
  static let roomOfUp = Option(
    "--room", "NAME[=OUTPUT]", repeats: true,
    help: "what this room is called (LUNARA_ROOM; default the host's name); given again, a further room (LUNARA_ROOMS)")
  static let web = Option("--web", "PORT", help: "where the page is served: a port, or host:port (LUNARA_WEB)")
  static let demo = Option("--demo", help: "play a small library of generated music, made at the first time")
  static let services = Option(
    "--services", "A,B", help: "run only these services", completes: .words(ServiceProgram.all.map(\.name)))
  static let discover = Option(
    "--discover", help: "find the household's other machines, and be found, by Avahi (LUNARA_DISCOVER)")
  static let takeOver = Option(
    "--take-over", help: "take this room's name over from another machine, queue and place included (LUNARA_TAKE_OVER)")
}

extension Command {
  static let up = Command(
    name: "up", summary: "run a whole household on this machine",
    discussion: """
      Every service runs as a process of its own; one that crashes is started again. Ctrl-C stops all of them.
      Services: \(ServiceProgram.all.map(\.name).joined(separator: ", ")).
      """,
    examples: [
      "lunara up --music ~/Music": "plays that folder",
      "lunara up --demo --web 9000": "generated music, and the page at another port",
      "lunara up --services playback,nowplaying --room kitchen": "a room only",
      "lunara up --room kitchen --room bath=alsa/hdmi": "two rooms on this machine, each with an output",
      "lunara up --room kitchen --take-over": "new hardware for the kitchen",
    ],
    options: [.music, .roomOfUp, .web, .demo, .services, .discover, .takeOver],
    action: .blocking { try runHousehold($0) })

  private static func runHousehold(_ context: Context) throws -> ExitStatus {
    let plan = try UpPlan(
      context.arguments, environment: context.environment, folder: ProgramLocation.workingDirectory())
    let programs = try ProgramLocation.folder()
    let preflight = try Preflight(plan, programs: programs)
    let failing = FailingServices(run: plan.run)
    defer {
      failing.remove()
      preflight.release()
    }
    for mistake in SettingsCheck.observe(try Settings(environment: plan.environment.variables)).mistakes {
      context.console.remark(mistake.what)
    }
    let needsDemo = plan.isDemo && !DemoLibrary(home: plan.home).isMade
    let console = context.console
    let log = HouseholdLog(
      output: LogOutput(1), errors: LogOutput(2), style: console.errorStyle,
      isJSON: plan.hasJSONLog, names: plan.services + plan.laterServices)
    let supervisor = try Supervisor(
      Supervision(services: plan.services, preparation: needsDemo ? .demo : nil), log: log,
      awaiting: plan.laterServices.compactMap { service in
        service.folder.map { AwaitedFolder(service, "\(plan.home)/\($0)") }
      },
      launches: { service, isRestart in
        let path = "\(programs)/\(service == .demo ? "lunara" : service.program)"
        let words =
          service == .demo
          ? ["lunara", "compose-demo", plan.home]
          : [service.program] + (service.room.map { ["--room", $0.rawValue] } ?? [])
        return Child.Launch(
          path: path, arguments: words, environment: isRestart ? plan.environmentOfRestart : plan.environment)
      },
      announce: { elapsed in
        console.isJSON
          ? "\(JSON.object(["ready": .bool(true), "milliseconds": .count(elapsed.rawValue), "page": plan.hasPage ? .text(plan.page) : .null]))"
          : plan.ready(after: elapsed, program: CommandLine.arguments.first ?? "lunara", console.style)
      }, failing: failing.write)
    return supervisor.run()
  }
}

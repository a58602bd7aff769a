import Client
import Model
import ServiceKit

/// The findings of all checks of `lunara doctor`, in the order of the checks.
struct Diagnosis: Sendable {
  let findings: [Finding]

  var isWell: Bool { !findings.contains { $0.verdict == .failure } }

  var json: JSON {
    .object([
      "isWell": .bool(isWell),
      "findings": .list(findings) {
        .object([
          "area": .string($0.area), "verdict": .string($0.verdict.rawValue), "what": .string($0.what),
          "remedy": .text($0.remedy), "code": .text($0.code),
        ])
      },
    ])
  }

  func print(to console: Console) {
    let style = console.style
    let width = findings.map(\.area.count).max() ?? 0
    var area = ""
    for finding in findings {
      let mark =
        finding.verdict == .ok ? style.good("✓") : finding.verdict == .warning ? style.notable("!") : style.bad("✗")
      let name = finding.area == area ? "" : finding.area
      area = finding.area
      let space = String(repeating: " ", count: width - name.count)
      let code = finding.code.map { " " + style.faint("(\($0))") } ?? ""
      console.print(
        "\(mark) \(style.faint(name))\(space)  \(Printable.line(finding.what))\(finding.verdict == .ok ? "" : code)\n")
      if let remedy = finding.remedy {
        console.print("\(String(repeating: " ", count: width + 4))→ \(style.strong(Printable.line(remedy)))\n")
      }
    }
  }

  var failure: LunaraError? {
    let (failures, warnings) = (findings.count { $0.verdict == .failure }, findings.count { $0.verdict == .warning })
    guard failures > 0 else { return nil }
    let rest = warnings > 0 ? ", and \(warnings) \(warnings == 1 ? "is" : "are") to be looked at" : ""
    return LunaraError(
      "cli.notWell",
      "\(failures) \(failures == 1 ? "thing is" : "things are") wrong\(rest). The remedy is printed under each.")
  }
}

extension Diagnosis {
  init(_ context: Context) async {
    let settings: Settings
    var problem: Finding?
    do { settings = try context.settings() } catch {
      // The other checks examine what applies without the file.
      problem = .failure("settings", LunaraError(error))
      do { settings = try context.settings(readingFile: false) } catch {
        findings = [.failure("settings", LunaraError(error))]
        return
      }
    }
    let environment = context.environment
    var look = HouseholdObservation()
    do { look = await HouseholdObservation(of: try await Client(context, settings: settings)) } catch {
      // `NodeCheck` reports that no service answers.
    }
    let folders = FolderCheck.observe(settings)
    var key = KeyCheck.observe(settings)
    key.refused = look.refused
    var sound = SoundCheck.observe(settings, environment)
    sound.used = look.outputs
    sound.hasRoom = look.nodes.nodes.isEmpty || look.hasRoomHere
    // The system's services run as another user with its own rights, so this user's rights to sound cards do not
    // matter.
    if folders.belongsToAnotherUser { sound.mayUseCards = true }
    sound.rooms = look.rooms.compactMap(SoundCheck.Room.init)
    var nodes = look.nodes
    nodes.isSynchronised = NodeCheck.isSynchronised(environment)
    var sources = look.sources
    sources.folders = SourceCheck.folders(settings)
    var all: [any HealthCheck] = [
      folders, DatabaseCheck.observe(home: settings.home),
      ProgramCheck.observe(settings, environment), sound, key, SeedCheck.observe(settings, reached: look.hosts),
    ]
    // If the services run, they use the ports themselves.
    if !settings.hasServices { all.append(PortCheck.observe(settings)) }
    all +=
      [
        PageReaderCheck.observe(settings), nodes,
        FailingCheck(services: FailingServices(run: settings.run).read()), sources, look.scrobbles,
        UnitCheck.observe(environment),
      ]
      as [any HealthCheck]
    let check = SettingsCheck.observe(settings)
    findings = (problem.map { [$0] + check.mistakes } ?? check.findings) + all.flatMap(\.findings)
  }
}

struct Finding: Sendable, Equatable {
  /// The result of a check: it is fine, a person should look at it, or it does not work.
  enum Verdict: String, Sendable {
    case ok, warning, failure
  }

  let area: String
  let verdict: Verdict
  let what: String
  var remedy: String?
  var code: String?

  static func ok(_ area: String, _ what: String) -> Finding { Finding(area: area, verdict: .ok, what: what) }
  static func warning(_ area: String, _ what: String, _ remedy: String, code: String? = nil) -> Finding {
    Finding(area: area, verdict: .warning, what: what, remedy: remedy, code: code)
  }
  static func failure(_ area: String, _ what: String, _ remedy: String, code: String? = nil) -> Finding {
    Finding(area: area, verdict: .failure, what: what, remedy: remedy, code: code)
  }
  /// Returns a failure with an error's message, which says what happened and what to do.
  static func failure(_ area: String, _ error: LunaraError) -> Finding {
    Finding(area: area, verdict: .failure, what: error.message, code: error.code)
  }
  static func warning(_ area: String, _ error: LunaraError) -> Finding {
    Finding(area: area, verdict: .warning, what: error.message, code: error.code)
  }
}

/// The observations about one subject. `findings` depends on nothing else, so that it can be tested without a
/// household.
protocol HealthCheck: Sendable {
  @FindingsBuilder var findings: [Finding] { get }
}

/// Builds a list of findings from statements, in their order.
@resultBuilder enum FindingsBuilder {
  static func buildExpression(_ finding: Finding) -> [Finding] { [finding] }
  static func buildExpression(_ findings: [Finding]) -> [Finding] { findings }
  static func buildBlock(_ parts: [Finding]...) -> [Finding] { buildArray(parts) }
  static func buildOptional(_ part: [Finding]?) -> [Finding] { part ?? [] }
  static func buildEither(first part: [Finding]) -> [Finding] { part }
  static func buildEither(second part: [Finding]) -> [Finding] { part }
  static func buildArray(_ parts: [[Finding]]) -> [Finding] { parts.flatMap(\.self) }
}

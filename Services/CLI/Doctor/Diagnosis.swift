import Bus
import Client
import Glibc
import Messages
import Model
import ServiceKit

/// All that was found.
struct Diagnosis: Sendable {
  /// By what was looked at, in the order in which it was.
  let findings: [Finding]

  /// True if nothing failed.
  var isWell: Bool { !findings.contains { $0.verdict == .failure } }

  /// The shape of `doctor`.
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

  /// Prints it for people: a line for each finding, and below it what to do.
  func print(to console: Console) {
    let style = console.style
    let width = findings.map(\.area.count).max() ?? 0
    var area = ""
    for finding in findings {
      let mark =
        switch finding.verdict {
        case .ok: style.good("✓")
        case .warning: style.notable("!")
        case .failure: style.bad("✗")
        }
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

  /// The error at the end if something does not work; nil if everything works.
  var failure: LunaraError? {
    let (failures, warnings) = (findings.count { $0.verdict == .failure }, findings.count { $0.verdict == .warning })
    guard failures > 0 else { return nil }
    let rest = warnings > 0 ? ", and \(warnings) \(warnings == 1 ? "is" : "are") to be looked at" : ""
    return LunaraError(
      "cli.notWell",
      "\(failures) \(failures == 1 ? "thing is" : "things are") wrong\(rest). What to do stands behind each.")
  }
}

extension Diagnosis {
  /// Looks at everything, with a household or without one.
  init(_ context: Context) async {
    let settings: Settings
    do { settings = try context.settings() } catch {
      // Nothing else can be known without them.
      findings = [.failure("settings", LunaraError(error))]
      return
    }
    let environment = context.environment
    var look = HouseholdObservation()
    do { look = await HouseholdObservation(of: try await Client(context)) } catch {
      // The observation itself reports services that do not answer.
    }
    let folders = FolderCheck.gather(settings)
    var key = KeyCheck.gather(settings)
    key.refused = look.refused
    var sound = SoundCheck.gather(settings, environment)
    sound.hasRoom = look.nodes.nodes.isEmpty || !look.rooms.isEmpty
    // The system's services have rights of their own.
    if folders.isTheirs { sound.mayUseCards = true }
    sound.rooms = look.rooms.compactMap(SoundCheck.Room.init)
    var nodes = look.nodes
    nodes.isSynchronised = NodeCheck.isSynchronised(environment)
    var sources = look.sources
    sources.folders = SourceCheck.folders(settings)
    var all: [any HealthCheck] = [
      folders, DatabaseCheck.gather(home: settings.home),
      ProgramCheck.gather(settings, environment), sound, key, SeedCheck.gather(settings, heard: look.hosts),
    ]
    // The ports belong to the services if they run.
    if !settings.hasServices { all.append(PortCheck.gather(settings)) }
    all += [nodes, sources, look.scrobbles, UnitCheck.gather(environment)] as [any HealthCheck]
    let isThere = access(settings.file, F_OK) == 0
    let first = isThere ? "\(settings.file) can be read." : "There is no \(settings.file); what is not set is as usual."
    findings = [.ok("settings", first)] + all.flatMap(\.findings)
  }
}

/// The result of one check, and what to do about it.
struct Finding: Sendable, Equatable {
  /// The result: it works, it may surprise, or it does not work.
  enum Verdict: String, Sendable, Comparable {
    case ok, warning, failure

    static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }
    private var rank: Int { self == .ok ? 0 : self == .warning ? 1 : 2 }
  }

  /// The subject in a word or two.
  let area: String
  let verdict: Verdict
  /// The finding in a sentence.
  let what: String
  /// The remedy; nil if nothing has to be done.
  let remedy: String?
  /// The code of the error behind it; nil where there is none.
  let code: String?

  /// All is well.
  static func ok(_ area: String, _ what: String) -> Finding {
    Finding(area: area, verdict: .ok, what: what, remedy: nil, code: nil)
  }
  /// It works, but somebody may be surprised.
  static func warning(_ area: String, _ what: String, _ remedy: String, code: String? = nil) -> Finding {
    Finding(area: area, verdict: .warning, what: what, remedy: remedy, code: code)
  }
  /// It does not work.
  static func failure(_ area: String, _ what: String, _ remedy: String, code: String? = nil) -> Finding {
    Finding(area: area, verdict: .failure, what: what, remedy: remedy, code: code)
  }
  /// An error, whose message says what happened and what to do.
  static func failure(_ area: String, _ error: LunaraError) -> Finding {
    Finding(area: area, verdict: .failure, what: error.message, remedy: nil, code: error.code)
  }
  /// An error that does not keep anything from working.
  static func warning(_ area: String, _ error: LunaraError) -> Finding {
    Finding(area: area, verdict: .warning, what: error.message, remedy: nil, code: error.code)
  }
}

/// The observations about one subject. The findings follow from them alone.
protocol HealthCheck: Sendable {
  /// The findings that follow from the observations.
  var findings: [Finding] { get }
}

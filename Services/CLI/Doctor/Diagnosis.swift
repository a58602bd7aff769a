import Bus
import Glibc
import Messages
import Model
import ServiceKit

/// All that was found.
struct Diagnosis: Sendable {
  /// By what was looked at, in the order in which it was.
  let findings: [Finding]

  /// Whether nothing keeps anything from working.
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

  /// What is told at the end where not all is well.
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
    var look = HouseholdLook()
    do { look = await HouseholdLook(of: try await Client(context)) } catch {
      // Who is not there is what the look says.
    }
    let folders = FolderEvidence.gather(settings)
    var key = KeyEvidence.gather(settings)
    key.refused = look.refused
    var sound = SoundEvidence.gather(settings, environment)
    sound.hasRoom = look.nodes.nodes.isEmpty || !look.rooms.isEmpty
    // The system's services have rights of their own.
    if folders.isTheirs { sound.mayUseCards = true }
    sound.rooms = look.rooms.compactMap(SoundEvidence.Room.init)
    var nodes = look.nodes
    nodes.isSynchronised = NodeEvidence.isSynchronised(environment)
    var sources = look.sources
    sources.folders = SourceEvidence.folders(settings)
    var all: [any Evidence] = [
      folders, DatabaseEvidence.gather(home: settings.home),
      ProgramEvidence.gather(settings, environment), sound, key, SeedEvidence.gather(settings, heard: look.hosts),
    ]
    // Where services run, the ports are theirs.
    if !settings.hasServices { all.append(PortEvidence.gather(settings)) }
    all += [nodes, sources, look.scrobbles, UnitEvidence.gather(environment)] as [any Evidence]
    let isThere = access(settings.file, F_OK) == 0
    let first = isThere ? "\(settings.file) can be read." : "There is no \(settings.file); what is not set is as usual."
    findings = [.ok("settings", first)] + all.flatMap(\.findings)
  }
}

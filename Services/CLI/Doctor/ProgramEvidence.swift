import Glibc
import Model
import ServiceKit

/// The programs of Lunara on this machine, the libraries they need and the programs they use.
struct ProgramEvidence: Evidence, Equatable {
  /// How one of them stands.
  enum State: Sendable, Equatable {
    case version(String)
    case missing
    /// It cannot be started, for this reason.
    case broken(String)
  }

  var folder = ""
  /// Those that this machine is to run.
  var programs: [String: State] = [:]
  /// Whether only a room is installed here, and it knows no household.
  var isLoneRoom = false
  /// Programs of the system that were looked for in vain.
  var lacks: [String] = []
  var own = LunaraVersion.current

  /// Debian's packages by the libraries that are in them.
  private static let packages = [
    "libmpv.so.2": "libmpv2", "libnanomsg.so.5": "libnanomsg5", "libsodium.so.23": "libsodium23",
    "libsqlite3.so.0": "libsqlite3-0", "libtag.so.1": "libtag1v5", "libcurl.so.4": "libcurl4",
    "libmicrohttpd.so.12": "libmicrohttpd12", "libutf8proc.so.2": "libutf8proc2", "libpulse.so.0": "libpulse0",
    "libvips.so.42": "libvips42", "libexpat.so.1": "libexpat1", "libcrypto.so.3": "libssl3", "libssl.so.3": "libssl3",
    "libsystemd.so.0": "libsystemd0",
  ]

  var findings: [Finding] {
    var found = programs.sorted { $0.key < $1.key }.compactMap { name, state -> Finding? in
      switch state {
      case .missing: return nil
      case .broken(let words):
        guard let library = Self.library(in: words) else {
          return .failure("programs", "\(name) cannot be started: \(words)", "Install Lunara again.")
        }
        return .failure(
          "programs", "\(name) lacks the library \(library).",
          Self.packages[library].map { "apt install \($0)" } ?? "Install the package that has \(library).")
      case .version(let version) where version != own:
        return .warning(
          "programs", "\(name) is of version \(version), `lunara` of \(own).",
          "Install all of Lunara again, and restart it.")
      case .version: return nil
      }
    }
    let missing = programs.filter { $0.value == .missing }.keys.sorted()
    if !missing.isEmpty {
      found.append(
        .failure(
          "programs", "\(missing.joined(separator: ", ")) \(missing.count == 1 ? "is" : "are") not in \(folder).",
          "Install all of Lunara again, with the package or `make install`.", code: "cli.programMissing"))
    }
    if found.isEmpty, !programs.isEmpty {
      found.append(.ok("programs", "\(programs.count) programs of version \(own) can be started."))
    }
    if isLoneRoom {
      found.append(
        .warning(
          "programs", "Only a room is installed here, and it belongs to no household yet.",
          "Run `lunara pair` on the machine that has the library, then `lunara join CODE` here."))
    }
    for name in lacks {
      found.append(.warning("programs", "\(name) is not installed.", Self.purpose[name] ?? "apt install \(name)"))
    }
    return found
  }

  private static let purpose = ["ffmpeg": "apt install ffmpeg; only `lunara up --demo` needs it."]

  /// The library that the dynamic linker did not find.
  static func library(in words: String) -> String? {
    guard let start = words.firstRange(of: "error while loading shared libraries: ") else { return nil }
    return words[start.upperBound...].split(separator: ":").first.map(String.init)
  }

  /// Starts each program once, for its version.
  static func gather(_ settings: Settings, _ environment: Environment) -> ProgramEvidence {
    var evidence = ProgramEvidence()
    do { evidence.folder = try Programs.folder() } catch { return evidence }
    // Where another machine has the rest, or is to have it, a room is enough here.
    let isThere = { (service: Service) in access("\(evidence.folder)/\(service.program)", X_OK) == 0 }
    evidence.isLoneRoom =
      settings.seeds.isEmpty && Service.roomOnly.allSatisfy(isThere)
      && !Service.all.contains { !Service.roomOnly.contains($0) && isThere($0) }
    let services = settings.seeds.isEmpty && !evidence.isLoneRoom ? Service.all : Service.roomOnly
    for name in services.map(\.program) {
      guard let tool = Tool(file: "\(evidence.folder)/\(name)") else {
        evidence.programs[name] = .missing
        continue
      }
      let answer = tool.answer(["--version"], environment)
      let version = answer.output.split(separator: " ").last.map { String($0.prefix { !$0.isNewline }) }
      evidence.programs[name] = answer.status == 0 ? .version(version ?? "") : .broken(answer.output)
    }
    evidence.lacks = ["ffmpeg"].filter { Tool($0, environment: environment) == nil }
    return evidence
  }
}

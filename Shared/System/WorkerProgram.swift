import Glibc
import Model

/// A program that another one of this project starts for itself (`WorkerProcess`), as people meet it who start it by
/// hand or read its complaints.
public struct WorkerProgram: Sendable {
  /// The name of the program.
  public let name: String

  /// Returns where the program was started for its work. Otherwise prints its version or its purpose, and ends: with
  /// status 0 where a person asked for that by `--version` or `--help`, and else with status 2.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - purpose: what it does and for whom, for example `reads tags for lunara-library`.
  ///   - accepts: returns true for the arguments with which it is started for its work.
  public init(_ name: String, _ purpose: String, accepts: ([String]) -> Bool = { $0.isEmpty }) {
    self.name = name
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard !accepts(arguments) else { return }
    let asksVersion = arguments.first == "--version"
    print(
      asksVersion ? "\(name) \(LunaraVersion.current)" : "\(name): \(purpose), which starts it when it needs it.")
    exit(asksVersion || arguments.first == "--help" ? 0 : 2)
  }

  /// Writes a reason to standard error and ends the process with status 1, whatever its threads do.
  public func fail(_ reason: String) -> Never {
    Descriptor.write(Array("\(name): \(reason)\n".utf8), to: STDERR_FILENO)
    _exit(1)
  }
}

import CPlatform
import Glibc
import Model

/// Another program, run to its end.
struct ProgramRun: Sendable {
  /// Its exit status; minus the signal that ended it.
  let status: Int32
  /// What it wrote, to standard output and standard error together; at most 64 KiB of it.
  let output: String

  /// The file of a program in the folders of `PATH`; nil where there is none.
  static func find(_ name: String, in environment: Environment) -> String? {
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs a program without anything to read and waits for its end.
  ///
  /// - Throws: `cli.cannotStart`.
  init(_ path: String, _ words: [String], environment: Environment) throws {
    let output = try Descriptor.pipe()
    let descriptors = [try Descriptor.null(), output.write, output.write]
    var pid: pid_t = 0
    let error = CStrings.with([path] + words) { arguments in
      CStrings.with(environment.lines) { variables in
        lunara_spawn(&pid, path, arguments, variables, descriptors.map(\.number), Int32(descriptors.count))
      }
    }
    output.write.close()
    guard error == 0 else {
      throw LunaraError("cli.cannotStart", "Cannot start \(path).", cause: String(cString: strerror(error)))
    }
    var bytes: [UInt8] = []
    while case .bytes(let more) = output.read.read() { bytes += more.prefix(max(0, 65_536 - bytes.count)) }
    var ending: Int32 = 0
    _ = lunara_reap(pid, 1, &ending)
    status = ending
    self.output = String(decoding: bytes, as: UTF8.self)
  }
}

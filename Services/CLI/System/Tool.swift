import CPlatform
import Glibc
import Model

/// A program of the system that is run for a piece of work, such as `tar`.
struct Tool: Sendable {
  /// Its name.
  let name: String
  /// Its file.
  let path: String
  private let folders: String

  /// Looks for a program in the folders of `PATH`; nil where it is in none.
  init?(_ name: String, environment: Environment) {
    folders = environment["PATH"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/bin:/usr/bin:/bin"
    let candidates = folders.split(separator: ":").map { "\($0)/\(name)" }
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else { return nil }
    (self.name, self.path) = (name, path)
  }

  /// Runs it to its end; nil where it did its work, else what it complained of. What it prints is not read.
  ///
  /// Where the task is cancelled it is ended.
  ///
  /// - Throws: `cli.cannotStart`, `cli.noPipe`; `CancellationError`.
  func run(_ words: [String]) throws -> String? {
    let complaints = try Descriptor.pipe()
    let nothing = try Descriptor.null()
    var pid: pid_t = 0
    let descriptors = [nothing.number, nothing.number, complaints.write.number]
    let error = CStrings.with([name] + words) { arguments in
      CStrings.with(["LC_ALL=C.UTF-8", "PATH=\(folders)"]) { variables in
        lunara_spawn(&pid, path, arguments, variables, descriptors, Int32(descriptors.count))
      }
    }
    guard error == 0 else {
      throw LunaraError("cli.cannotStart", "Cannot start \(path).", cause: String(cString: strerror(error)))
    }
    complaints.write.close()
    var said: [UInt8] = []
    var isCancelled = false
    reading: while true {
      var polled = pollfd(fd: complaints.read.number, events: Int16(POLLIN), revents: 0)
      if !isCancelled, Task.isCancelled {
        isCancelled = true
        // It is not reaped yet, so the number is its own.
        kill(pid, SIGTERM)
      }
      guard poll(&polled, 1, 100) > 0 else { continue }
      switch complaints.read.read() {
      case .bytes(let bytes): if said.count < 4096 { said += bytes }
      case .nothingYet: continue
      case .end: break reading
      }
    }
    var ending: Int32 = 0
    _ = lunara_reap(pid, 1, &ending)
    if isCancelled { throw CancellationError() }
    guard ending != 0 else { return nil }
    let words = String(decoding: said.prefix(400), as: UTF8.self)
    return words.isEmpty ? "\(name) ended with \(ending)" : words
  }
}

import Glibc

/// The programs under test, and the tools that tests use.
enum Programs {
  /// A program of Lunara. The build puts all of them beside the tests' own executable.
  static func lunara(_ name: String = "lunara") throws -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { throw ChildProcess.Failure(description: "/proc/self/exe cannot be read") }
    let own = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + name
    guard access(String(path), X_OK) == 0 else {
      throw ChildProcess.Failure(description: "\(path) is missing: build the programs before the system tests.")
    }
    return String(path)
  }

  /// A tool of the system, looked for in PATH.
  static func tool(_ name: String) throws -> String {
    let folders = (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin").split(separator: ":")
    guard let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) else {
      throw ChildProcess.Failure(description: "\(name) is missing: `make setup test` installs it.")
    }
    return "\(folder)/\(name)"
  }

  /// The variables that every program needs to start, and none about Lunara.
  static func environment() -> [String: String] {
    var found = ["LANG": "C.UTF-8"]
    for name in ["PATH", "LD_LIBRARY_PATH", "TMPDIR"] {
      if let value = getenv(name) { found[name] = String(cString: value) }
    }
    return found
  }

  /// Runs a tool to its end and returns what it printed.
  ///
  /// - Throws: `ChildProcess.Failure` where it takes longer than `limit` or ends with another status than 0.
  @discardableResult
  static func run(
    _ words: [String], environment: [String: String] = [:], within limit: Duration = patience
  ) async throws -> String {
    let child = try ChildProcess(
      [try tool(words[0])] + words.dropFirst(), environment: Programs.environment().merging(environment) { $1 })
    let ending = await child.ended(within: limit)
    guard ending == 0 else {
      await child.kill()
      throw ChildProcess.Failure(
        description: "\(child.command): \(ending.map { "status \($0)" } ?? "too slow"): \(child.errors)")
    }
    return child.output
  }
}

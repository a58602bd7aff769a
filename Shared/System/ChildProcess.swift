import CPlatform
import Glibc

/// Converts lists of words to the form that execve(2) takes.
public enum CStrings {
  /// Calls `body` with the words as C strings and a null at the end; they are valid only during the call.
  public static func with<Result>(
    _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
  }
}

/// Environment variables.
public struct Environment: Sendable, Equatable {
  /// The values by name.
  public private(set) var variables: [String: String]

  public init(_ variables: [String: String] = [:]) { self.variables = variables }

  /// Returns the environment with which this process was started. Must be called before other threads run.
  public static func ofProcess() -> Environment {
    var variables: [String: String] = [:]
    var next = lunara_environment()
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let mark = text.firstIndex(of: "=") {
        variables[String(text[..<mark])] = String(text[text.index(after: mark)...])
      }
      next += 1
    }
    return Environment(variables)
  }

  /// The value of a variable; nil if it is not set.
  public subscript(name: String) -> String? {
    get { variables[name] }
    set { variables[name] = newValue }
  }

  /// The variables as `NAME=value`, sorted.
  public var lines: [String] { variables.map { "\($0.key)=\($0.value)" }.sorted() }
}

/// A process that this one has started, in a process group of its own, with no signal blocked or ignored.
public struct ChildProcess: Sendable {
  /// The process id.
  public let pid: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: the program's file.
  ///   - arguments: the arguments, of which the first is the program's name.
  ///   - environment: the environment.
  ///   - descriptors: the descriptors that become 0, 1, 2 … of the program, which inherits no others. Their own numbers
  ///     have to be 10 or more.
  /// - Throws: The error of posix_spawn(3).
  public init(
    _ path: String, _ arguments: [String], environment: Environment, descriptors: [Descriptor]
  ) throws(Errno) {
    var pid: pid_t = 0
    let numbers = descriptors.map(\.number)
    let error = CStrings.with(arguments) { arguments in
      CStrings.with(environment.lines) { lunara_spawn(&pid, path, arguments, $0, numbers, Int32(numbers.count)) }
    }
    // The descriptors must stay open until the child has copies of them.
    withExtendedLifetime(descriptors) {}
    guard error == 0 else { throw Errno(error) }
    self.pid = pid
  }

  /// Opens a descriptor that becomes readable when the process has ended.
  public func endDescriptor() throws(Errno) -> Descriptor {
    let number = lunara_process_descriptor(pid)
    guard number >= 0 else { throw .current }
    return Descriptor(owning: number)
  }

  /// Returns the exit status of the process, or minus the number of the signal that ended it; nil while it runs, and 0
  /// if it is no longer known how it ended. After it returned a status, the kernel may give the process id to another
  /// process.
  public func reap() -> Int32? {
    var status: Int32 = 0
    return lunara_reap(pid, 0, &status) == 0 ? nil : status
  }

  /// Blocks until the process has ended. Returns the exit status, or minus the number of the signal that ended it.
  @discardableResult
  public func wait() -> Int32 {
    var status: Int32 = 0
    _ = lunara_reap(pid, 1, &status)
    return status
  }

  /// Sends a signal to the process.
  public func send(_ signal: Int32) { kill(pid, signal) }

  /// Kills the process and all others of its group.
  public func killGroup() { kill(-pid, SIGKILL) }
}

import CPlatform
import Glibc

/// Lists of words in the form that execve(2) takes.
public enum CStrings {
  /// Calls `body` with the words as C strings and a null at the end, valid only during the call.
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
  /// Values by name.
  public private(set) var variables: [String: String]

  public init(_ variables: [String: String] = [:]) { self.variables = variables }

  /// The environment this process was started with. To be read at its start, before other threads run.
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

  /// The value of a variable; nil where it is not set.
  public subscript(name: String) -> String? {
    get { variables[name] }
    set { variables[name] = newValue }
  }

  /// `NAME=value` for each, sorted.
  public var lines: [String] { variables.map { "\($0.key)=\($0.value)" }.sorted() }
}

/// A process that this one has started, in a process group of its own, with no signal blocked or ignored.
public struct ChildProcess: Sendable {
  /// Its number.
  public let pid: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: the program's file.
  ///   - arguments: its words, of which the first is its name.
  ///   - environment: its environment.
  ///   - descriptors: those it gets as descriptors 0, 1, 2 …; each has itself a number of 10 or more. It inherits no
  ///     other.
  /// - Throws: The error of posix_spawn(3).
  public init(
    _ path: String, _ arguments: [String], environment: Environment, descriptors: [Descriptor]
  ) throws(Errno) {
    var pid: pid_t = 0
    let numbers = descriptors.map(\.number)
    let error = CStrings.with(arguments) { arguments in
      CStrings.with(environment.lines) { lunara_spawn(&pid, path, arguments, $0, numbers, Int32(numbers.count)) }
    }
    // The caller's descriptors stay open until the child has its own.
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

  /// Returns the exit status of the process, or minus the number of the signal that ended it; nil while it runs. After
  /// that its number is no longer its own. Only this process is waited for, never any other.
  public func reap() -> Int32? {
    var status: Int32 = 0
    return lunara_reap(pid, 0, &status) == 1 ? status : nil
  }

  /// Blocks until the process has ended. Returns the exit status, or minus the number of the signal that ended it.
  @discardableResult
  public func wait() -> Int32 {
    var status: Int32 = 0
    _ = lunara_reap(pid, 1, &status)
    return status
  }

  /// Sends the process a signal.
  public func send(_ signal: Int32) { kill(pid, signal) }

  /// Ends the process and all others of its group at once.
  public func killGroup() { kill(-pid, SIGKILL) }
}

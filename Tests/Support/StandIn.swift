import Glibc
public import Messages

/// A stand-in server from `Servers/` as a process of its own. It ends with this value, by its pid.
public final class StandIn: Sendable {
  /// The line that it printed when it was ready, with `port` and secrets.
  public let announced: JSONView
  /// The port it listens on, of 127.0.0.1.
  public let port: Int

  /// Its process, for as long as this value lives.
  public let pid: Int32
  private let input: Int32

  /// The error of a stand-in that did not start.
  public struct Failure: Error, CustomStringConvertible {
    /// A sentence that says what happened.
    public let description: String
  }

  /// Starts `Servers/NAME` and waits until it is ready.
  public init(_ name: String, _ arguments: [String]) async throws {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let program = "/\(folder)/Servers/\(name)"
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw Failure(description: "no pipes") }
    for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let (child, result) = spawned { posix_spawn($0, program, &actions, $1, &words, environ) }
    close(toChild[0])
    close(fromChild[1])
    guard result == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(result)))") }
    pid = child
    input = toChild[1]
    let line = await Self.line(from: fromChild[0])
    close(fromChild[0])
    guard let view = JSONView(line), let port = view["port"]?.integer else {
      throw Failure(description: "\(name) said: \(String(decoding: line, as: UTF8.self))")
    }
    announced = view
    self.port = Int(port)
  }

  deinit {
    // The test does not wait for the end of the process.
    close(input)
    let pid = pid
    kill(pid, SIGTERM)
    Task.detached {
      while waitpid(pid, nil, WNOHANG) == 0 { do { try await Task.sleep(for: .milliseconds(20)) } catch { return } }
    }
  }

  /// Reads a line without blocking the threads of tasks for long.
  private static func line(from descriptor: Int32) async -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    while !bytes.contains(10) {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 || errno != EAGAIN {
        break
      } else {
        do { try await Task.sleep(for: .milliseconds(2)) } catch { break }
      }
    }
    return bytes
  }
}

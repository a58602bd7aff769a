import CPlatform
import Glibc

/// Ends the processes of the tests when the tests themselves are killed or crash: a shell that reads, from a pipe whose
/// other end only this process holds, which processes start and end. When the pipe closes it kills those left.
struct Guardian: Sendable {
  /// The guardian of this test run.
  static let ofThisRun = Result { try Guardian() }

  private let pipe: Int32

  private static let script = """
    alive=" "
    while read -r word pid; do
      case $word in
        begun) alive="$alive$pid " ;;
        ended) alive="${alive%% "$pid" *} ${alive#* "$pid" }" ;;
      esac
    done
    for pid in $alive; do kill -KILL "$pid"; done
    """

  private init() throws {
    var ends: [Int32] = [-1, -1]
    var pid: pid_t = 0
    guard lunara_pipe(&ends) == 0 else { throw ChildProcess.Failure(description: "no pipe can be made") }
    let command = ["sh", "-c", Self.script]
    var words = command.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    defer { for word in words { free(word) } }
    let error = lunara_spawn(&pid, "/bin/sh", &words, &environment, [ends[0]], 1)
    close(ends[0])
    guard error == 0 else { throw ChildProcess.Failure(description: "no shell: \(String(cString: strerror(error)))") }
    pipe = ends[1]
  }

  /// Adds a process to the list.
  func begun(_ pid: pid_t) { tell("begun \(pid)\n") }
  /// Removes a process that has ended.
  func ended(_ pid: pid_t) { tell("ended \(pid)\n") }

  // A line is shorter than PIPE_BUF, so that lines of several threads do not mix (pipe(7)).
  private func tell(_ line: String) { _ = write(pipe, line, line.utf8.count) }
}

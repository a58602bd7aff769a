import System
import FoundationEssentials
import Glibc
import Model
import TestSupport
import Testing

@testable import lunara

/// The real program with small scripts in place of the services, in a folder of their own.
///
/// A script notes its pid in `HOME/pids`, says that it is ready and ends when it is asked to or when its pipe from the
/// supervisor closes.
final class FakeHousehold {
  /// Where everything lies.
  let folder = TemporaryDirectory()
  private var started: [Child] = []
  private let parent: (read: Descriptor, write: Descriptor)
  private let input: Descriptor

  /// Lays out the folder with a script a service.
  init(_ services: [String], stubborn: Bool = false) throws {
    parent = try Descriptor.pipe()
    input = try Descriptor.null()
    let program = "\(try ProgramLocation.folder())/lunara"
    // Linked, so that it takes this folder for its own; where the folder is on another disk, copied.
    if link(program, "\(folder.path)/lunara") != 0 {
      try FileManager.default.copyItem(atPath: program, toPath: "\(folder.path)/lunara")
    }
    try Files.makeFolder(home)
    for service in services {
      let path = "\(folder.path)/lunara-\(service)"
      try Files.replace(path, with: Self.script(service, stubborn: stubborn))
      chmod(path, 0o755)
    }
  }

  deinit {
    for child in started { child.killGroup() }
    for pid in pids.values.flatMap({ $0 }) { kill(-pid, SIGKILL) }
  }

  /// The household's home folder.
  var home: String { "\(folder.path)/home" }

  /// Starts `lunara` with the words given, and its folders.
  func lunara(_ words: String...) throws -> Running {
    let child = try Child(
      Child.Launch(
        path: "\(folder.path)/lunara",
        arguments: ["lunara"] + words + ["--home", home, "--run", "\(folder.path)/run"],
        environment: Environment(["HOME": folder.path, "PATH": "/usr/bin:/bin"])), parent: parent.read, input: input)
    started.append(child)
    return Running(child)
  }

  /// The pids of each service's starts, the newest last.
  var pids: [String: [pid_t]] {
    var pids: [String: [pid_t]] = [:]
    for line in (Files.text(of: "\(home)/pids") ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let pid = pid_t(words[1]) else { continue }
      pids[String(words[0]), default: []].append(pid)
    }
    return pids
  }

  private static func script(_ service: String, stubborn: Bool) -> String {
    """
    #!/bin/sh
    echo "\(service) $$" >>"$LUNARA_HOME/pids"
    (read -r nothing <&3; kill -9 $$) &
    watcher=$!
    trap '\(stubborn ? ":" : "kill $watcher; exit 0")' TERM
    echo "here is \(service)" >&2
    echo R >&4
    exec 4>&-
    while :; do wait $watcher; done
    """
  }

  /// A run of the program, with what it has printed.
  final class Running {
    private let child: Child
    private var lines: [String] = []
    private var ending: Ending?

    init(_ child: Child) { self.child = child }

    /// Its process.
    var pid: pid_t { child.process.pid }

    /// All that it has printed so far.
    var printed: String {
      lines += child.readLog().map { String(decoding: $0, as: UTF8.self) }
      return lines.joined(separator: "\n")
    }

    /// Waits until it has printed something.
    func hasPrinted(_ text: String) async -> Bool { await eventually { self.printed.contains(text) } }

    /// Waits for its end.
    func ended() async -> Ending? {
      _ = await eventually {
        _ = self.printed
        if self.ending == nil { self.ending = self.child.reap() }
        return self.ending != nil
      }
      return ending
    }
  }
}

/// Whether a process is there, and no zombie.
func isAlive(_ pid: pid_t) -> Bool {
  guard kill(pid, 0) == 0 else { return false }
  let status = Files.text(of: "/proc/\(pid)/stat") ?? ""
  return !status.contains(") Z ")
}

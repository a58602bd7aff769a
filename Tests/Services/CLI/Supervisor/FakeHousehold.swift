import System
import FoundationEssentials
import Glibc
import Model
import TestSupport
import Testing

@testable import lunara

/// The real program with small scripts in place of the services, in a folder of their own.
///
/// A script appends its pid to `HOME/pids`, reports that it is ready, and ends when it is told to or when its pipe from
/// the supervisor closes.
final class FakeHousehold {
  /// The temporary folder of the programs and the home.
  let folder = TemporaryDirectory()
  private var started: [Child] = []
  private let parent: (read: Descriptor, write: Descriptor)
  private let input: Descriptor

  /// Fills the folder with one script for each service.
  init(_ services: [String], stubborn: Bool = false) throws {
    parent = try Descriptor.pipe()
    input = try Descriptor.null()
    let program = "\(try ProgramLocation.folder())/lunara"
    // A hard link, so that `lunara` looks for the services in this folder; a copy where the folder is on another disk.
    if link(program, "\(folder.path)/lunara") != 0 {
      try TestProgram.install(copyOf: program, at: "\(folder.path)/lunara")
    }
    try Files.makeFolder(home)
    for service in services {
      try TestProgram.install(Self.script(service, stubborn: stubborn), at: "\(folder.path)/lunara-\(service)")
    }
  }

  deinit {
    for child in started { child.killGroup() }
    for pid in pids.values.flatMap({ $0 }) { kill(-pid, SIGKILL) }
  }

  /// The household's home folder.
  var home: String { "\(folder.path)/home" }

  /// Starts `lunara` with these arguments, in this folder and home.
  func lunara(_ words: String...) throws -> Running {
    let child = try Child(
      Child.Launch(
        path: "\(folder.path)/lunara",
        arguments: ["lunara"] + words + ["--home", home, "--run", "\(folder.path)/run"],
        environment: Environment(["HOME": folder.path, "PATH": "/usr/bin:/bin"])), parent: parent.read, input: input)
    started.append(child)
    return Running(child)
  }

  /// The pids of all starts of each service, the newest last.
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

  /// A running `lunara`, with what it has printed.
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

    /// Waits until it has printed a text.
    func hasPrinted(_ text: String) async -> Bool {
      await eventually {
        self.printed
      } satisfies: {
        $0.contains(text)
      }
    }

    /// Waits until it has ended.
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

/// Returns true if a process exists and is no zombie.
func isAlive(_ pid: pid_t) -> Bool {
  guard kill(pid, 0) == 0 else { return false }
  let status = Files.text(of: "/proc/\(pid)/stat") ?? ""
  return !status.contains(") Z ")
}

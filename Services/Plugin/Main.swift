import Confinement
import Glibc
import Model
import System

/// Runs the script of one plugin, which is a stranger's program, until standard input is closed. Each plugin has a
/// process of its own, from which it reaches nothing but the lines on standard input and output.
@main struct Main {
  /// The seconds for which a plugin may run without a pause.
  private static let timeLimit = 2.0

  static func main() {
    guard CommandLine.arguments.count == 1 else {
      let asksVersion = CommandLine.arguments[1] == "--version"
      print(
        asksVersion
          ? "lunara-plugin \(LunaraVersion.current)"
          : "lunara-plugin: runs one resolver plugin for lunara-resolver, which starts it when it needs it.")
      exit(asksVersion || CommandLine.arguments[1] == "--help" ? 0 : 2)
    }
    ScriptEngine.configure()
    endFirstWhereMemoryLacks()
    ConfinementProfile.plugins.isolate()
    guard let loop = PluginLoop(timeLimit: timeLimit) else { fail("there is no memory for the engine") }
    do {
      try loop.prepare()
      try ConfinementProfile.plugins.refuseSystemCalls()
    } catch { fail("\(error)") }
    loop.run()
  }

  /// Tells the kernel to end this process before others where memory lacks.
  private static func endFirstWhereMemoryLacks() {
    do { try Descriptor(opening: "/proc/self/oom_score_adj", O_WRONLY).write("1000") } catch {
      // Then the kernel chooses by the memory that each process has.
    }
  }

  private static func fail(_ reason: String) -> Never {
    Descriptor.write(Array("lunara-plugin: \(reason)\n".utf8), to: STDERR_FILENO)
    exit(1)
  }
}

import CPlatform
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
    let program = WorkerProgram("lunara-plugin", "runs one resolver plugin for lunara-resolver")
    ScriptEngine.configure()
    endFirstWhereMemoryLacks()
    ConfinementProfile.plugins.isolate()
    // A plugin that never waits would outlive a resolver that was killed. Leaving the namespaces undoes this.
    lunara_end_with_parent()
    guard let loop = PluginLoop(timeLimit: timeLimit) else { program.fail("there is no memory for the engine") }
    do {
      try loop.prepare()
      try ConfinementProfile.plugins.refuseSystemCalls()
    } catch { program.fail("\(error)") }
    loop.run()
  }

  /// Tells the kernel to end this process before others where memory lacks.
  private static func endFirstWhereMemoryLacks() {
    do { try Descriptor(opening: "/proc/self/oom_score_adj", O_WRONLY).write("1000") } catch {
      // Then the kernel chooses by the memory that each process has.
    }
  }
}

import System
import Model
import Synchronization
import Testing

@testable import lunara

/// A command line leads to output and an exit status.
struct ProgramTests {
  private static let program = Program(
    root: Command(
      name: "lunara", summary: "Plays music.",
      commands: [
        Command(name: "work", summary: "works", action: .blocking { _ in .done }),
        Command(
          name: "fail", summary: "fails",
          action: .blocking { _ in
            throw LunaraError("client.nothingFound", "Nothing there. Look elsewhere.", cause: "why")
          }),
        Command(
          name: "alone", summary: "is alone",
          action: .blocking { _ in throw LunaraError("cli.noHousehold", "No household.", cause: nil) }),
        Command(name: "stop", summary: "is stopped", action: .blocking { _ in throw CancellationError() }),
        Command(name: "wrong", summary: "is used wrongly", action: .blocking { _ in throw UsageError("Not so.") }),
      ]))

  @Test(arguments: [
    ("work", lunara.ExitStatus.done), ("fail", .failed), ("wrong", .wrongUsage), ("work --nonsense", .wrongUsage),
    ("nonsense", .wrongUsage), ("alone", .nothingReachable), ("stop", .interrupted), ("--help", .done), ("", .done),
    ("work --help", .done),
  ])
  func theStatusTellsHowItWent(line: String, status: lunara.ExitStatus) {
    #expect(Run(line).status == status)
  }

  @Test func anErrorSaysWhatToDoOnStandardError() {
    let run = Run("fail")
    #expect(run.output.isEmpty)
    #expect(run.errors == "lunara: Nothing there. Look elsewhere.\n  cause: why\n  code: client.nothingFound\n")
  }

  @Test func withJSONAnErrorIsOneObjectOnStandardError() {
    let run = Run("fail --json")
    #expect(run.output.isEmpty)
    let expected =
      #"{"error":{"code":"client.nothingFound","message":"Nothing there. Look elsewhere.","cause":"why"}}"# + "\n"
    #expect(run.errors == expected)
    #expect(
      Run("alone --json").errors == #"{"error":{"code":"cli.noHousehold","message":"No household.","cause":null}}"#
        + "\n")
  }

  @Test func aWrongCommandLineGetsAShortHint() {
    let run = Run("work --nonsense")
    #expect(
      run.errors == """
        lunara: There is no option “--nonsense” here.
        Usage: lunara work [options]
        See: lunara work --help

        """)
    #expect(Run("work --nonsense --json").errors.hasPrefix(#"{"error":{"code":"cli.usage","#))
  }

  @Test func helpGoesToStandardOutput() {
    let run = Run("--help")
    #expect(run.errors.isEmpty)
    #expect(run.output.hasPrefix("Plays music.\n\nUsage\n  lunara COMMAND [options]\n\nCommands\n  work   works\n"))
  }

  @Test func theVersionIsPrinted() throws {
    let printed = Printed()
    let status = Program(root: .lunara).run(["--version"], environment: Environment()) { printed.console(isJSON: $0) }
    #expect(status == .done && printed.output.hasPrefix("lunara 0."))
  }

  @Test func onlyAServiceThatCannotBeReachedGivesTheStatusForNothingReachable() {
    #expect(lunara.ExitStatus(LunaraError("bus.unreachable", "No.")) == .nothingReachable)
    #expect(lunara.ExitStatus(LunaraError("bus.timeout", "No answer.")) == .failed)
  }

  @Test func statusesHaveTheNumbersOfTheContract() {
    #expect([lunara.ExitStatus.done, .failed, .wrongUsage, .nothingReachable].map(\.rawValue) == [0, 1, 2, 3])
  }

  /// One run of the program.
  private struct Run {
    let status: lunara.ExitStatus
    let output: String
    let errors: String

    init(_ line: String) {
      let printed = Printed()
      status = ProgramTests.program.run(line.split(separator: " ").map(String.init), environment: Environment()) {
        printed.console(isJSON: $0)
      }
      output = printed.output
      errors = printed.errors
    }
  }
}

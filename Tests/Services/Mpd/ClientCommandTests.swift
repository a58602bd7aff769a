import Testing

@testable import Mpd

/// The words of a line, and the errors that real servers answer.
@Suite struct ClientCommandTests {
  private func command(_ line: String) throws -> ClientCommand { try ClientCommand(line: Array(line.utf8)) }

  private func error(_ line: [UInt8]) -> CommandError? {
    do throws(CommandError) {
      _ = try ClientCommand(line: line)
      return nil
    } catch {
      return error
    }
  }

  @Test func wordsArePlainOrQuoted() throws {
    #expect(try command("status") == ClientCommand("status"))
    #expect(try command("add \"A B/\\\"C\\\\\"\t0 ") == ClientCommand("add", ["A B/\"C\\", "0"]))
    #expect(try command("find artist \"\"") == ClientCommand("find", ["artist", ""]))
  }

  @Test(arguments: [
    ("add \"half", "Missing closing '\"'"), ("add \"half\\", "Missing closing '\"'"),
    ("add \"a\"b", "Space expected after closing '\"'"), ("add it's", "Invalid unquoted character"),
    ("add! x", "Invalid word character"), (" add", "Letter expected"),
  ])
  func wrongQuotingIsAnUnknownCommand(line: String, message: String) {
    #expect(error(Array(line.utf8)) == CommandError(.unknown, message))
  }

  @Test func bytesThatAreNoUTF8AreRefused() {
    #expect(error(Array("add ".utf8) + [0xFF, 0xC3]) == CommandError(.unknown, "Malformed UTF-8"))
  }

  @Test func tooManyWordsAreAWrongArgument() {
    let line = "add" + String(repeating: " x", count: ClientCommand.argumentLimit + 1)
    #expect(error(Array(line.utf8))?.code == .argument)
  }

  @Test func anErrorNamesCodePlaceAndCommandOnOneLine() {
    #expect(CommandError.badIndex.line(command: "play", index: 2) == "ACK [2@2] {play} Bad song index\n")
    #expect(CommandError(.system, "a\nb").line(command: "", index: 0) == "ACK [52@0] {} a b\n")
  }

  @Test func unknownCommandsAndWrongNumbersOfArgumentsAreNamed() {
    #expect(throws: CommandError(.unknown, "unknown command \"dance\"")) {
      try CommandTable.command("dance", hasAccess: true)
    }
    #expect(throws: CommandError(.argument, "wrong number of arguments for \"status\"")) {
      try CommandTable.command("status", hasAccess: true).check(1)
    }
    #expect(throws: CommandError(.argument, "too few arguments for \"add\"")) {
      try CommandTable.command("add", hasAccess: true).check(0)
    }
  }

  @Test func withoutThePasswordOnlyHarmlessCommandsAreAllowed() {
    #expect(throws: CommandError(.permission, "you don't have permission for \"status\"")) {
      try CommandTable.command("status", hasAccess: false)
    }
    #expect(throws: CommandError(.permission, "you don't have permission for \"kill\"")) {
      try CommandTable.command("kill", hasAccess: true)
    }
    #expect(
      CommandTable.names(allowed: true, hasAccess: false)
        == ["close", "commands", "notcommands", "password", "ping", "tagtypes"])
    #expect(Set(CommandTable.names(allowed: false, hasAccess: true)) == CommandTable.refused)
  }
}

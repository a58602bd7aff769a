import TestSupport
import Testing

extension SystemTests.SharedHouseholdTests {
  @Suite struct ExitStatusTests {
    @Test(arguments: [
      ["album", "files:nothing"], ["play", "files:nothing"], ["play", "a title that no album has"],
    ])
    func whatDoesNotExistIsRefused(words: [String]) async throws {
      let household = try await Household.atRest()
      let outcome = try await household.lunara(words + ["--json"])
      #expect(outcome.status == 1)
      #expect(outcome.output == "")
      let error = try outcome.error()
      #expect(error.message.asString?.contains(words[1]) == true)
      let plain = try await household.lunara(words)
      #expect(plain.status == 1)
      #expect(plain.errors.contains(try #require(error.message.asString)))
    }

    @Test(arguments: [
      ["albums", "--nonsense"], ["play"], ["nonsense"], ["album"], ["albums", "--limit", "many"],
      ["queue", "nonsense"],
      ["tap", "--count", "-1"],
    ])
    func aWrongCommandLineIsStatusTwo(words: [String]) async throws {
      let household = try await Household.atRest()
      let outcome = try await household.lunara(words)
      #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.output == "")
      #expect(outcome.errors != "")
    }

    @Test(arguments: ["status", "albums", "rooms", "queue", "pause", "scrobbles", "tap"])
    func withoutAHouseholdThereIsNothingReachable(command: String) async throws {
      let household = try await Household.atRest()
      let empty = TemporaryDirectory()
      let error = try await household.failure(
        command, status: 3, environment: ["LUNARA_RUN": empty.path + "/run"])
      #expect(error.message.asString?.contains("lunara up") == true)
    }

    @Test(arguments: [
      "up", "status", "rooms", "albums", "album", "search", "play", "pause", "resume", "next", "previous", "stop",
      "queue", "scrobbles", "tap",
    ])
    func everyCommandExplainsItselfWithExamples(command: String) async throws {
      let household = try await Household.atRest()
      let outcome = try await household.lunara([command, "--help"])
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      #expect(outcome.output.contains("lunara \(command)"))
      #expect(outcome.output.lowercased().contains("example"))
    }
  }
}

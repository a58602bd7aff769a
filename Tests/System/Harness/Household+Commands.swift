import Testing

/// The result of one run of `lunara`.
struct Outcome {
  var command: String
  var status: Int32
  var output: String
  var errors: String

  /// The error that it printed with `--json`, after checking its form.
  func error(sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON {
    let line = errors.split(separator: "\n").last { $0.hasPrefix("{") }
    let text = try #require(line, "no JSON error: \(errors)", sourceLocation: sourceLocation)
    let error = try JSON(text: String(text)).error
    let differences = error.differences(from: ["code": "string", "message": "string", "cause": "string|null"])
    #expect(differences == [], "\(error)", sourceLocation: sourceLocation)
    return error
  }
}

extension Household {
  /// Runs `lunara` with these arguments to its end.
  func lunara(_ words: [String], environment: [String: String] = [:], within limit: Duration = patience)
    async throws -> Outcome
  {
    let child = try ChildProcess(
      [try Programs.lunara()] + words, environment: self.environment.merging(environment) { $1 })
    guard let status = await child.ended(within: limit) else {
      await child.kill()
      throw ChildProcess.Failure(description: "\(child.command) does not end: \(child.output)\(child.errors)")
    }
    return Outcome(command: child.command, status: status, output: child.output, errors: child.errors)
  }

  /// Runs `lunara`; expects success and nothing on standard error.
  func run(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
    _ = try await succeeding(words, sourceLocation)
  }

  /// Runs `lunara … --json`, expects success and returns the one value that it prints.
  func json(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSON {
    let outcome = try await succeeding(words + ["--json"], sourceLocation)
    do {
      return try JSON(text: outcome.output)
    } catch {
      throw ChildProcess.Failure(description: "\(outcome.command) printed no JSON: \(outcome.output)")
    }
  }

  /// Runs `lunara … --json`, expects success and returns the values, one a line.
  func lines(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> [JSON] {
    let outcome = try await succeeding(words + ["--json"], sourceLocation)
    return try outcome.output.split(separator: "\n").map { try JSON(text: String($0)) }
  }

  /// Runs `lunara … --json` and expects it to fail with this status.
  func failure(
    _ words: String..., status: Int32 = 1, environment: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> JSON {
    let outcome = try await lunara(words + ["--json"], environment: environment)
    #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.output == "", sourceLocation: sourceLocation)
    return try outcome.error(sourceLocation: sourceLocation)
  }

  private func succeeding(_ words: [String], _ sourceLocation: SourceLocation) async throws -> Outcome {
    let outcome = try await lunara(words)
    try #require(outcome.status == 0, "\(outcome.command): \(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.errors == "", "\(outcome.command)", sourceLocation: sourceLocation)
    return outcome
  }
}

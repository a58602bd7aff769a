import Testing

/// `make fuzz` sends ten million frames.
@Suite struct FloodTests {
  @Test(.timeLimit(.minutes(2)))
  func mutatedFramesDoANodeNoHarm() async throws {
    let outcome = try await Flood(frames: 40_000).run()
    #expect(outcome.harm == [])
    print("\(Int(Double(outcome.arrived) / outcome.seconds)) mutated frames/s: \(outcome)")
  }
}

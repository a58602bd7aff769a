import Testing

/// The library interprets any value in a tag or a list. `make fuzz` interprets ten million files.
@Suite struct ValueTests {
  @Test(.timeLimit(.minutes(5)), arguments: 0..<4)
  func randomValuesOfTagsDoNoHarm(seed: UInt64) async {
    var fuzzer = ValueFuzzer(seed: 20_261_128 + seed)
    for _ in 0..<25 {
      #expect(fuzzer.run(1000) == nil)
      // Yields to other tests.
      await Task.yield()
    }
    // Files without tags would prove nothing.
    #expect(fuzzer.named > 5000)
  }
}

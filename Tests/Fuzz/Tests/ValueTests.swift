import Testing

/// Whatever stands in a tag or a list, the library interprets it. `make fuzz` interprets ten million files.
@Suite struct ValueTests {
  @Test(.timeLimit(.minutes(5)), arguments: 0..<4)
  func randomValuesOfTagsDoNoHarm(seed: UInt64) async {
    var fuzzer = ValueFuzzer(seed: 20_261_128 + seed)
    for _ in 0..<25 {
      #expect(fuzzer.run(1000) == nil)
      // Lets other tests run meanwhile.
      await Task.yield()
    }
    // Files that say nothing would show nothing.
    #expect(fuzzer.named > 5000)
  }
}

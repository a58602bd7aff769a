import Glibc

/// Interprets random values of tags: `lunara-fuzz-values [NUMBER]`, by default ten million files. Exits with 1 where a
/// rule did not hold, and by a signal where the library would have ended.
@main struct Program {
  /// The number of files for one seed.
  private static let portion = 100_000

  static func main() async {
    let number = CommandLine.arguments.dropFirst().first.map { Int($0) } ?? 10_000_000
    guard let number, number > 0 else {
      print("usage: lunara-fuzz-values [NUMBER]")
      exit(2)
    }
    let portions = (number + portion - 1) / portion
    let faults = await withTaskGroup(of: String?.self) { group in
      for seed in 0..<portions {
        group.addTask {
          var fuzzer = ValueFuzzer(seed: UInt64(seed))
          return fuzzer.run(min(portion, number - seed * portion)).map { "seed \(seed), \($0)" }
        }
      }
      var faults: [String] = []
      for await fault in group { if let fault { faults.append(fault) } }
      return faults
    }
    for fault in faults { print("HARM  \(fault)") }
    print("\(number) files with random tags were interpreted")
    exit(faults.isEmpty ? 0 : 1)
  }
}

import Glibc

/// Runs seeds of the simulation one after the other.
@main
struct Program {
  static let help = """
    usage: lunara-simulate [--from N] [--to N] [--seed N [--trace]]

      --from N, --to N   run these seeds (1 to 1000)
      --seed N           run one seed
      --trace            print what happens, a line each: microseconds, then who does what

    The first seed that breaks an invariant ends the run with status 1; its line names the seed, the invariant and the
    command that shows how it came about. A seed means the same on every machine, but not in another version of the
    sources: what is drawn there may be drawn in another order.
    """

  static func main() {
    var from: UInt64 = 1
    var to: UInt64 = 1000
    var isTraced = false
    var words = CommandLine.arguments.dropFirst()
    func number() -> UInt64 {
      guard let word = words.popFirst(), let number = UInt64(word) else { stop("a number is missing") }
      return number
    }
    while let word = words.popFirst() {
      switch word {
      case "--from": from = number()
      case "--to": to = number()
      case "--seed":
        from = number()
        to = from
      case "--trace": isTraced = true
      case "--help":
        print(help)
        exit(0)
      default: stop("\(word) is no option")
      }
    }
    guard from <= to else { stop("there is no seed from \(from) to \(to)") }
    run(from...to, isTraced: isTraced)
  }

  private static func run(_ seeds: ClosedRange<UInt64>, isTraced: Bool) {
    let start = ContinuousClock.now
    var steps = 0
    for seed in seeds {
      let world = World(seed: seed, tell: isTraced ? { print($0) } : nil)
      let violation = world.run()
      steps += world.steps
      if let violation {
        print("seed \(seed): \(violation)")
        print("replay: \(CommandLine.arguments[0]) --seed \(seed) --trace")
        exit(1)
      }
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("\(seeds.count) seeds, \(steps) steps, \(Int(Double(seeds.count) / seconds)) seeds/s: all held")
  }

  private static func stop(_ why: String) -> Never {
    print("lunara-simulate: \(why)\n\(help)")
    exit(2)
  }
}

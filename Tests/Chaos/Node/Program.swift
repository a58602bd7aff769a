import Bus
import Glibc
import Model
import Programs
import Storage

/// One process of a household that `Tests/Chaos/kills` kills at random and starts again.
///
///     lunara-chaos-node handler|relay|sink|commander name=VALUE…
///
/// It prints READY once it works. It stops at the end of standard input, so that it does not outlive its driver.
@main struct Program {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    do {
      let place = try await Place(Options(words.dropFirst()))
      switch words.first {
      case "handler": try await CommandHandler(place).run()
      case "relay": try await Relay(place).run()
      case "sink": try await Sink(place).run()
      case "commander": try await Commander(place).run()
      default: throw LunaraError("chaos.badCommand", "The first word is handler, relay, sink or commander.")
      }
      await place.close()
    } catch {
      complain(LunaraError(error))
      exit(1)
    }
  }
}

/// Prints a line at once, without buffering.
func say(_ line: String, on descriptor: Int32 = STDOUT_FILENO) {
  let bytes = Array("\(line)\n".utf8)
  // A failed write is ignored: where the driver has ended, standard input ends as well, which stops this process.
  _ = write(descriptor, bytes, bytes.count)
}

/// Prints an error on standard error.
func complain(_ error: LunaraError) {
  say("\(error.code): \(error.message) \(error.cause ?? "")", on: STDERR_FILENO)
}

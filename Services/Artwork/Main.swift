import CPlatform
import CVips
import Dispatch
import Glibc
import Messages
import Model
import Synchronization

/// Makes thumbnails until nobody asks for more: a process of its own, because libvips keeps much memory once it was
/// used, and because some pictures are made to break what reads them.
@main struct Main {
  static func main() {
    guard CommandLine.arguments.count == 1 else {
      let asksVersion = CommandLine.arguments[1] == "--version"
      print(
        asksVersion
          ? "lunara-artwork \(LunaraVersion.current)"
          : "lunara-artwork: makes thumbnails for lunara-library, which starts it when it needs some.")
      exit(asksVersion || CommandLine.arguments[1] == "--help" ? 0 : 2)
    }
    Confinement.enter()
    guard lunara_vips_start("lunara-artwork") == 0 else {
      let line = "lunara-artwork: libvips cannot be used: \(Picture.complaint())\n"
      _ = write(2, line, line.utf8.count)
      exit(1)
    }
    Bench(threads: max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))).work()
    // Nothing is left to tidy, and libvips has threads of its own.
    _exit(0)
  }
}

/// Takes jobs from standard input, works on as many at once as there are processors, and tells each outcome.
final class Bench: Sendable {
  private let queue = DispatchQueue(label: "lunara.artwork", attributes: .concurrent)
  private let free: DispatchSemaphore
  private let output = Mutex(())

  init(threads: Int) { free = DispatchSemaphore(value: threads) }

  /// Works until standard input ends and all is done.
  func work() {
    let group = DispatchGroup()
    while let line = readLine() {
      free.wait()
      queue.async(group: group) {
        self.tell(Self.outcome(of: line))
        self.free.signal()
      }
    }
    group.wait()
  }

  private static func outcome(of line: String) -> Artwork.Outcome {
    let job: Artwork.Job
    do { job = try MessageCoding.decode(Artwork.Job.self, from: Array(line.utf8)) } catch {
      return Artwork.Outcome(id: -1, failure: LunaraError(error))
    }
    do { return try Thumbnails.make(job) } catch { return Artwork.Outcome(id: job.id, failure: error) }
  }

  private func tell(_ outcome: Artwork.Outcome) {
    do {
      let line = try MessageCoding.encode(outcome) + [10]
      output.withLock { _ in
        var done = 0
        while done < line.count {
          let count = line.withUnsafeBytes { write(1, $0.baseAddress.map { $0 + done }, line.count - done) }
          if count < 0, errno == EINTR { continue }
          // Who asked is gone, so nobody needs the rest.
          guard count > 0 else { _exit(1) }
          done += count
        }
      }
    } catch {
      // A message of ours that JSON cannot hold: who asked sees the process end, and asks for this one alone.
      _exit(1)
    }
  }
}

/// What a picture that takes over this process, or that grows without end, may not do.
enum Confinement {
  /// How many bytes may be addressed: what the largest picture that is taken needs, some times over.
  private static let memory: UInt64 = 3 << 30
  /// How large a file may be written.
  private static let file: UInt64 = 64 << 20

  /// Gives up what making thumbnails does not need. Music comes first, so other processes do as well.
  static func enter() {
    lunara_confine(memory, file)
    // A file that grew too large is an error like any other.
    signal(SIGXFSZ, SIG_IGN)
  }
}

import CPlatform
import CVips
import Dispatch
import Glibc
import Messages
import Model
import System
import Synchronization

/// Makes thumbnails until standard input ends. It is a process of its own because libvips keeps much memory once it was
/// used, and because some pictures are made to break the programs that read them.
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
    confine()
    guard lunara_vips_start("lunara-artwork") == 0 else {
      let line = "lunara-artwork: libvips cannot be used: \(Picture.complaint())\n"
      _ = Descriptor.write(Array(line.utf8), to: STDERR_FILENO)
      exit(1)
    }
    JobRunner(threads: max(1, min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))).run()
    // Nothing is left to tidy, and libvips has threads of its own.
    _exit(0)
  }

  /// Gives up all rights that making thumbnails does not need, takes the lowest priority, as music comes first, and
  /// limits memory to several times the need of the largest accepted picture: malicious pictures exploit faults of
  /// libvips, or make it allocate memory without end.
  private static func confine() {
    let (memory, fileSize): (UInt64, UInt64) = (3 << 30, 64 << 20)
    lunara_confine(memory, fileSize)
    // Makes a file that grows too large an error of write(2).
    signal(SIGXFSZ, SIG_IGN)
  }
}

/// Reads jobs from standard input, runs as many at once as there are processors, and writes each outcome to standard
/// output.
final class JobRunner: Sendable {
  private let queue = DispatchQueue(label: "lunara.artwork", attributes: .concurrent)
  private let free: DispatchSemaphore
  private let output = Mutex(())

  init(threads: Int) { free = DispatchSemaphore(value: threads) }

  /// Runs all jobs; returns when standard input has ended and all are done.
  func run() {
    let group = DispatchGroup()
    while let line = readLine() {
      free.wait()
      queue.async(group: group) {
        self.write(Self.outcome(of: line))
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

  private func write(_ outcome: Artwork.Outcome) {
    do {
      let line = try MessageCoding.encode(outcome) + [10]
      output.withLock { _ in
        // Nobody needs the rest once the reader is gone.
        if !Descriptor.write(line, to: STDOUT_FILENO) { _exit(1) }
      }
    } catch {
      // The outcome cannot be encoded: the library service sees the process end, and tries this picture alone.
      _exit(1)
    }
  }
}

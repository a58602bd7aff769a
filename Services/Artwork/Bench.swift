import Dispatch
import Glibc
import Messages
import Model
import Synchronization

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
